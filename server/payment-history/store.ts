import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { OwnedId } from '../database/owned-id.ts'
import { events } from '../events/index.ts'
import { ledgerTransfers } from '../ledger/index.ts'
import type { PaymentState } from '../payments/for-payment-history.ts'
import { attempts, bankCalls, payments } from '../payments/for-payment-history.ts'
import { refunds } from '../refunds/index.ts'

/** Filters of payments. A payment must match all that are given. */
export interface PaymentFilters {
  merchantId: number
  states: readonly PaymentState[]
  currency?: string | undefined
  amountMinor?: number | undefined
  createdFrom?: Date | undefined
  createdBefore?: Date | undefined
  customerId?: number | undefined
  /** LIKE pattern for the masked number of one of the payment's cards. */
  card?: string | undefined
  /** The POS of one of its attempts. */
  posId?: number | undefined
}

/** A payment as a line of a list, with the card, the POS and the bank's code of its last attempt. */
export interface ListedPayment {
  id: number
  createdAt: Date
  state: PaymentState
  amountMinor: number
  currency: string
  installmentCount: number
  customerId: number | null
  card: string | null
  pos: string | null
  code: string | null
}

/** Bounds of a slice of a merchant's payments, read backwards. */
export interface PaymentSliceBounds {
  before: number
  size: number
}

/**
 * Matching payments of a slice, newest first, and the id at which the slice ends; null if it is the last
 * slice. The query uses only the primary key: another index would slow down every payment.
 */
export async function matchingPaymentsInSlice(
  database: Sql,
  filters: PaymentFilters,
  { before, size }: PaymentSliceBounds,
  limit: number,
): Promise<{ payments: ListedPayment[]; end: number | null }> {
  const { merchantId } = filters
  const { end } = await database.one<{ end: number | null }>(sql`select
    (select id from payments where merchant_id = ${merchantId} and id < ${before}::bigint
      order by id desc offset ${size - 1} limit 1) as end`)
  const payments = await database.many<ListedPayment>(
    unprepared(sql`select p.id, p.created_at as "createdAt", p.state, p.amount as "amountMinor", p.currency,
        p.installment_count as "installmentCount", p.customer_id as "customerId", i.mask as card, c.name as pos,
        a.code
      from (select * from payments where merchant_id = ${merchantId} and id < ${before}::bigint
          and id >= ${end ?? 0}::bigint) as p
        left join lateral (select instrument_fingerprint, pos_id, code from payment_attempts
          where merchant_id = p.merchant_id and payment_id = p.id order by number desc limit 1) as a on true
        left join instruments i on i.merchant_id = p.merchant_id and i.fingerprint = a.instrument_fingerprint
        left join pos_credentials c on c.merchant_id = p.merchant_id and c.id = a.pos_id
      where ${join(conditionsOf(filters), ' and ')}
      order by p.id desc limit ${limit}`),
  )
  return { payments, end }
}

function conditionsOf(filters: PaymentFilters): SqlFragment[] {
  const { currency, amountMinor, createdFrom, createdBefore, customerId, card, posId } = filters
  const ofAttempt = (condition: SqlFragment) => sql`exists (select from payment_attempts
    where merchant_id = p.merchant_id and payment_id = p.id and ${condition})`
  // The limit keeps the planner from reading all instruments of the merchant for every payment.
  const ofInstrument = (condition: SqlFragment) => sql`exists (select from payment_attempts t
      cross join lateral (select mask from instruments
        where merchant_id = t.merchant_id and fingerprint = t.instrument_fingerprint limit 1) as i
    where t.merchant_id = p.merchant_id and t.payment_id = p.id and ${condition})`
  return [
    sql`p.state = any(${filters.states}::text[])`,
    ...(currency === undefined ? [] : [sql`p.currency = ${currency}`]),
    ...(amountMinor === undefined ? [] : [sql`p.amount = ${amountMinor}`]),
    ...(createdFrom === undefined ? [] : [sql`p.created_at >= ${createdFrom}`]),
    ...(createdBefore === undefined ? [] : [sql`p.created_at < ${createdBefore}`]),
    ...(customerId === undefined ? [] : [sql`p.customer_id = ${customerId}`]),
    ...(card === undefined ? [] : [ofInstrument(sql`i.mask like ${card}`)]),
    ...(posId === undefined ? [] : [ofAttempt(sql`pos_id = ${posId}`)]),
  ]
}

/** The transaction sees one snapshot of the database, whatever others write. */
export async function setRepeatableRead(transaction: Sql): Promise<void> {
  await transaction.run(sql`set transaction isolation level repeatable read, read only`)
}

/** Payment fields shown to operators, without the page key and internal fields. */
const shownPayments = payments.omit(
  'version',
  'attemptCount',
  'attemptId',
  'eventCount',
  'installmentCount',
  'customerByPage',
  'language',
  'pageKey',
)

export type HistoryPayment = RowOf<typeof shownPayments>

/** The payment with an id, of any merchant. Merchants are few, and each is looked up by the primary key. */
export function historyPaymentOfAnyMerchant(database: Sql, id: number): Promise<HistoryPayment | undefined> {
  return database.maybe(sql`select ${shownPayments.columns('p')}
    from merchants m join payments p on p.merchant_id = m.id and p.id = ${id}::bigint`)
}

const shownAttempts = attempts.pick(
  'id',
  'number',
  'reference',
  'state',
  'installment',
  'chargedMinor',
  'commissionMinor',
  'currency',
  'reason',
  'code',
  'message',
  'declineReason',
  'beganAt',
  'endedAt',
  'dueAt',
  'needsReviewAt',
)

export type HistoryAttempt = RowOf<typeof shownAttempts> & {
  card: string
  /** Name of the POS, or its id if the POS is gone. */
  pos: string
}

export function historyAttemptsOfPayment(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<HistoryAttempt[]> {
  return database.many(sql`select ${shownAttempts.columns('a')}, coalesce(i.mask, 'unknown') as card, coalesce(c.name, a.pos_id::text) as pos
    from payment_attempts a
      left join instruments i on i.merchant_id = a.merchant_id and i.fingerprint = a.instrument_fingerprint
      left join pos_credentials c on c.merchant_id = a.merchant_id and c.id = a.pos_id
    where a.merchant_id = ${merchantId} and a.payment_id = ${id} order by a.number`)
}

const shownBankCalls = bankCalls.omit('merchantId', 'paymentId')

export type HistoryBankCall = RowOf<typeof shownBankCalls>

/** All bank calls about some attempts, in the order of time. */
export function historyBankCallsOfAttempts(
  database: Sql,
  { merchantId }: OwnedId,
  attemptIds: readonly number[],
): Promise<HistoryBankCall[]> {
  return database.many(sql`select ${shownBankCalls.columns()}
    from bank_calls where merchant_id = ${merchantId} and attempt_id = any(${attemptIds}::bigint[])
    order by asked_at, id`)
}

const historyRefund = refunds.omit('merchantId', 'paymentId', 'instrumentFingerprint', 'policy', 'violations')

/** A refund as it is shown with its payment. */
export type HistoryRefund = RowOf<typeof historyRefund>

export function historyRefundsOfPayment(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<HistoryRefund[]> {
  return database.many(sql`select ${historyRefund.columns()}
    from refunds where merchant_id = ${merchantId} and payment_id = ${id} order by requested_at, id`)
}

const historyEvent = events.pick('id', 'number', 'kind', 'createdAt')

export type HistoryEvent = RowOf<typeof historyEvent>

export function historyEventsOfPayment(database: Sql, { merchantId, id }: OwnedId): Promise<HistoryEvent[]> {
  return database.many(sql`select ${historyEvent.columns()} from events
    where merchant_id = ${merchantId} and payment_id = ${id} order by number`)
}

const transferColumns = ledgerTransfers.pick(
  'id',
  'reason',
  'debit',
  'credit',
  'amountMinor',
  'currency',
  'createdAt',
)

export type HistoryTransfer = RowOf<typeof transferColumns>

export function historyTransfersOfPayment(
  database: Sql,
  { merchantId, id }: OwnedId,
): Promise<HistoryTransfer[]> {
  return database.many<HistoryTransfer>(sql`select ${transferColumns.columns()} from ledger_transfers
    where merchant_id = ${merchantId} and payment_id = ${id} order by id`)
}
