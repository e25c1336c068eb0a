import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { AttemptColumn } from './attempt.sql.ts'
import { attemptColumn, requireAttemptIn } from './attempt.sql.ts'
import type { Modification, ModificationKind, ModificationWithPayment } from './modification.ts'
import { modifications } from './modification.ts'
import type { PaymentColumn } from './payment.sql.ts'
import { paymentColumn, paymentIn } from './payment.sql.ts'
import type { PaymentState } from './states.ts'

const modificationColumns = sql`${modifications.columns('d')}, (select bank_amount from verifications v
  where v.merchant_id = d.merchant_id and v.id = d.id) as "bankAmountMinor"`

/** Sum that the bank refunded by other modifications. It can have changed since `d` began. */
const refundedByOthers = sql`(select coalesce(sum(coalesce(v.bank_amount, o.amount)), 0)::bigint from modifications o
    left join verifications v on v.merchant_id = o.merchant_id and v.id = o.id
  where o.merchant_id = d.merchant_id and o.payment_id = d.payment_id and o.kind = 'refund' and o.state = 'done'
    and o.id <> d.id) as "priorRefundedMinor"`

/** A modification with its payment and its attempt, all from the same moment. */
export async function modificationWithPaymentOf(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<ModificationWithPayment | undefined> {
  const row = await database.maybe<
    Modification & PaymentColumn & AttemptColumn
  >(sql`select ${modificationColumns}, ${refundedByOthers}, ${paymentColumn}, ${attemptColumn}
    from modifications d join payments p on p.merchant_id = d.merchant_id and p.id = d.payment_id
      join payment_attempts a on a.merchant_id = d.merchant_id and a.id = d.attempt_id
    where d.merchant_id = ${merchantId} and d.id = ${id}`)
  if (!row) return undefined
  const { payment: _payment, attempt: _attempt, ...modification } = row
  return { modification, attempt: requireAttemptIn(row), payment: paymentIn(row) }
}

/** All modifications of a payment, oldest first. */
export function modificationsOfPayment(database: Sql, { merchantId, id }: OwnedId): Promise<Modification[]> {
  return database.many(sql`select ${modificationColumns} from modifications d
    where d.merchant_id = ${merchantId} and d.payment_id = ${id} order by d.began_at, d.id`)
}

/** Due modifications of some kinds, longest due first, limited per POS. */
export function dueModificationIds(
  database: Sql,
  kinds: readonly ModificationKind[],
  now: Date,
  ofEachPos: number,
): Promise<(OwnedId & { posId: number })[]> {
  return database.many(sql`select merchant_id as "merchantId", id, pos_id as "posId" from (
      select merchant_id, id, pos_id, due_at, row_number() over (partition by pos_id order by due_at, id) as place
      from modifications where due_at <= ${now} and kind = any(${kinds}::text[])) due
    where place <= ${ofEachPos} order by due_at, id`)
}

/** Postpones a modification. If it began before `since`, it also needs manual review. */
export async function postponeModification(
  database: Sql,
  { merchantId, id }: OwnedId,
  { dueAt, now, since }: { dueAt: Date; now: Date; since: Date },
): Promise<void> {
  // A lease that lasts longer than this is kept.
  await database.run(sql`update modifications set due_at = greatest(due_at, ${dueAt}), needs_review_at =
      coalesce(needs_review_at, case when began_at < ${since} then ${now}::timestamptz end)
    where merchant_id = ${merchantId} and id = ${id} and due_at is not null`)
}

export function lockModificationPart({ merchantId, id, version }: Modification): SqlFragment {
  return sql`select merchant_id, payment_id from modifications
    where merchant_id = ${merchantId} and id = ${id} and version = ${version} for update`
}

/** Columns that a transition changes. */
const changing = modifications.pick(
  'state',
  'operation',
  'askedAt',
  'endedAt',
  'code',
  'message',
  'declineReason',
  'bankReferences',
  'dueAt',
  'tries',
  'needsReviewAt',
)

export function updateModificationPart(modification: Modification): SqlFragment {
  return sql`update modifications d set ${changing.assignments(modification)}, version = d.version + 1
    from transition where d.merchant_id = transition.merchant_id and d.id = ${modification.id}`
}

export function insertModificationPart(modification: Modification): SqlFragment {
  return sql`insert into modifications (${modifications.names})
    select ${modifications.values(modification)} from transition`
}

/**
 * Finds a modification by its id only, as operators name it. Merchants are few, and each is looked up by the
 * primary key.
 */
export function locateModification(
  database: Sql,
  id: number,
): Promise<(OwnedId & Pick<Modification, 'paymentId'>) | undefined> {
  return database.maybe(sql`select d.merchant_id as "merchantId", d.id, d.payment_id as "paymentId" from merchants m
    join modifications d on d.merchant_id = m.id and d.id = ${id}`)
}

/** An unsettled modification, with the data that a manual review needs. */
export interface UnsettledModification extends Modification {
  merchantName: string
  timeZone: string
  posName: string
  connector: string
  /** Reference of the charge at the bank. */
  reference: string
  instrumentMask: string | null
  currency: string
  paymentState: PaymentState
}

/** Modifications that need manual review, or all unsettled ones; oldest first. */
export function unsettledModifications(
  database: Sql,
  { isAll, limit }: { isAll: boolean; limit: number },
): Promise<UnsettledModification[]> {
  return database.many(sql`select ${modificationColumns}, m.name as "merchantName", m.time_zone as "timeZone",
      c.name as "posName", a.connector, a.reference, i.mask as "instrumentMask", a.currency,
      p.state as "paymentState"
    from modifications d
      join payments p on p.merchant_id = d.merchant_id and p.id = d.payment_id
      join payment_attempts a on a.merchant_id = d.merchant_id and a.id = d.attempt_id
      left join instruments i on i.merchant_id = a.merchant_id and i.fingerprint = a.instrument_fingerprint
      join pos_credentials c on c.merchant_id = d.merchant_id and c.id = d.pos_id
      join merchants m on m.id = d.merchant_id
    where ${isAll ? unsettled : needsReview} order by d.began_at, d.id limit ${limit}`)
}

export async function countUnsettledModifications(database: Sql, isAll: boolean): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    sql`select count(*)::int as count from modifications d where ${isAll ? unsettled : needsReview}`,
  )
  return count
}

const needsReview = sql`d.needs_review_at is not null`
const unsettled = sql`(${needsReview} or d.due_at is not null)`

/**
 * Counts the open modifications and those in manual review, and finds the start of the oldest. A modification
 * that waits for the end of the bank's day does not count as old.
 */
export function unsettledModificationStats(
  database: Sql,
): Promise<{ doing: number; inManualReview: number; oldestBeganAt: Date | null }> {
  return database.one(sql`select count(*)::int as doing,
      count(*) filter (where needs_review_at is not null)::int as "inManualReview",
      min(began_at) filter (where decline_reason is distinct from 'not_settled_yet') as "oldestBeganAt"
    from modifications where due_at is not null`)
}

/** Makes modifications due whose due time is beyond the longest wait. Returns their number. */
export function resetModificationDueTimesAfter(database: Sql, now: Date, latest: Date): Promise<number> {
  return database.run(sql`update modifications set due_at = ${now} where due_at > ${latest}`)
}
