import assert from 'node:assert/strict'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { ChargeSummary } from '../../sandbox/index.ts'
import { attemptIdOf } from '../harness/bank.ts'
import type { BankAmounts, ModificationRow } from './bank-differences.ts'
import {
  bankAmountColumns,
  expectedAtBank,
  impliesApproval,
  isHeld,
  isPaid,
  modificationsColumn,
} from './bank-differences.ts'

interface PaymentRow {
  state: string
  preAuth: boolean
  attemptId: number | null
  attemptCount: number
  eventCount: number
  isDue: boolean
  isEnded: boolean
  resolution: 'capture' | 'release' | null
  isResolvedBySomebody: boolean
  amount: number
  refunded: number
  refundId: number | null
}

interface AttemptRow extends BankAmounts {
  id: number
  number: number
  state: string
  charged: number
  commission: number
  isDue: boolean
  needsReview: boolean
  hasCard: boolean
  modifications: ModificationRow[]
}

interface RefundRow {
  id: number
  state: string
  amount: number
  charged: number
  commission: number
}

/**
 * Asserts the invariants of a payment, which hold at any moment, also during work. Throws at the first
 * violation.
 */
export async function assertInvariants(
  database: Sql,
  book: readonly ChargeSummary[],
  id: number,
): Promise<void> {
  const payment =
    await database.one<PaymentRow>(sql`select state, pre_auth as "preAuth", attempt_id as "attemptId",
      attempt_count as "attemptCount", event_count as "eventCount", due_at is not null as "isDue",
      ended_at is not null as "isEnded", resolution,
      resolved_by is not null and resolved_at is not null as "isResolvedBySomebody", amount, refunded, refund_id as "refundId"
    from payments where id = ${id}`)
  const attempts =
    await database.many<AttemptRow>(sql`select id, number, state, pre_auth as "preAuth", charged,
      ${bankAmountColumns}, commission, due_at is not null as "isDue", needs_review_at is not null as "needsReview",
      exists (select from sealed_cards c where c.attempt_id = a.id) as "hasCard", ${modificationsColumn}
    from payment_attempts a where payment_id = ${id} order by number`)
  const refunds =
    await database.many<RefundRow>(sql`select id, state, amount, charged, commission from refunds
    where payment_id = ${id} order by requested_at, id`)
  assertAttempts(payment, attempts)
  for (const attempt of attempts)
    assertOwned(
      attempt,
      book.find((line) => attemptIdOf(line) === String(attempt.id)),
    )
  const modifications = attempts.flatMap((attempt) => attempt.modifications)
  assertResolved(payment, modifications)
  const { hasDifference } = await database.one<{
    hasDifference: boolean
  }>(sql`select exists (select from verifications
    where payment_id = ${id} and bank_amount is not null) as "hasDifference"`)
  assertRefunds(payment, modifications, refunds, hasDifference)
  await assertEvents(database, payment, refunds, id)
  await assertPostings(database, id, {
    by: isPaid(payment.state) ? attempts.find((attempt) => attempt.id === payment.attemptId) : undefined,
    refunds: refunds.filter(({ state }) => state === 'executed'),
  })
}

/** True if the outcome of the payment is known; a hold is an outcome. */
function hasOutcome(state: string): boolean {
  return isPaid(state) || isHeld(state) || state === 'failed' || state === 'expired'
}

function assertAttempts(payment: PaymentRow, attempts: readonly AttemptRow[]): void {
  assert.deepEqual(
    attempts.map(({ number }) => number),
    attempts.map((_, index) => index + 1),
  )
  assert.equal(attempts.length, payment.attemptCount)
  assert.ok(attempts.length <= 5, 'at most five attempts')
  const approved = attempts.filter(({ state }) => state === 'approved').map((each) => each.id)
  assert.deepEqual(
    approved,
    impliesApproval(payment) ? [payment.attemptId] : [],
    'a payment is taken by one attempt',
  )
  const current = attempts.find((attempt) => attempt.id === payment.attemptId)
  if (payment.state.endsWith('ing') && !isHeld(payment.state)) assert.equal(current?.state, payment.state)
  else assert.ok(!attempts.some(({ state }) => state === 'authenticating' || state === 'authorizing'))
  // A hold can have a deadline.
  if (payment.state !== 'held')
    assert.equal(payment.isDue, payment.state === 'open' || payment.state === 'authenticating')
  assert.equal(payment.isEnded, hasOutcome(payment.state))
}

/**
 * Asserts that money at the bank belongs to an approved attempt, or to one that is due for inquiry or
 * reversal, or in manual review. A stored card belongs to an attempt in authentication.
 */
function assertOwned(attempt: AttemptRow, line: ChargeSummary | undefined): void {
  const { state, isDue, hasCard, modifications } = attempt
  if (state === 'authorizing' || state === 'reversing') assert.ok(isDue, `${state} is owned`)
  if ((line?.taken ?? 0) + (line?.held ?? 0) > 0)
    assert.ok(state === 'approved' || isDue || attempt.needsReview, `the bank has what is ${state}`)
  if (hasCard) assert.equal(state, 'authenticating')
  if (state === 'approved') assertHad(attempt, line)
  else assert.deepEqual(modifications, [], 'only an approved attempt has modifications')
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

/** Asserts the modifications that a pre-authorization must have in its state. */
function assertResolved(
  { state, preAuth, resolution, ...payment }: PaymentRow,
  all: readonly ModificationRow[],
): void {
  assert.equal(payment.isResolvedBySomebody, resolution !== null, 'who resolved it is known')
  if (resolution) assert.ok(preAuth)
  for (const modification of all)
    assert.equal(modification.isDue, modification.state === 'doing', 'an unfinished modification is due')
  const modifications = all
    .filter(({ kind }) => kind !== 'refund')
    .map((modification) => `${modification.kind} ${modification.state}`)
  const afterRefusal = ['capture refused,release doing', 'capture refused,release done']
  const allowed: Record<string, readonly string[]> = {
    'capturing capture': ['capture doing'],
    'releasing release': ['release doing'],
    'paid capture': ['capture done'],
    'partly_refunded capture': ['capture done'],
    'refunded capture': ['capture done'],
    'failed release': ['release done'],
    'failed capture': afterRefusal,
  }
  assert.ok(
    (allowed[`${state} ${resolution}`] ?? ['']).includes(modifications.join()),
    `${state}: ${modifications.join()}`,
  )
  assert.equal(preAuth && isPaid(state), resolution === 'capture' && isPaid(state))
}

/**
 * Asserts that at most one refund is open and its payment names it, and that each refund has the modification
 * of its state.
 */
function assertRefunds(
  { state: paymentState, amount, refunded, refundId }: PaymentRow,
  all: readonly ModificationRow[],
  refunds: readonly RefundRow[],
  hasDifference: boolean,
): void {
  const given = refunds.filter(({ state }) => state === 'executed')
  assert.equal(
    refunded,
    given.reduce((sum, { amount }) => sum + amount, 0),
  )
  if (isPaid(paymentState))
    assert.equal(paymentState, refunded === 0 ? 'paid' : refunded < amount ? 'partly_refunded' : 'refunded')
  const open = refunds.filter(({ state }) => state === 'under_review' || state === 'approved')
  assert.deepEqual(
    open.map(({ id }) => id),
    refundId === null ? [] : [refundId],
    'one refund at a time is open',
  )
  const modifications = all.filter(({ kind }) => kind === 'refund')
  const states: Record<string, string[]> = { approved: ['doing'], executed: ['done'], failed: ['refused'] }
  for (const { id, state, charged } of refunds) {
    const own = modifications.filter((modification) => modification.refundId === id)
    assert.deepEqual(
      own.map((modification) => modification.state),
      states[state] ?? [],
      `a refund that is ${state}`,
    )
    for (const modification of own) if (!hasDifference) assert.equal(modification.amount, charged)
  }
  // The modification that returns a surplus has no refund.
  assert.ok(
    modifications.every(
      ({ refundId: of }) => refunds.some(({ id }) => id === of) || (hasDifference && of === null),
    ),
  )
}

/** Events that a payment must have by now, in this order. */
function expectedEventsOf(
  { state, preAuth, resolution }: Pick<PaymentRow, 'state' | 'preAuth' | 'resolution'>,
  refunds: readonly Pick<RefundRow, 'state'>[],
): string[] {
  return [
    ...outcomeEvents(state, preAuth, resolution !== null),
    ...refunds.flatMap((refund) => ['refund.created', ...refundEvents(refund)]),
  ]
}

/** True for an event about a difference, which can occur at any time. */
function isDifferenceEvent(kind: string): boolean {
  return kind.endsWith('.amount_differs')
}

function outcomeEvents(state: string, preAuth: boolean, isResolved: boolean): string[] {
  if (isHeld(state)) return ['payment.pre_authorized']
  if (isPaid(state)) return preAuth ? ['payment.pre_authorized', 'pre_auth.completed'] : ['payment.succeeded']
  if (state === 'failed')
    return isResolved ? ['payment.pre_authorized', 'pre_auth.failed'] : ['payment.failed']
  return state === 'expired' ? ['payment.expired'] : []
}

function refundEvents({ state }: Pick<RefundRow, 'state'>): string[] {
  return state === 'under_review' || state === 'approved' ? [] : [`refund.${state}`]
}

async function assertEvents(
  database: Sql,
  payment: PaymentRow,
  refunds: readonly RefundRow[],
  id: number,
): Promise<void> {
  const events = await database.many<{ kind: string; number: number }>(
    sql`select kind, number from events where payment_id = ${id} order by number`,
  )
  const kinds = events.map(({ kind }) => kind).filter((kind) => !isDifferenceEvent(kind))
  assert.deepEqual(
    kinds,
    expectedEventsOf(payment, refunds),
    'each outcome has one event, and there is no other',
  )
  assert.deepEqual(
    events.map(({ number }) => number),
    events.map((_, index) => index + 1),
  )
  const { differenceCount } = await database.one<{
    differenceCount: number
  }>(sql`select count(*)::int as "differenceCount" from verifications
    where payment_id = ${id} and bank_amount is not null`)
  assert.equal(events.length - kinds.length, differenceCount, 'each difference has one event')
  assert.equal(payment.eventCount, events.length)
}

async function assertPostings(
  database: Sql,
  id: number,
  { by, refunds }: { by: AttemptRow | undefined; refunds: readonly RefundRow[] },
): Promise<void> {
  const sums = await database.one<Record<'receivable' | 'commission' | 'balance' | 'differences', number>>(
    sql`select
        coalesce(sum(case 'differences' when credit then amount when debit then -amount end), 0)::bigint as differences,
        coalesce(sum(case 'receivable' when debit then amount when credit then -amount end), 0)::bigint as receivable,
        coalesce(sum(case 'commission' when credit then amount when debit then -amount end), 0)::bigint as commission,
        coalesce(sum(case 'balance' when credit then amount when debit then -amount end), 0)::bigint as balance
      from ledger_transfers where payment_id = ${id}`,
  )
  const left = (of: 'charged' | 'commission') =>
    refunds.reduce((sum, refund) => sum - refund[of], by?.[of] ?? 0)
  const [ours, commission] = [left('charged'), left('commission')]
  const receivable = by ? expectedAtBank(by, by.modifications).taken : 0
  const differences = receivable - ours
  assert.deepEqual(sums, { receivable, commission, balance: ours - commission, differences })
}
