import type { Insert, Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { AttemptColumn } from './attempt.sql.ts'
import { attemptColumn, requireAttemptIn } from './attempt.sql.ts'
import type { DueWorkId } from './bank-work.sql.ts'
import { dueWorkIds, dueWorkTimes, modificationTable } from './bank-work.sql.ts'
import type { Modification, ModificationKind, ModificationWithPayment } from './modification.ts'
import { modifications } from './modification.ts'
import type { PaymentColumn } from './payment.sql.ts'
import { paymentColumn, paymentIn } from './payment.sql.ts'

function modificationColumns(merchantId: number): SqlFragment {
  return sql`${modifications.columns('d')}, (select bank_amount from verifications v
    where v.merchant_id = ${merchantId} and v.id = d.id) as "bankAmountMinor"`
}

/** Sum that the bank refunded by other modifications. It can have changed since `d` began. */
function refundedByOthers(merchantId: number): SqlFragment {
  return sql`(select coalesce(sum(coalesce(v.bank_amount, o.amount)), 0)::bigint from modifications o
      left join verifications v on v.merchant_id = ${merchantId} and v.id = o.id
    where o.merchant_id = ${merchantId} and o.payment_id = d.payment_id and o.kind = 'refund' and o.state = 'done'
      and o.id <> d.id) as "priorRefundedMinor"`
}

/** A modification with its payment and its attempt, all from the same moment. */
export async function modificationWithPaymentOf(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<ModificationWithPayment | undefined> {
  const row = await database.maybe<
    Modification & PaymentColumn & AttemptColumn
  >(sql`select ${modificationColumns(merchantId)}, ${refundedByOthers(merchantId)}, ${paymentColumn},
      ${attemptColumn(sql`${merchantId}`)}
    from modifications d join payments p on p.merchant_id = ${merchantId} and p.id = d.payment_id
      join payment_attempts a on a.merchant_id = ${merchantId} and a.id = d.attempt_id
    where d.merchant_id = ${merchantId} and d.id = ${id}`)
  if (!row) return undefined
  const { payment: _payment, attempt: _attempt, ...modification } = row
  return { modification, attempt: requireAttemptIn(row), payment: paymentIn(row) }
}

/** All modifications of a payment, oldest first. */
export function modificationsOfPayment(database: Sql, { merchantId, id }: OwnedId): Promise<Modification[]> {
  return database.many(sql`select ${modificationColumns(merchantId)} from modifications d
    where d.merchant_id = ${merchantId} and d.payment_id = ${id} order by d.began_at, d.id`)
}

/** Due modifications of some kinds, longest due first, limited per POS. */
export function dueModificationIds(
  database: Sql,
  kinds: readonly ModificationKind[],
  now: Date,
  ofEachPos: number,
): Promise<DueWorkId[]> {
  return dueWorkIds(database, modificationTable, now, ofEachPos, isOfKind(kinds))
}

export function dueModificationTimes(kinds: readonly ModificationKind[], until: Date): SqlFragment {
  return dueWorkTimes(modificationTable, until, isOfKind(kinds))
}

function isOfKind(kinds: readonly ModificationKind[]): SqlFragment {
  return sql`kind = any(${kinds}::text[])`
}

/** Columns that a transition changes. */
export const changingModificationColumns = modifications.pick(
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

export function insertModificationPart(modification: Modification): Insert {
  return modifications.insert(modification)
}

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
