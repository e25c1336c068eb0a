import type { Insert, Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Services } from '../../services.ts'
import type { Attempt, AttemptWithPayment } from './attempt.ts'
import { attempts } from './attempt.ts'
import { instruments, instrumentsOfAttempts } from './instrument.ts'
import type { PaymentColumn } from './payment.sql.ts'
import { paymentColumn, paymentIn } from './payment.sql.ts'
import type { Payment } from './payment.ts'

/** Column of a query in which `a` is a merchant's attempt, if there is one: the attempt and its instrument. */
export function attemptColumn(merchantId: SqlFragment): SqlFragment {
  return sql`(select json_build_array(${attempts.packed('a')}, ${instrumentsOfAttempts.packed('i')})
    from instruments i where i.merchant_id = ${merchantId} and i.fingerprint = a.instrument_fingerprint) as attempt`
}

/** Row with `attemptColumn`. */
export interface AttemptColumn {
  attempt: [attempt: unknown[], instrument: unknown[]] | null
}

export function attemptIn({ attempt }: AttemptColumn): Attempt | undefined {
  if (!attempt) return undefined
  const { instrumentFingerprint: _, ...row } = attempts.unpack(attempt[0])
  return { ...row, instrument: instrumentsOfAttempts.unpack(attempt[1]) }
}

/** The attempt of a query that selects from attempts. Without its instrument it must not pass for absent. */
export function requireAttemptIn(row: AttemptColumn): Attempt {
  const attempt = attemptIn(row)
  if (!attempt) throw new Error('an attempt has lost its instrument: run vezne ledger check')
  return attempt
}

/** An attempt with its payment, both from the same moment. */
export function attemptWithPaymentOf(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<AttemptWithPayment | undefined> {
  return attemptWithPaymentWhere(database, merchantId, sql`a.id = ${id}`)
}

/** The attempt that this submission began, with its payment. */
export function attemptWithPaymentBySubmission(
  database: Sql,
  { merchantId, id }: OwnedId,
  submission: string,
): Promise<AttemptWithPayment | undefined> {
  return attemptWithPaymentWhere(
    database,
    merchantId,
    sql`a.payment_id = ${id} and a.submission = ${submission}`,
  )
}

async function attemptWithPaymentWhere(
  database: Sql,
  merchantId: number,
  condition: SqlFragment,
): Promise<AttemptWithPayment | undefined> {
  const row = await database.maybe<
    AttemptColumn & PaymentColumn
  >(sql`select ${attemptColumn(sql`${merchantId}`)}, ${paymentColumn}
    from payment_attempts a join payments p on p.merchant_id = ${merchantId} and p.id = a.payment_id
    where a.merchant_id = ${merchantId} and ${condition}`)
  return row && { attempt: requireAttemptIn(row), payment: paymentIn(row) }
}

/** Inserts the instrument unless the merchant knows it. A brand that was unknown until now is added. */
export function insertInstrumentPart({ merchantId, instrument, beganAt }: Attempt): Insert {
  return instruments.insert(
    { ...instrument, merchantId, createdAt: beganAt },
    sql`on conflict (merchant_id, fingerprint) do update set brand = excluded.brand
      where instruments.brand is null and excluded.brand is not null`,
  )
}

export function insertAttemptPart(attempt: Attempt): Insert {
  return attempts.insert({ ...attempt, instrumentFingerprint: attempt.instrument.fingerprint })
}

/** Columns that a transition changes. */
export const changingAttemptColumns = attempts.pick(
  'state',
  'askedAt',
  'endedAt',
  'code',
  'message',
  'declineReason',
  'bankReferences',
  'dueAt',
  'tries',
  'needsReviewAt',
  'bankChargedMinor',
)

/** Counts the unsettled attempts and those in manual review, and finds the time of the oldest. */
export async function unsettledAttemptStats(
  database: Sql,
): Promise<{ unknown: number; inManualReview: number; oldestAskedAt: Date | null }> {
  return database.one(sql`select count(*) filter (where state in ('authorizing', 'reversing'))::int as unknown,
      count(*) filter (where needs_review_at is not null)::int as "inManualReview",
      min(asked_at) filter (where state in ('authorizing', 'reversing')) as "oldestAskedAt"
    from payment_attempts where due_at is not null or needs_review_at is not null`)
}

/** Makes attempts due whose due time is beyond the longest wait of their state. Returns their number. */
export function resetAttemptDueTimesAfter(
  database: Sql,
  now: Date,
  latest: { authorizing: Date; reversing: Date; other: Date },
): Promise<number> {
  const earliest = new Date(Math.min(...Object.values(latest).map((at) => at.getTime())))
  return database.run(sql`update payment_attempts set due_at = ${now} where due_at > ${earliest} and due_at > case state
    when 'authorizing' then ${latest.authorizing}::timestamptz when 'reversing' then ${latest.reversing}::timestamptz
    else ${latest.other}::timestamptz end`)
}

/** The approved attempt of a payment, which charged or holds its amount. */
export async function requireApprovedAttempt(
  { sql: database }: Pick<Services, 'sql'>,
  { merchantId, attemptId }: Pick<Payment, 'merchantId' | 'attemptId'>,
): Promise<Attempt> {
  const attempt =
    attemptId === null ? undefined : await attemptById({ sql: database }, { merchantId, attemptId })
  if (attempt?.state !== 'approved') throw new Error('what is paid or held was approved')
  return attempt
}

/** An attempt in its current state. */
export async function attemptById(
  { sql: database }: Pick<Services, 'sql'>,
  { merchantId, attemptId }: { merchantId: number; attemptId: number },
): Promise<Attempt | undefined> {
  return (await attemptWithPaymentOf(database, { merchantId, id: attemptId }))?.attempt
}
