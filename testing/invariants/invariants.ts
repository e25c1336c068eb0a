import assert from 'node:assert/strict'
import type { Sql } from '../../kit/runtime/sql.ts'
import { empty, join, sql } from '../../kit/runtime/sql.ts'
import type { ChargeSummary } from '../../sandbox/index.ts'
import { integrityChecks } from '../../server/integrity/check-integrity.ts'
import { ofMerchant } from '../../server/integrity/integrity-check.sql.ts'
import { paymentsWithTransfersWithin } from '../../server/integrity/postings.sql.ts'
import { postingViolations } from '../../server/integrity/postings.ts'
import type { PaymentIdRange } from '../../server/ledger/index.ts'
import { attemptIdOf } from '../harness/bank.ts'
import type { BankAmounts, ModificationRow } from './bank-differences.ts'
import { bankAmountColumns, expectedAtBank, modificationsColumn } from './bank-differences.ts'

/**
 * Asserts the invariants of payments of one merchant, which hold at any moment, also during work: the checks of
 * `vezne ledger check` find nothing, money at the bank has an owner, and the accounts have the sums that follow from
 * the charge, its refunds and the bank's amounts.
 */
export async function assertInvariants(
  database: Sql,
  book: readonly ChargeSummary[],
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const attempts =
    await database.many<AttemptRow>(sql`select id, state, pre_auth as "preAuth", charged, commission, ${bankAmountColumns},
      due_at is not null as "isDue", needs_review_at is not null as "needsReview", ${modificationsColumn}
    from payment_attempts a where payment_id = any (${ids})`)
  const lines = new Map(book.map((line) => [attemptIdOf(line), line]))
  for (const attempt of attempts) assertOwned(attempt, lines.get(String(attempt.id)))
  await assertPostings(database, ids, attempts)
  assert.deepEqual(await violationsOf(database, ids), [])
}

interface PostedSums {
  paymentId: number
  attemptId: number | null
  isPaid: boolean
  refunds: { charged: number; commission: number }
  receivable: number
  commission: number
  balance: number
  differences: number
}

/** The expected sums are computed here once more: the integrity checks use the functions that post. */
async function assertPostings(
  database: Sql,
  ids: readonly number[],
  attempts: readonly AttemptRow[],
): Promise<void> {
  const creditOf = (account: string) => sql`coalesce(sum(case ${account}::text
    when t.credit then t.amount when t.debit then -t.amount end), 0)::bigint`
  const payments =
    await database.many<PostedSums>(sql`select p.id as "paymentId", p.attempt_id as "attemptId",
      p.state in ('paid', 'partly_refunded', 'refunded') as "isPaid",
      (select json_build_object('charged', coalesce(sum(charged), 0), 'commission', coalesce(sum(commission), 0))
        from refunds r where r.merchant_id = p.merchant_id and r.payment_id = p.id and r.state = 'executed') as refunds,
      -${creditOf('receivable')} as receivable, ${creditOf('commission')} as commission,
      ${creditOf('balance')} as balance, ${creditOf('differences')} as differences
    from payments p left join ledger_transfers t on t.merchant_id = p.merchant_id and t.payment_id = p.id
    where p.id = any (${ids}) group by p.merchant_id, p.id`)
  assert.equal(payments.length, new Set(ids).size, 'each payment exists')
  for (const { paymentId, attemptId, isPaid, refunds, ...sums } of payments) {
    const by = isPaid ? attempts.find(({ id }) => id === attemptId) : undefined
    const receivable = by ? expectedAtBank(by, by.modifications).taken : 0
    const charged = by ? by.charged - refunds.charged : 0
    const commission = by ? by.commission - refunds.commission : 0
    const expected = {
      receivable,
      commission,
      balance: charged - commission,
      differences: receivable - charged,
    }
    assert.deepEqual(sums, expected, `sums of payment ${paymentId}`)
  }
}

/** Violations of the integrity checks by these payments. */
async function violationsOf(database: Sql, ids: readonly number[]): Promise<string[]> {
  const { merchantId } = await database.one<{ merchantId: number }>(
    sql`select distinct merchant_id as "merchantId" from payments where id = any (${ids})`,
  )
  const range = { merchantId, behind: Math.min(...ids) - 1, upTo: Math.max(...ids) }
  const found = await database.many<{ text: string }>(allChecks(range))
  const postings = postingViolations(await paymentsWithTransfersWithin(database, range))
  return [
    ...found.map(({ text }) => text),
    ...postings.flatMap(([what, violations]) =>
      violations.map(({ paymentId, detail }) => `payment ${paymentId} ${what}: ${detail}`),
    ),
  ]
}

/** All checks in one query, which is planned once: the time of a test with many steps depends on it. */
function allChecks(range: PaymentIdRange) {
  const checks = integrityChecks.map(
    ({ what, alias, paymentId, within, join: joined = empty, where, detail }) =>
      sql`select 'payment ' || ${alias}.${paymentId} || ' ' || ${what}::text || ': ' || (${detail}) as text from ${within(range)} ${joined} where ${where}`,
  )
  return ofMerchant(join(checks, ' union all '), range.merchantId)
}

interface AttemptRow extends BankAmounts {
  id: number
  state: string
  charged: number
  commission: number
  isDue: boolean
  needsReview: boolean
  modifications: ModificationRow[]
}

/**
 * Asserts that money at the bank belongs to an approved attempt, or to one that is due for inquiry or
 * reversal, or in manual review.
 */
function assertOwned(attempt: AttemptRow, line: ChargeSummary | undefined): void {
  const { state, isDue, needsReview } = attempt
  if ((line?.taken ?? 0) + (line?.held ?? 0) > 0)
    assert.ok(state === 'approved' || isDue || needsReview, `the bank has what is ${state}`)
  if (state === 'approved') assertHad(attempt, line)
}

/**
 * Asserts that the bank's amounts match the modifications. The bank may have made a requested one before we
 * know.
 */
function assertHad(attempt: AttemptRow, line: ChargeSummary | undefined): void {
  const { modifications } = attempt
  const variants = [modifications, ...(modifications.some(isOpen) ? completedVariants(modifications) : [])]
  const may = variants.map((done) => JSON.stringify(expectedAtBank(attempt, done)))
  const { held = 0, taken = 0, refunded = 0 } = line ?? {}
  const has = JSON.stringify({ held, taken, refunded })
  assert.ok(may.includes(has), `the bank has ${has}, which is none of ${may.join(', ')}`)
}

function isOpen({ state, isAsked }: ModificationRow): boolean {
  return state === 'doing' && isAsked
}

/** Modifications as they would be if the bank has made the requested ones. */
function completedVariants(modifications: readonly ModificationRow[]): ModificationRow[][] {
  return (['void', 'refund'] as const).map((operation) =>
    modifications.map((modification) =>
      isOpen(modification) ? { ...modification, state: 'done' as const, operation } : modification,
    ),
  )
}
