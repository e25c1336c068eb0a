import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testTill } from '../../testing/till/till.ts'
import { updateUnsettledGauges } from './update-unsettled-gauges.ts'

const till = await testTill()
const { services } = till

async function shown(): Promise<Record<string, number>> {
  await updateUnsettledGauges(services)
  const text = await services.metrics.registry.metrics()
  const lines = text
    .split('\n')
    .filter((line) => /^vezne_(unknown|unsettled|oldest|payments|bank)/.test(line))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

it('the metrics show the number of unknown outcomes, the age of the oldest, and how payments ended', async () => {
  assert.equal((await shown())['vezne_unknown_outcomes'], 0)
  const paymentId = await till.start()
  await till.pay(paymentId, '4190000000000630')
  till.clock.advance(30_000)
  const afterPayment = await shown()
  assert.equal(afterPayment['vezne_unknown_outcomes'], 1)
  assert.equal(afterPayment['vezne_oldest_unknown_outcome_seconds'], 30)
  assert.equal(afterPayment['vezne_bank_calls_total{operation="authorize",outcome="unknown"}'], 1)
  await till.pass(5 * 60 * 60 * 1000)
  assert.equal((await shown())['vezne_unknown_outcomes_in_manual_review'], 1)
  const paidId = await till.start()
  await till.pay(paidId, '5400360000000003')
  assert.equal((await shown())['vezne_payments_total{state="paid"}'], 1)
  // An approved attempt in manual review has no due time.
  await services.sql.run(
    sql`update payment_attempts set needs_review_at = ${till.clock.now()} where payment_id = ${paidId}`,
  )
  assert.equal((await shown())['vezne_unknown_outcomes_in_manual_review'], 2)
})

it('the metrics show the number of open modifications, those in manual review, and the age of the oldest', async () => {
  const before = await shown()
  assert.equal(before['vezne_unsettled_modifications'], 0)
  assert.equal(before['vezne_oldest_unsettled_modification_seconds'], 0)
  const paymentId = await till.start('amount=10000&currency=TRY&pre_auth=true')
  // The bank releases no hold of this card.
  await till.pay(paymentId, '4190000000000820')
  const form = `transaction_id=${paymentId}&status=false`
  await till.call({
    method: 'POST',
    url: '/v1/transaction/resolve-pre-auth',
    token: await till.token(),
    form,
  })
  till.clock.advance(30_000)
  const afterRelease = await shown()
  assert.equal(afterRelease['vezne_unsettled_modifications'], 1)
  assert.equal(afterRelease['vezne_unsettled_modifications_in_manual_review'], 0)
  assert.equal(afterRelease['vezne_oldest_unsettled_modification_seconds'], 30)
  await till.pass(5 * 60 * 60 * 1000)
  const stuck = await shown()
  assert.equal(stuck['vezne_unsettled_modifications_in_manual_review'], 1)
  await services.sql.run(
    sql`update modifications set decline_reason = 'not_settled_yet' where payment_id = ${paymentId}`,
  )
  const waiting = await shown()
  assert.equal(waiting['vezne_unsettled_modifications'], 1)
  assert.equal(waiting['vezne_oldest_unsettled_modification_seconds'], 0)
})
