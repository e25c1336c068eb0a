import type { Query, Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { join, parameter, reusableQuery, sql } from '../../../kit/runtime/sql.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { HourKey } from '../../cards/index.ts'
import { currentHourKeyColumn, currentHourKeyIn } from '../../cards/index.ts'
import type { BatchingSql, BatchQuery, BatchQueryParameters } from '../../database/batching-sql.ts'
import { batchQuery } from '../../database/batching-sql.ts'
import { asynchronousCommit } from '../../database/combined-write.sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { PricedRow, PricedSealedPos } from '../../pos/index.ts'
import { pricedQueries, readWithPrices } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import type { AttemptColumn } from './attempt.sql.ts'
import { attemptColumn, attemptIn } from './attempt.sql.ts'
import type { Attempt } from './attempt.ts'
import type { PaymentColumn } from './payment.sql.ts'
import { paymentColumn, paymentIn } from './payment.sql.ts'
import type { PageToken, Payment } from './payment.ts'

/** A request for a payment page. */
export interface PageVisit extends PageToken {
  now: Date
  /** Language that the payer has just chosen. */
  language: Language | null
}

/** Columns of the payment and its last attempt. */
export type PaymentWithLastAttemptRow = PaymentColumn & AttemptColumn

/** A payment as its page shows it. */
export interface PaymentWithLastAttempt {
  payment: Payment
  /** Attempt that the payment waits for, or its last attempt. */
  attempt: Attempt | undefined
}

const [ofMerchant, now] = [parameter('merchantId'), parameter('now')]

/**
 * Query that finds the payment of a page, its last attempt and columns of other features in one round trip.
 * The extra columns may use the parameters `merchantId` and `now`, the payment `p` and the attempt `a`.
 * `offset 0` keeps the planner from moving the attempt's lookup, so it always uses the whole key.
 */
export function buildPaymentPageQuery(beside: readonly SqlFragment[]): (lookup: PageVisit) => Query {
  return reusableQuery<PageVisit>`select ${join([paymentColumn, attemptColumn(ofMerchant), ...beside], ', ')}
    from payments p left join lateral (select * from payment_attempts
      where merchant_id = ${'merchantId'}::bigint and payment_id = p.id and id = p.attempt_id offset 0) a on true
    where p.merchant_id = ${'merchantId'}::bigint and p.id = ${'id'}::bigint and p.page_key = ${'pageKey'}::bytea`
}

/**
 * Runs a page query, and stores the time of the first view and a newly chosen language. Neither is a transition,
 * because no decision depends on them.
 */
export async function readPageRow<Row extends PaymentWithLastAttemptRow>(
  database: Sql,
  query: (lookup: PageVisit) => Query,
  visit: PageVisit,
): Promise<Row | undefined> {
  const row = await database.maybe<Row>(query(visit))
  if (row) await recordView(database, visit, paymentIn(row))
  return row
}

async function recordView(
  database: Sql,
  { merchantId, id, now: at, language }: PageVisit,
  { viewedAt, language: known }: Payment,
): Promise<void> {
  if (viewedAt && (language ?? known) === known) return
  await database.run(sql`update payments set viewed_at = coalesce(viewed_at, ${at}),
      language = coalesce(${language}, language)
    where merchant_id = ${merchantId} and id = ${id}`)
}

/**
 * Like `buildPaymentPageQuery` and `readPageRow`, for a batch of requests of one merchant. Two requests for one payment share
 * the row, but only one may know the page key. The row therefore has the key, and the caller must compare it.
 * The view does not wait for the disk: if it is lost, a later view is the first one.
 */
export function buildPaymentPageBatchQuery(beside: readonly SqlFragment[]): BatchQuery {
  const selectOne = buildPaymentPageQuery(beside)
  const batch = reusableQuery<BatchQueryParameters>`with
    visits as materialized (
      select id, decode("pageKey", 'hex') as page_key, now, language
      from json_to_recordset(${'rows'}::json) as given (id bigint, "pageKey" text, now timestamptz, language text)
      where ${asynchronousCommit}),
    recorded_view as (
      update payments v set
        viewed_at = coalesce(viewed_at, (select min(now) from visits where visits.id = v.id and visits.page_key = v.page_key)),
        language = coalesce((select min(visits.language) from visits
          where visits.id = v.id and visits.page_key = v.page_key), v.language)
      where merchant_id = ${'merchantId'}::bigint and id = any (array(select id from visits))
        and exists (select from visits where visits.id = v.id and visits.page_key = v.page_key
          and (v.viewed_at is null or v.language is distinct from coalesce(visits.language, v.language))))
    select p.id, encode(p.page_key, 'hex') as "pageKey", ${join([paymentColumn, attemptColumn(ofMerchant), ...beside], ', ')}
    from payments p left join lateral (select * from payment_attempts
      where merchant_id = ${'merchantId'}::bigint and payment_id = p.id and id = p.attempt_id offset 0) a on true
    where p.merchant_id = ${'merchantId'}::bigint and p.id = any (array(select id from visits))
      and exists (select from visits where visits.id = p.id and visits.page_key = p.page_key)`
  return batchQuery<VisitInBatch>(batch, async (database, visits) => {
    const pages = visits.map(async ({ pageKey, ...visit }) => {
      const row = await readPageRow(database, selectOne, { ...visit, pageKey: Buffer.from(pageKey, 'hex') })
      return row ? [{ ...row, id: visit.id, pageKey }] : []
    })
    return (await Promise.all(pages)).flat()
  })
}

/** A visit with its page key as hexadecimal text. */
type VisitInBatch = Omit<PageVisit, 'pageKey'> & { pageKey: string }

/** Runs a batch query. Undefined if the request does not have the page's key. */
export async function readPageRowByBatchQuery<Row extends PaymentWithLastAttemptRow>(
  database: BatchingSql,
  query: BatchQuery,
  { pageKey, ...lookup }: PageVisit,
): Promise<Row | undefined> {
  const key = pageKey.toString('hex')
  const row: VisitInBatch = { ...lookup, pageKey: key }
  const page = await database.batch<Row & PageKeyRow>(query, row)
  return page?.pageKey === key ? page : undefined
}

interface PageKeyRow {
  id: number
  pageKey: string
}

/** Adds the view to a row that was read before the view was stored. */
export function paymentWithLastAttemptFromRow(
  row: PaymentWithLastAttemptRow,
  { now, language }: PageVisit,
): PaymentWithLastAttempt {
  const payment = paymentIn(row)
  return {
    payment: { ...payment, viewedAt: payment.viewedAt ?? now, language: language ?? payment.language },
    attempt: attemptIn(row),
  }
}

/** Data for a submitted card. */
export interface CheckoutContext {
  payment: Payment
  poses: PricedSealedPos[]
  /** Hour key that seals the card, if it exists already. */
  hourKey: HourKey | undefined
}

/** Column that a card needs beside the payment and the priced POS. */
export const hourKeyColumn = currentHourKeyColumn(now)

/** Row with `hourKeyColumn`. */
export interface HourKeyRow {
  hourKey: unknown[] | null
}

export function checkoutContextOfRow(
  row: HourKeyRow,
  payment: Payment,
  poses: PricedSealedPos[],
): CheckoutContext {
  return { payment, poses, hourKey: currentHourKeyIn(row) }
}

const checkoutContextQueries = pricedQueries(
  ofMerchant,
  now,
  (priced) => reusableQuery<{
    merchantId: number
    id: number
    now: Date
  }>`select ${join([paymentColumn, hourKeyColumn, ...priced], ', ')} from payments p
  where p.merchant_id = ${'merchantId'} and p.id = ${'id'}`,
)

/** The checkout context of a payment, without a page view. */
export async function checkoutContextOf(
  services: Pick<Services, 'sql' | 'processState'>,
  ownedId: OwnedId,
  now: Date,
): Promise<CheckoutContext | undefined> {
  const lookup = { ...ownedId, now }
  const found = await readWithPrices(services, lookup, (form) =>
    services.sql.maybe<PaymentColumn & HourKeyRow & PricedRow>(checkoutContextQueries[form](lookup)),
  )
  return found && checkoutContextOfRow(found.row, paymentIn(found.row), found.poses)
}
