import assert from 'node:assert/strict'
import type { Sql } from '../../kit/runtime/sql.ts'
import { empty, join, sql } from '../../kit/runtime/sql.ts'
import type { ChargeSummary } from '../../sandbox/index.ts'
import { integrityChecks } from '../../server/integrity/check-integrity.ts'
import { paymentsWithTransfersWithin } from '../../server/integrity/postings.sql.ts'
import { postingViolations } from '../../server/integrity/postings.ts'
import type { PaymentIdRange } from '../../server/ledger/index.ts'
import { attemptIdOf } from '../harness/bank.ts'
import type { BankAmounts, ModificationRow } from './bank-differences.ts'
import { bankAmountColumns, expectedAtBank, modificationsColumn } from './bank-differences.ts'

/**
 * Asserts the invariants of payments of one merchant, which hold at any moment, also during work: the checks of
 * `vezne ledger check` find nothing, and money at the bank has an owner.
 */
export async function assertInvariants(
  database: Sql,
  book: readonly ChargeSummary[],
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  assert.deepEqual(await violationsOf(database, ids), [])
  const attempts =
    await database.many<AttemptRow>(sql`select id, state, pre_auth as "preAuth", ${bankAmountColumns},
      due_at is not null as "isDue", needs_review_at is not null as "needsReview", ${modificationsColumn}
    from payment_attempts a where payment_id = any (${ids})`)
  const lines = new Map(book.map((line) => [attemptIdOf(line), line]))
  for (const attempt of attempts) assertOwned(attempt, lines.get(String(attempt.id)))
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
  return join(checks, ' union all ')
}

interface AttemptRow extends BankAmounts {
  id: number
  state: string
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
