import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { OwnedId } from '../database/owned-id.ts'
import { events } from '../events/index.ts'
import { ledgerTransfers } from '../ledger/index.ts'
import type { Modification, PaymentState, Verification } from '../payments/for-payment-history.ts'
import {
  attempts,
  bankCalls,
  modificationsOfPayment,
  payments,
  verificationsOfPayment,
} from '../payments/for-payment-history.ts'
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

const listedPayments = payments.pick(
  'id',
  'createdAt',
  'state',
  'amountMinor',
  'currency',
  'installmentCount',
  'customerId',
)

/** A payment as a line of a list, with the card, the POS and the bank's code of its last attempt. */
export type ListedPayment = RowOf<typeof listedPayments> & Record<'card' | 'pos' | 'code', string | null>

/**
 * Matching payments of a slice, newest first, and the id at which the slice ends; null if it is the last
 * slice. The query uses only the primary key: another index would slow down every payment.
 */
export async function matchingPaymentsInSlice(
  database: Sql,
  filters: PaymentFilters,
  { before, size }: { before: number; size: number },
  limit: number,
): Promise<{ payments: ListedPayment[]; end: number | null }> {
  const { merchantId } = filters
  const { end } = await database.one<{ end: number | null }>(sql`select
    (select id from payments where merchant_id = ${merchantId} and id < ${before}::bigint
      order by id desc offset ${size - 1} limit 1) as end`)
  const payments = await database.many<ListedPayment>(
    unprepared(sql`select ${listedPayments.columns('p')}, i.mask as card, c.name as pos, a.code
      from (select * from payments where merchant_id = ${merchantId} and id < ${before}::bigint
          and id >= ${end ?? 0}::bigint) as p
        left join lateral (select instrument_fingerprint, pos_id, code from payment_attempts
          where merchant_id = ${merchantId} and payment_id = p.id order by number desc limit 1) as a on true
        left join instruments i on i.merchant_id = ${merchantId} and i.fingerprint = a.instrument_fingerprint
        left join pos_credentials c on c.merchant_id = ${merchantId} and c.id = a.pos_id
      where ${join(conditionsOf(filters), ' and ')}
      order by p.id desc limit ${limit}`),
  )
  return { payments, end }
}

function conditionsOf(filters: PaymentFilters): SqlFragment[] {
  const { merchantId, currency, amountMinor, createdFrom, createdBefore, customerId, card, posId } = filters
  const given = <Value>(value: Value | undefined, condition: (value: Value) => SqlFragment) =>
    value === undefined ? [] : [condition(value)]
  return [
    sql`p.state = any(${filters.states}::text[])`,
    ...given(currency, (value) => sql`p.currency = ${value}`),
    ...given(amountMinor, (value) => sql`p.amount = ${value}`),
    ...given(createdFrom, (value) => sql`p.created_at >= ${value}`),
    ...given(createdBefore, (value) => sql`p.created_at < ${value}`),
    ...given(customerId, (value) => sql`p.customer_id = ${value}`),
    // The limit keeps the planner from reading all instruments of the merchant for every payment.
    ...given(
      card,
      (value) => sql`exists (select from payment_attempts t
        cross join lateral (select mask from instruments
          where merchant_id = ${merchantId} and fingerprint = t.instrument_fingerprint limit 1) as i
      where t.merchant_id = ${merchantId} and t.payment_id = p.id and i.mask like ${value})`,
    ),
    ...given(
      posId,
      (value) => sql`exists (select from payment_attempts
      where merchant_id = ${merchantId} and payment_id = p.id and pos_id = ${value})`,
    ),
  ]
}

/** Payment fields without the page key, which is a secret. */
const shownPayments = payments.omit('pageKey')
const shownEvents = events.pick('id', 'number', 'kind', 'createdAt')

export type HistoryPayment = RowOf<typeof shownPayments>
export type HistoryBankCall = RowOf<typeof bankCalls>
export type HistoryRefund = RowOf<typeof refunds>
type HistoryEvent = RowOf<typeof shownEvents>
export type HistoryTransfer = RowOf<typeof ledgerTransfers>

export type HistoryAttempt = RowOf<typeof attempts> & {
  card: string
  /** Name of the POS, or its id if the POS is gone. */
  pos: string
}

/** All records of a payment. */
export interface PaymentHistoryRecords {
  payment: HistoryPayment
  attempts: HistoryAttempt[]
  modifications: Modification[]
  verifications: Verification[]
  refunds: HistoryRefund[]
  /** In the order of time. */
  calls: HistoryBankCall[]
  events: HistoryEvent[]
  transfers: HistoryTransfer[]
}

/** The payment with an id, of any merchant. Merchants are few, and each is looked up by the primary key. */
export function historyPaymentOfAnyMerchant(database: Sql, id: number): Promise<HistoryPayment | undefined> {
  return database.maybe(sql`select ${shownPayments.columns('p')}
    from merchants m join payments p on p.merchant_id = m.id and p.id = ${id}::bigint`)
}

export async function historyRecordsOfPayment(
  database: Sql,
  payment: HistoryPayment,
): Promise<PaymentHistoryRecords> {
  const { merchantId, id } = payment
  const attemptRows =
    await database.many<HistoryAttempt>(sql`select ${attempts.columns('a')}, coalesce(i.mask, 'unknown') as card,
      coalesce(c.name, a.pos_id::text) as pos
    from payment_attempts a
      left join instruments i on i.merchant_id = ${merchantId} and i.fingerprint = a.instrument_fingerprint
      left join pos_credentials c on c.merchant_id = ${merchantId} and c.id = a.pos_id
    where a.merchant_id = ${merchantId} and a.payment_id = ${id} order by a.number`)
  const attemptIds = attemptRows.map((attempt) => attempt.id)
  return {
    payment,
    attempts: attemptRows,
    modifications: await modificationsOfPayment(database, payment),
    verifications: await verificationsOfPayment(database, payment),
    refunds: await database.many(
      sql`select ${refunds.columns()} from refunds
      where merchant_id = ${merchantId} and payment_id = ${id} order by requested_at, id`,
    ),
    calls: await database.many(sql`select ${bankCalls.columns()} from bank_calls
      where merchant_id = ${merchantId} and attempt_id = any(${attemptIds}::bigint[]) order by asked_at, id`),
    events: await historyEventsOfPayment(database, payment),
    transfers: await database.many(
      sql`select ${ledgerTransfers.columns()} from ledger_transfers
      where merchant_id = ${merchantId} and payment_id = ${id} order by id`,
    ),
  }
}

export function historyEventsOfPayment(database: Sql, { merchantId, id }: OwnedId): Promise<HistoryEvent[]> {
  return database.many(sql`select ${shownEvents.columns()} from events
    where merchant_id = ${merchantId} and payment_id = ${id} order by number`)
}
