import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { refundShareOf } from '../server/ledger/index.ts'
import { testApi } from '../testing/harness/api.ts'
import { backendOf } from '../testing/harness/backend.ts'
import { seedChargeTransfers, seedRefundTransfers } from '../testing/seed/transfers.ts'
import { assertAsShown, blockBelow } from './samples.ts'

const document = readFileSync(join(import.meta.dirname, '../docs/integrate/balance.md'), 'utf8')
const dayMs = 24 * 60 * 60 * 1000

const shown = (mark: string) => blockBelow(document, mark, 'json')

it('the API returns the balance and the transfers that docs/integrate/balance.md shows, to the day and to the minor unit', async () => {
  const api = await testApi()
  const { services, merchant, clock } = api
  const first = await seedChargeTransfers(services, merchant, { chargedMinor: 20_000, commissionMinor: 358 })
  clock.advance(dayMs)
  await seedRefundTransfers(services, merchant, { ...first, chargedMinor: 3_333, commissionMinor: 60 })
  clock.advance(dayMs)
  await seedChargeTransfers(services, merchant, { chargedMinor: 18_990, commissionMinor: 340 })
  const backend = backendOf(api)
  assertAsShown((await backend.get('/v1/balance')).text, shown('the balance of the example'))
  const { text, json } = await backend.get('/v1/balance/transfers')
  assertAsShown(text, shown('the transfers of the example'))
  const times = (list: Record<string, string>[]) =>
    list.map((each) => [each['created_at'], each['available_at']])
  assert.deepEqual(times(json), times(JSON.parse(shown('the transfers of the example').text)))
})

it('the refund tables of docs/integrate/balance.md follow the refund rule', () => {
  const tables = [...document.matchAll(/\| refunded \|.*\n\|[-|]+\|\n((?:\| [\d. |]+\n)+)/g)]
  assert.equal(tables.length, 2)
  for (const [, rows = ''] of tables) {
    const lines = rows.trim().split('\n')
    const numbers = lines.map((line) =>
      [...line.matchAll(/\d+\.\d{2}/g)].map(([text]) => Number(text.replace('.', ''))),
    )
    const whole = numbers.pop() ?? []
    const [amountMinor = 0, chargedMinor = 0, commissionMinor = 0] = whole
    let before = 0
    for (const [refundMinor = 0, ...documented] of [...numbers, whole]) {
      // The last row of a table is the sum of the others.
      if (before === amountMinor) before = 0
      const given = refundShareOf({ amountMinor, chargedMinor, commissionMinor }, before, refundMinor)
      const rest = given.chargedMinor - given.commissionMinor
      assert.deepEqual(documented, [given.chargedMinor, given.commissionMinor, rest])
      before += refundMinor
    }
  }
})
