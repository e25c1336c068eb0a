import type { StoredIdempotentResponse } from '../../../kit/api/route.ts'
import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { parameter, reusableQuery, sql } from '../../../kit/runtime/sql.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import { existingCustomerPart } from '../../customers/index.ts'
import type { BatchingSql, BatchQueryParameters } from '../../database/batching-sql.ts'
import { batchQuery } from '../../database/batching-sql.ts'
import { insertQuery } from '../../database/combined-write.sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { IdempotencyKeyRow } from '../../idempotency/index.ts'
import { claimKeys, claimKeysPart, storedResponses } from '../../idempotency/index.ts'
import { productsPart } from '../../products/index.ts'
import type { Payment } from './payment.ts'
import { payments, readablePayments } from './payment.ts'
import type { TransactionPaymentFields } from './transaction.ts'
import { shownPayments } from './transaction.ts'

const shownRow = sql`id, ${shownPayments.packed()} as packed`

const selectTransactionsByJson = reusableQuery<BatchQueryParameters>`select ${shownRow} from payments
  where merchant_id = ${'merchantId'}
    and id = any (array(select given.id from json_to_recordset(${'rows'}::json) as given (id bigint)))`

const selectTransactionsByIds = reusableQuery<{
  merchantId: number
  ids: number[]
}>`select ${shownRow} from payments
  where merchant_id = ${'merchantId'} and id = any (${'ids'}::bigint[])`

const selectTransactions = batchQuery<OwnedId>(selectTransactionsByJson, (database, owned) => {
  const [{ merchantId }] = owned as [OwnedId]
  return database.many(selectTransactionsByIds({ merchantId, ids: owned.map(({ id }) => id) }))
})

export async function transactionById(
  database: BatchingSql,
  merchantId: number,
  id: number,
): Promise<TransactionPaymentFields | undefined> {
  const row = await database.batch<{ id: number; packed: unknown[] }>(selectTransactions, { merchantId, id })
  return row && shownPayments.unpack(row.packed)
}

/** Column of a query in which `p` is the payment. */
export const paymentColumn = sql`${readablePayments.packed('p')} as payment`

/** Row with `paymentColumn`. */
export interface PaymentColumn {
  payment: unknown[]
}

export function paymentIn({ payment }: PaymentColumn): Payment {
  return readablePayments.unpack(payment)
}

export async function paymentById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Payment | undefined> {
  const row = await database.maybe<PaymentColumn>(sql`select ${paymentColumn} from payments p
    where p.merchant_id = ${merchantId} and p.id = ${id}`)
  return row && paymentIn(row)
}

export async function postponePayment(
  database: Sql,
  { merchantId, id }: OwnedId,
  dueAt: Date,
): Promise<void> {
  await database.run(sql`update payments set due_at = ${dueAt}
    where merchant_id = ${merchantId} and id = ${id} and due_at < ${dueAt}`)
}

/** Due times of payments until a time. */
export function duePayments(until: Date): SqlFragment {
  return sql`select merchant_id, due_at from payments where due_at <= ${until}`
}

/** Payments whose page has expired or whose deadline has passed, longest due first. */
export function duePaymentIds(database: Sql, now: Date, limit: number): Promise<OwnedId[]> {
  return database.many(sql`select merchant_id as "merchantId", id from payments
    where due_at <= ${now} order by due_at limit ${limit}`)
}

/** Columns that a caller sets at the start of a payment. */
const newPayments = payments.pick(
  'merchantId',
  'id',
  'amountMinor',
  'currency',
  'preAuth',
  'customerId',
  'items',
  'metadata',
  'description',
  'redirectUrl',
  'pageKey',
  'startedBy',
  'createdAt',
  'expiresAt',
)

/** Fields of a payment at its start. */
export type NewPayment = RowOf<typeof newPayments>

/** Columns of a new payment in a JSON row: the batch has one merchant, and no named customers. */
const givenPayments = newPayments.omit('merchantId', 'customerId')

/** The other columns have the same values in every new payment, which is due when its page expires. */
const startColumns = sql`state, version, customer_by_page, due_at, attempt_count, event_count, installment_count, refunded`
const startValues = (expiresAt: SqlFragment) => sql`'open', 1, false, ${expiresAt}, 0, 0, 1, 0`
const givenStartValues = startValues(sql`"expiresAt"`)

const insertJson = reusableQuery<BatchQueryParameters>`insert into payments (merchant_id, ${givenPayments.names}, ${startColumns})
  select ${'merchantId'}::bigint, ${givenPayments.recordsetNames()}, ${givenStartValues}
  from json_to_recordset(${'rows'}::json) as ${givenPayments.recordset('given')}
  returning payments.id`

type GivenRow = ReturnType<typeof givenRow>

const insertRows = batchQuery<GivenRow>(insertJson, insertValues)

function insertValues(database: Sql, payments: readonly GivenRow[]): Promise<{ id: number }[]> {
  const rows = payments.map(
    (row) =>
      sql`${row.merchantId}::bigint, ${givenPayments.jsonValues(row)}, ${startValues(sql`${row.expiresAt}::timestamptz`)}`,
  )
  const names = sql`merchant_id, ${givenPayments.names}, ${startColumns}`
  return database.many(sql`${insertQuery({ into: 'payments', names, rows })} returning id`)
}

/** Inserts a payment without a named customer or registered products. */
export async function insertPayment(database: BatchingSql, payment: NewPayment): Promise<void> {
  const row = await database.batch(insertRows, givenRow(payment))
  if (!row) throw new Error(`the payment ${payment.id} was not written`)
}

function givenRow(payment: NewPayment) {
  return { merchantId: payment.merchantId, ...givenPayments.jsonRow(payment) }
}

const insertJsonOnce = reusableQuery<BatchQueryParameters>`with
  given_payments as materialized (select ${'merchantId'}::bigint as merchant_id, given.*
    from json_to_recordset(${'rows'}::json) as ${givenPayments.recordset('given', storedResponses)}),
  claimed_keys as (${claimKeysPart})
  insert into payments (merchant_id, ${givenPayments.names}, ${startColumns})
  select merchant_id, ${givenPayments.recordsetNames()}, ${givenStartValues} from given_payments where key in (select key from claimed_keys)
  returning id`

const insertRowsOnce = batchQuery<GivenRow & IdempotencyKeyRow>(insertJsonOnce, (database, rows) =>
  database.transaction(async (transaction) => {
    const keys = await claimKeys(transaction, rows)
    const claimed = rows.filter(({ key }) => keys.has(key))
    return claimed.length === 0 ? [] : insertValues(transaction, claimed)
  }),
)

/**
 * Like `insertPayment`, with an Idempotency-Key and the answer stored under it. Returns false if the key is
 * taken; then nothing was written.
 */
export async function insertPaymentWithIdempotencyKey(
  database: BatchingSql,
  payment: NewPayment,
  storedResponse: StoredIdempotentResponse,
): Promise<boolean> {
  const row = await database.batch(insertRowsOnce, {
    ...givenRow(payment),
    ...storedResponses.jsonRow(storedResponse),
  })
  return row !== undefined
}

/** Customer and products that a payment names by id. */
export interface CustomerAndProductLookupInput {
  merchantId: number
  customerId: number | null
  productIds: readonly number[]
}

/** The named customer and products that exist. */
export interface CustomerAndProductLookupResult {
  hasCustomer: boolean
  /** Ordered by position, from 1. */
  products: [position: number, priceMinor: number, currency: string][]
}

const customerAndProductColumns = sql`exists (select from found_customer) as "hasCustomer",
  (select coalesce(json_agg(json_build_array(position, price, currency_code) order by position), '[]') from found_products) as products`

const ofMerchant = parameter('merchantId')

const selectCustomerAndProducts = reusableQuery<CustomerAndProductLookupInput>`with
  requested_customer as (select ${'customerId'}::bigint as id),
  requested_products as (select id, position
    from unnest(${'productIds'}::bigint[]) with ordinality as given (id, position)),
  found_customer as (${existingCustomerPart(ofMerchant)}),
  found_products as (${productsPart(ofMerchant)})
  select ${customerAndProductColumns}`

/** Looks up the named customer and products without starting a payment. */
export function lookUpCustomerAndProducts(
  database: Sql,
  ids: CustomerAndProductLookupInput,
): Promise<CustomerAndProductLookupResult> {
  return database.one(selectCustomerAndProducts(ids))
}

/** Conditions for inserting the payment. */
interface Conditions {
  productIds: readonly number[]
  /** Sum of the items that are not registered products. */
  itemsMinor: number
  /** True if the payment has items; their sum must then equal its amount. */
  hasItems: boolean
}

/** Columns that the named customer and products do not decide. */
const ownPayments = newPayments.omit('merchantId', 'customerId', 'items')
const startValuesByParameter = startValues(sql`requested_customer.expires_at`)

const insertWithCustomerAndProducts = reusableQuery<NewPayment & Conditions>`with
  requested_customer as (select ${'merchantId'}::bigint as merchant_id, ${'customerId'}::bigint as id,
    ${'expiresAt'}::timestamptz as expires_at),
  requested_products as (select id, position
    from unnest(${'productIds'}::bigint[]) with ordinality as given (id, position)),
  found_customer as (${existingCustomerPart(ofMerchant)}),
  found_products as (${productsPart(ofMerchant)}),
  totals as (select count(*) as count, coalesce(sum(price), 0) as price,
    coalesce(bool_and(currency_code = ${'currency'}::text), true) as has_currency,
    coalesce(jsonb_agg(jsonb_build_object('id', id, 'product_name', product_name, 'price', price,
      'description', description) || case when product_image is null then '{}'
      else jsonb_build_object('image', product_image) end order by position), '[]') as items
    from found_products),
  inserted_payment as (insert into payments (merchant_id, customer_id, items, ${ownPayments.names}, ${startColumns})
    select requested_customer.merchant_id, requested_customer.id, ${newPayments.pick('items').valueParameters} || totals.items,
      ${ownPayments.valueParameters}, ${startValuesByParameter}
    from requested_customer, totals
    where (requested_customer.id is null or exists (select from found_customer))
      and totals.count = cardinality(${'productIds'}::bigint[]) and totals.has_currency
      and (not ${'hasItems'}::boolean or totals.price + ${'itemsMinor'}::bigint = ${'amountMinor'}::bigint)
    returning id)
  select exists (select from inserted_payment) as "isStarted", ${customerAndProductColumns}`

/**
 * Inserts a payment if the named customer and products exist, have its currency and add up to its amount. The
 * products are copied as they are at this moment. Returns `isStarted` and the records found.
 */
export function insertPaymentIfIdsAndTotalMatch(
  database: Sql,
  payment: NewPayment,
  conditions: Conditions,
): Promise<CustomerAndProductLookupResult & { isStarted: boolean }> {
  return database.one(insertWithCustomerAndProducts({ ...payment, ...conditions }))
}
