import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import { attemptFromJsonColumn, attemptJsonColumn } from './attempt.sql.ts'
import type { Modification, ModificationKind, ModificationWithPayment } from './modification.ts'
import type { PackedPayment } from './payment.sql.ts'
import { packedPaymentColumn, unpackPayment } from './payment.sql.ts'
import type { PaymentState } from './states.ts'

const modificationColumns = sql`d.merchant_id as "merchantId", d.id, d.payment_id as "paymentId", d.attempt_id as "attemptId",
  d.pos_id as "posId", d.kind, d.refund_id as "refundId", d.amount as "amountMinor", d.prior_refunded as "priorRefundedMinor",
  d.state, d.version, d.operation, d.began_at as "beganAt", d.asked_at as "askedAt", d.ended_at as "endedAt", d.code, d.message,
  d.decline_reason as "declineReason", d.bank_references as "bankReferences", d.due_at as "dueAt", d.tries,
  d.needs_review_at as "needsReviewAt", (select bank_amount from verifications v
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
    Modification & PackedPayment & { attempt: object | null }
  >(sql`select ${modificationColumns}, ${refundedByOthers}, ${packedPaymentColumn}, ${attemptJsonColumn}
    from modifications d join payments p on p.merchant_id = d.merchant_id and p.id = d.payment_id
      join payment_attempts a on a.merchant_id = d.merchant_id and a.id = d.attempt_id
    where d.merchant_id = ${merchantId} and d.id = ${id}`)
  if (!row) return undefined
  const { packed, attempt: attemptRow, ...modification } = row
  const attempt = attemptFromJsonColumn({ attempt: attemptRow })
  return attempt && { modification, attempt, payment: unpackPayment({ packed }) }
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

export function updateModificationPart(d: Modification): SqlFragment {
  return sql`update modifications d set state = ${d.state}, version = d.version + 1, operation = ${d.operation}, asked_at = ${d.askedAt},
      ended_at = ${d.endedAt}, code = ${d.code}, message = ${d.message}, decline_reason = ${d.declineReason},
      bank_references = ${d.bankReferences && JSON.stringify(d.bankReferences)}, due_at = ${d.dueAt},
      tries = ${d.tries}, needs_review_at = ${d.needsReviewAt}
    from transition where d.merchant_id = transition.merchant_id and d.id = ${d.id}`
}

export function insertModificationPart(d: Modification): SqlFragment {
  return sql`insert into modifications (merchant_id, id, payment_id, attempt_id, pos_id, kind, refund_id, amount, prior_refunded, state,
      version, began_at, due_at, tries)
    select merchant_id, ${d.id}::bigint, id, ${d.attemptId}::bigint, ${d.posId}::bigint, ${d.kind}::text,
      ${d.refundId}::bigint, ${d.amountMinor}::bigint, ${d.priorRefundedMinor}::bigint, ${d.state}::text, ${d.version}::int,
      ${d.beganAt}::timestamptz, ${d.dueAt}::timestamptz, ${d.tries}::int from transition`
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
  instrumentMask: string
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
      join instruments i on i.merchant_id = a.merchant_id and i.fingerprint = a.instrument_fingerprint
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
