import type { Insert, Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { AttemptColumn } from './attempt.sql.ts'
import { attemptColumn, requireAttemptIn } from './attempt.sql.ts'
import { modificationsOfPayment } from './modification.sql.ts'
import type { PaymentColumn } from './payment.sql.ts'
import { paymentColumn, paymentIn } from './payment.sql.ts'
import type {
  Verification,
  VerificationKind,
  VerificationState,
  VerificationWithPayment,
} from './verification.ts'
import { inquiryLimits, verifications } from './verification.ts'

const columns = verifications.columns('v')

/**
 * An approval with its payment, its attempt and all modifications of the charge. The payment is read first: a
 * later modification changes it, and then a decision based on this read is not written.
 */
export async function verificationWithPaymentOf(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<VerificationWithPayment | undefined> {
  const row = await database.maybe<
    Verification & PaymentColumn & AttemptColumn
  >(sql`select ${columns}, ${paymentColumn}, ${attemptColumn(sql`${merchantId}`)}
    from verifications v join payments p on p.merchant_id = ${merchantId} and p.id = v.payment_id
      join payment_attempts a on a.merchant_id = ${merchantId} and a.id = v.attempt_id
    where v.merchant_id = ${merchantId} and v.id = ${id}`)
  if (!row) return undefined
  const { payment: _payment, attempt: _attempt, ...verification } = row
  const attempt = requireAttemptIn(row)
  const payment = paymentIn(row)
  const modifications = await modificationsOfPayment(database, payment)
  return { payment, attempt, modifications, verification }
}

/** All verifications of a payment, oldest first. */
export function verificationsOfPayment(database: Sql, { merchantId, id }: OwnedId): Promise<Verification[]> {
  return database.many(sql`select ${columns} from verifications v
    where v.merchant_id = ${merchantId} and v.payment_id = ${id} order by v.approved_at, v.id`)
}

/**
 * Due times of approvals until a time, one of each POS: that of the approval that is verified first, or the end of
 * the pause.
 */
export function dueVerificationTimes(until: Date): SqlFragment {
  return sql`select p.merchant_id, greatest(v.due_at, p.paused_until) as due_at
    from inquiry_limits p cross join lateral (select due_at from verifications
      where merchant_id = p.merchant_id and pos_id = p.pos_id and state = 'unverified' and due_at <= ${until}
      order by tries, amount desc, id limit 1) as v
    where p.paused_until is null or p.paused_until <= ${until}`
}

/**
 * Due approvals of each POS whose inquiries are not paused: fewest unsuccessful inquiries first, then the
 * largest amounts. An approval that a bank can never explain therefore delays no other.
 */
export function dueVerificationIds(
  database: Sql,
  now: Date,
  maxPerPos: number,
): Promise<(OwnedId & { posId: number })[]> {
  return database.many(sql`select v.merchant_id as "merchantId", v.id, v.pos_id as "posId"
    from inquiry_limits p cross join lateral (select merchant_id, id, pos_id from verifications
      where merchant_id = p.merchant_id and pos_id = p.pos_id and state = 'unverified' and due_at <= ${now}
      order by tries, amount desc, id limit ${maxPerPos}) as v
    where p.paused_until is null or p.paused_until <= ${now}`)
}

/**
 * Part of the query that records an inquiry: counts it against the limit of the POS. Selects nothing, so that
 * nothing is written, if the limit of this second is reached or inquiries are paused. After a failure the
 * limit is one per second.
 */
export function consumeInquiryRateLimitPart(
  { merchantId, posId }: Verification,
  { now, perSecond }: InquiryRateLimitInput,
): SqlFragment {
  const second = secondOf(now)
  return sql`update inquiry_limits set second = ${second},
      inquiries = case when second = ${second} then inquiries + 1 else 1 end
    where merchant_id = ${merchantId} and pos_id = ${posId} and (second <> ${second} or inquiries < ${perSecond} and failures = 0)
      and (paused_until is null or paused_until <= ${now}) and exists (select from locked_verification)
    returning pos_id`
}

/** Time of an inquiry, and inquiries allowed per second and POS. */
export interface InquiryRateLimitInput {
  now: Date
  perSecond: number
}

/** Records a failed inquiry of a POS and pauses its inquiries. The pause grows with each failure in a row. */
export async function startPosInquiryPause(
  database: Sql,
  { merchantId, posId }: Pick<Verification, 'merchantId' | 'posId'>,
  now: Date,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): Promise<void> {
  // Adding an interval to a time is not immutable, and Citus refuses that for a column in an update.
  await database.run(sql`update inquiry_limits set failures = failures + 1, paused_until = to_timestamp(
      (${now.getTime()} + least(${longestMs}, ${firstMs} * power(2, least(failures, 20)))) / 1000)
    where merchant_id = ${merchantId} and pos_id = ${posId} and (paused_until is null or paused_until <= ${now})`)
}

/** Records that an inquiry of a POS was answered. */
export async function endPosInquiryPause(
  database: Sql,
  { merchantId, posId }: Pick<Verification, 'merchantId' | 'posId'>,
): Promise<void> {
  await database.run(sql`update inquiry_limits set failures = 0, paused_until = null
    where merchant_id = ${merchantId} and pos_id = ${posId} and failures > 0`)
}

/** Makes the unverified approvals of a payment due. Returns the number of those of the kind. */
export async function makePaymentVerificationsDue(
  database: Sql,
  { merchantId, id }: OwnedId,
  kind: VerificationKind,
  now: Date,
): Promise<number> {
  const due = await database.many(sql`update verifications set due_at = least(due_at, ${now})
    where merchant_id = ${merchantId} and payment_id = ${id} and kind = ${kind} and state = 'unverified' returning id`)
  return due.length
}

/** Columns that a transition changes. */
export const changingVerificationColumns = verifications.pick(
  'state',
  'bankAmountMinor',
  'endedAt',
  'source',
  'dueAt',
  'tries',
  'needsReviewAt',
)

export function insertVerificationPart(verification: Verification): Insert {
  return verifications.insert(verification)
}

/** Creates the rate limit row of a POS with its first approval to verify. */
export function insertInquiryRateLimitRowPart({ merchantId, posId, approvedAt }: Verification): Insert {
  const row = {
    merchantId,
    posId,
    second: secondOf(approvedAt),
    inquiries: 0,
    failures: 0,
    pausedUntil: null,
  }
  return inquiryLimits.insert(row, sql`on conflict (merchant_id, pos_id) do nothing`)
}

function secondOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000)
}

/** Part of a transition: marks the payment's differences as settled. */
export function markDifferencesSettledPart(payment: OwnedId): SqlFragment {
  return sql`update verifications set state = 'settled', version = version + 1, needs_review_at = null
    where merchant_id = ${payment.merchantId} and ${isDifferenceOf(payment)}`
}

/** Part of a transition: marks the payment's differences as decided, while the bank executes the decision. */
export function markDifferencesDecidedPart(payment: OwnedId): SqlFragment {
  return sql`update verifications set version = version + 1, needs_review_at = null
    where merchant_id = ${payment.merchantId} and ${isDifferenceOf(payment)}`
}

/** Part of a transition: the decision failed, so the payment's differences need manual review again. */
export function markDifferencesUndecidedPart(payment: OwnedId, now: Date): SqlFragment {
  return sql`update verifications set version = version + 1, needs_review_at = ${now}
    where merchant_id = ${payment.merchantId} and ${isDifferenceOf(payment)} and needs_review_at is null`
}

function isDifferenceOf({ id }: OwnedId): SqlFragment {
  return sql`payment_id = ${id} and state = 'differs' and exists (select from transition)`
}

interface VerificationStats {
  unverified: number
  oldestApprovedAt: Date | null
  inManualReview: number
  differing: number
}

/** Counts the approvals that are unverified, in manual review or differing, and finds the oldest. */
export function verificationStats(database: Sql): Promise<VerificationStats> {
  return database.one(sql`select count(*) filter (where v.state = 'unverified')::int as unverified,
      min(v.approved_at) filter (where v.state = 'unverified') as "oldestApprovedAt",
      count(*) filter (where v.needs_review_at is not null)::int as "inManualReview",
      count(*) filter (where v.state = 'differs' and v.needs_review_at is not null)::int as differing
    from verifications v where v.state in ('unverified', 'differs')`)
}

/**
 * Records that a bank's statement confirms these approvals. Returns the number that were unverified until
 * then.
 */
export async function markVerifiedByStatement(
  database: Sql,
  merchantId: number,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  const verified = await database.many(sql`update verifications set state = 'verified', version = version + 1,
      ended_at = ${now}, source = 'statement', due_at = null, needs_review_at = null
    where merchant_id = ${merchantId} and id = any(${ids}::bigint[]) and state = 'unverified' returning id`)
  return verified.length
}

/** Counts, by state, the approvals whose amount the bank's answer did not name. */
export async function countVerificationsByState(
  database: Sql,
): Promise<Readonly<Record<VerificationState, number>>> {
  const rows = await database.many<{ state: VerificationState; count: number }>(
    sql`select state, count(*)::int as count from verifications group by state`,
  )
  const none = { unverified: 0, verified: 0, differs: 0, settled: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
}

/** Ends pauses of inquiries beyond the longest pause. Returns their number. */
export function endOverlongPosInquiryPauses(database: Sql, now: Date, latest: Date): Promise<number> {
  return database.run(sql`update inquiry_limits set paused_until = ${now} where paused_until > ${latest}`)
}
