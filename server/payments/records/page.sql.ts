import type { Query, Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { join, reusableQuery } from '../../../kit/runtime/sql.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { HourKey } from '../../cards/index.ts'
import { currentHourKeyColumn, currentHourKeyIn } from '../../cards/index.ts'
import type { BatchingSql, BatchQuery, BatchQueryParameters } from '../../database/batching-sql.ts'
import type { PricedSealedPos } from '../../pos/index.ts'
import { pricedSealedPosColumn, pricedSealedPosIn } from '../../pos/index.ts'
import { attemptFromJsonColumn, attemptJsonColumn } from './attempt.sql.ts'
import type { Attempt } from './attempt.ts'
import type { PackedPayment } from './payment.sql.ts'
import { packedPaymentColumn, unpackPayment } from './payment.sql.ts'
import type { PageToken, Payment } from './payment.ts'

/** Somebody has come to a page. */
export interface PageVisit extends PageToken {
  now: Date
  /** What the payer has just chosen. */
  language: Language | null
}

/** What is answered of the payment itself. */
export interface PaymentWithLastAttemptRow extends PackedPayment {
  attempt: object | null
}

/** A payment as its page shows it. */
export interface PaymentWithLastAttempt {
  payment: Payment
  /** The attempt that it waits for, or the last one there was. */
  attempt: Attempt | undefined
}

/**
 * Finds the payment whose page this is, with its last attempt and what other features say of them, in one round trip.
 * Each of those is a column about the payment `p` and the attempt `a`, if there is one; `moment` has the time. The first
 * look at a page is written down: it is when the payment began for its payer. A language that the payer chooses stays with
 * the payment. Neither is a transition of the payment: nothing is decided by them. The attempt is always found by its whole key,
 * whatever the planner believes of a table that has grown since it looked: hence the offset, over which it plans nothing.
 */
export function buildPaymentPageQuery(beside: readonly SqlFragment[]): (lookup: PageVisit) => Query {
  return reusableQuery<PageVisit>`with moment as (select ${'now'}::timestamptz as now),
    viewed as (
      update payments set viewed_at = coalesce(viewed_at, ${'now'}::timestamptz),
        language = coalesce(${'language'}::text, language)
      where merchant_id = ${'merchantId'}::bigint and id = ${'id'}::bigint and page_key = ${'pageKey'}::bytea
        and (viewed_at is null or language is distinct from coalesce(${'language'}::text, language)))
    select ${join([packedPaymentColumn, attemptJsonColumn, ...beside], ', ')}
    from payments p left join lateral (select * from payment_attempts
      where merchant_id = p.merchant_id and payment_id = p.id and id = p.attempt_id offset 0) a on true
    where p.merchant_id = ${'merchantId'}::bigint and p.id = ${'id'}::bigint and p.page_key = ${'pageKey'}::bytea`
}

/**
 * The same for many who come at the same moment. Of two who ask for one payment only one may know its page, and both find
 * what is answered of it: so the key that it was found by is among it, and whoever asked has to compare it. `whose` says
 * which merchant's they all are.
 */
export function buildPaymentPageBatchQuery(beside: readonly SqlFragment[]): BatchQuery {
  return reusableQuery<BatchQueryParameters>`with whose as (select ${'merchantId'}::bigint as merchant_id),
    asked as materialized (
      select id, decode("pageKey", 'hex') as page_key, now, language
      from json_to_recordset(${'rows'}::json) as given (id bigint, "pageKey" text, now timestamptz, language text)),
    viewed as (
      update payments v set
        viewed_at = coalesce(viewed_at, (select min(now) from asked where asked.id = v.id and asked.page_key = v.page_key)),
        language = coalesce((select min(asked.language) from asked
          where asked.id = v.id and asked.page_key = v.page_key), v.language)
      where merchant_id = ${'merchantId'}::bigint and id = any (array(select id from asked))
        and exists (select from asked where asked.id = v.id and asked.page_key = v.page_key
          and (v.viewed_at is null or v.language is distinct from coalesce(asked.language, v.language))))
    select p.id, encode(p.page_key, 'hex') as "pageKey", ${join([packedPaymentColumn, attemptJsonColumn, ...beside], ', ')}
    from payments p left join lateral (select * from payment_attempts
      where merchant_id = p.merchant_id and payment_id = p.id and id = p.attempt_id offset 0) a on true
    where p.merchant_id = ${'merchantId'}::bigint and p.id = any (array(select id from asked))
      and exists (select from asked where asked.id = p.id and asked.page_key = p.page_key)`
}

/** Runs such a query. Undefined for whoever does not know the page's own key. */
export async function readPageRowByBatchQuery<Row extends PaymentWithLastAttemptRow>(
  database: BatchingSql,
  query: BatchQuery,
  { pageKey, ...lookup }: PageVisit,
): Promise<Row | undefined> {
  const key = pageKey.toString('hex')
  const row = { ...lookup, pageKey: key }
  const page = await database.batch<Row & PageKeyRow, typeof row>(query, row)
  return page?.pageKey === key ? page : undefined
}

interface PageKeyRow {
  id: number
  pageKey: string
}

/** Adds the look to a row that was read before the look was written down. */
export function paymentWithLastAttemptFromRow(
  row: PaymentWithLastAttemptRow,
  { now, language }: PageVisit,
): PaymentWithLastAttempt {
  const payment = unpackPayment(row)
  return {
    payment: { ...payment, viewedAt: payment.viewedAt ?? now, language: language ?? payment.language },
    attempt: attemptFromJsonColumn(row),
  }
}

/** What a card that is submitted meets. */
export interface CheckoutContext {
  payment: Payment
  poses: PricedSealedPos[]
  /** What to seal the card with, if it was made already. */
  hourKey: HourKey | undefined
}

interface CheckoutContextRow {
  poses: object[]
  hourKey: object
}

/** Columns beside a payment that this needs. */
export const checkoutContextColumns: readonly SqlFragment[] = [pricedSealedPosColumn, currentHourKeyColumn]

export function checkoutContextFromRow(row: CheckoutContextRow, payment: Payment): CheckoutContext {
  return { payment, poses: pricedSealedPosIn(row), hourKey: currentHourKeyIn(row) }
}

const selectCheckoutContext = reusableQuery<{ merchantId: number; id: number; now: Date }>`with
  moment as (select ${'now'}::timestamptz as now)
  select ${join([packedPaymentColumn, ...checkoutContextColumns], ', ')} from payments p
  where p.merchant_id = ${'merchantId'} and p.id = ${'id'}`

/** The same of a payment whose page nobody looks at. */
export async function checkoutContextOf(
  database: Sql,
  ownedId: { merchantId: number; id: number },
  now: Date,
): Promise<CheckoutContext | undefined> {
  const row = await database.maybe<PackedPayment & CheckoutContextRow>(
    selectCheckoutContext({ ...ownedId, now }),
  )
  return row && checkoutContextFromRow(row, unpackPayment(row))
}
