import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testTill } from '../../testing/till.ts'
import { countUnsettled } from './count-unsettled.ts'

const till = await testTill()
const { services } = till

async function shown(): Promise<Record<string, number>> {
  await countUnsettled(services)
  const text = await services.metrics.registry.metrics()
  const lines = text.split('\n').filter((line) => /^vezne_(unknown|oldest|payments|bank)/.test(line))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

it('the metrics tell how many outcomes are unknown, how old the oldest is, and how payments ended', async () => {
  assert.equal((await shown())['vezne_unknown_outcomes'], 0)
  const paymentId = await till.start()
  await till.pay(paymentId, '4190000000000630')
  till.clock.advance(30_000)
  const asked = await shown()
  assert.equal(asked['vezne_unknown_outcomes'], 1)
  assert.equal(asked['vezne_oldest_unknown_outcome_seconds'], 30)
  assert.equal(asked['vezne_bank_calls_total{operation="authorize",outcome="unknown"}'], 1)
  await till.pass(5 * 60 * 60 * 1000)
  assert.equal((await shown())['vezne_unknown_outcomes_for_people'], 1)
  await till.pay(await till.start(), '5400360000000003')
  assert.equal((await shown())['vezne_payments_total{state="paid"}'], 1)
})
