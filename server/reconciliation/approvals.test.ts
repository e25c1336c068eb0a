import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { eventLines } from '../../testing/invariants/payment-rows.ts'
import { posByConnector } from '../../testing/seed/modifications.ts'
import { bankPageTill, payAtBankPage } from '../../testing/till/pay-at-bank-page.ts'
import { preAuthForm, refundActions } from '../../testing/till/refunds.ts'
import { exactChargeCard, overchargeCard } from '../../testing/till/verifications.ts'
import { markVerifiedByStatement } from '../payments/for-reconciliation.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-approvals-'))
after(() => rmSync(folder, { recursive: true }))
const till = await bankPageTill()
const { services } = till
const pos = String((await posByConnector(till)).get('sandbox-nestpay'))
const file = join(folder, 'statement.csv')
const statement = ['--pos', pos, '--file', file, '--day', '2026-11-15']

async function statesOf(paymentId: number): Promise<string[]> {
  const rows = await services.sql.many<{
    state: string
  }>(sql`select state || ' by ' || coalesce(source, 'nobody') as state
    from verifications where payment_id = ${paymentId}`)
  return rows.map(({ state }) => state)
}

/** Output of the command; rejects if the command exits with 1. */
const reconcile = (...words: string[]) => runTypedCommand(services, ['reconcile', ...statement, ...words])

it('a statement verifies matching approvals, records a difference once, and the next run finds no break', async () => {
  const sale = await payAtBankPage(till, exactChargeCard)
  const hold = await payAtBankPage(till, exactChargeCard, preAuthForm)
  const differing = await payAtBankPage(till, overchargeCard)
  await runTypedCommand(services, ['sandbox', 'statement', ...statement])
  await assert.rejects(reconcile(), /Statement and our records differ: 1 break\./)
  assert.deepEqual(await statesOf(sale), ['verified by statement'])
  assert.deepEqual(await statesOf(hold), ['verified by statement'])
  assert.deepEqual(await statesOf(differing), ['differs by statement'])
  assert.deepEqual(await eventLines(services.sql, differing), [
    '1 payment.succeeded',
    '2 payment.amount_differs',
  ])
  assert.match(await reconcile(), /Statement and our records agree\.$/)
  assert.deepEqual(await eventLines(services.sql, differing), [
    '1 payment.succeeded',
    '2 payment.amount_differs',
  ])
  await till.pass(3 * 60_000)
  const { count } = await services.sql.one<{ count: number }>(
    sql`select count(*)::int as count from bank_calls where operation = 'verify'`,
  )
  assert.equal(count, 0, 'no bank is asked about what the statement has shown')
  assert.deepEqual(await inconsistencies(till), [])
})

it('the text output counts the verified approvals; the JSON output has only breaks and sums', async () => {
  const sale = await payAtBankPage(till, exactChargeCard)
  await runTypedCommand(services, ['sandbox', 'statement', ...statement])
  const lines = (await reconcile('--format', 'json')).split('\n')
  for (const line of lines) JSON.parse(line)
  assert.deepEqual(await statesOf(sale), ['verified by statement'])
  await payAtBankPage(till, exactChargeCard)
  await runTypedCommand(services, ['sandbox', 'statement', ...statement])
  assert.match(await reconcile(), /^Approvals: 1 verified by this statement, 0 found to differ\.$/m)
})

it('a statement does not change an earlier verification, or one whose charge is being modified', async () => {
  const id = await payAtBankPage(till, overchargeCard)
  await till.pass(2 * 60_000)
  const [row] = await services.sql.many<{ id: number }>(
    sql`select id from verifications where payment_id = ${id}`,
  )
  const now = services.clock.now()
  assert.equal(await markVerifiedByStatement(services.sql, till.merchant.id, [row?.id ?? 0], now), 0)
  assert.deepEqual(await statesOf(id), ['differs by inquiry'])
  const other = await payAtBankPage(till, overchargeCard)
  await refundActions(till).refunded(other, 4_000)
  await runTypedCommand(services, ['sandbox', 'statement', ...statement])
  await assert.rejects(reconcile(), /1 break/)
  assert.deepEqual(await statesOf(other), ['unverified by nobody'])
})

it('a dry run records nothing, and a file in which more approvals differ than agree records nothing', async () => {
  const ids: number[] = []
  for (let count = 0; count < 12; count++) ids.push(await payAtBankPage(till, overchargeCard))
  await runTypedCommand(services, ['sandbox', 'statement', ...statement])
  await assert.rejects(reconcile('--dry-run'), /breaks\./)
  await assert.rejects(
    reconcile(),
    /approvals differ on this statement and \d agree\. .* Nothing was recorded\./,
  )
  for (const id of ids) assert.deepEqual(await statesOf(id), ['unverified by nobody'])
})
