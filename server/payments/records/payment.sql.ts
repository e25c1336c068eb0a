import type { StoredIdempotentResponse } from '../../../kit/api/route.ts'
import type { Sql } from '../../../kit/runtime/sql.ts'
import { jsonListText, reusableQuery, sql } from '../../../kit/runtime/sql.ts'
import { existingCustomerPart } from '../../customers/index.ts'
import type { BatchingSql, BatchQueryParameters } from '../../database/batching-sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import { claimKeysPart, storedResponseColumns, storedResponseRow } from '../../idempotency/index.ts'
import { productsPart } from '../../products/index.ts'
import type { Payment } from './payment.ts'
import type { PaymentState } from './states.ts'
import type { TransactionPaymentFields } from './transaction.ts'

/**
 * Shown columns as one JSON column: the client spends more time per column than PostgreSQL does on packing
 * them.
 */
const packed = sql`json_build_array(amount, currency, installment_count, state, message, code, pre_auth,
  created_at, viewed_at, ended_at, metadata) as packed`

interface Packed {
  id: number
  packed: [
    amountMinor: number,
    currency: string,
    installmentCount: number,
    state: PaymentState,
    message: string | null,
    code: string | null,
    preAuth: boolean,
    createdAt: string,
    viewedAt: string | null,
    endedAt: string | null,
    metadata: TransactionPaymentFields['metadata'],
  ]
}

const selectTransactions = reusableQuery<BatchQueryParameters>`select id, ${packed} from payments where merchant_id = ${'merchantId'}
  and id = any (array(select given.id from json_to_recordset(${'rows'}::json) as given (id bigint)))`

export async function transactionById(
  database: BatchingSql,
  merchantId: number,
  id: number,
): Promise<TransactionPaymentFields | undefined> {
  const row = await database.batch<Packed>(selectTransactions, { merchantId, id })
  if (!row) return undefined
  const packedRow = row.packed
  return {
    id: row.id,
    amountMinor: packedRow[0],
    currency: packedRow[1],
    installmentCount: packedRow[2],
    state: packedRow[3],
    message: packedRow[4],
    code: packedRow[5],
    preAuth: packedRow[6],
    createdAt: new Date(packedRow[7]),
    viewedAt: packedRow[8] === null ? null : new Date(packedRow[8]),
    endedAt: packedRow[9] === null ? null : new Date(packedRow[9]),
    metadata: packedRow[10],
  }
}

/** Column of a query in which `p` is the payment. */
export const packedPaymentColumn = sql`json_build_array(p.merchant_id, p.id, p.state, p.version, p.amount, p.currency, p.pre_auth,
  p.customer_id, p.items, p.metadata, p.description, p.redirect_url, p.started_by, p.created_at, p.expires_at,
  p.viewed_at, p.ended_at, p.due_at, p.attempt_count, p.attempt_id, p.event_count, p.installment_count, p.code,
  p.message, p.customer_by_page, p.language, p.resolution, p.resolved_by, p.resolved_at, p.refunded, p.refund_id) as packed`

export interface PackedPayment {
  packed: [
    merchantId: number,
    id: number,
    state: PaymentState,
    version: number,
    amountMinor: number,
    currency: string,
    preAuth: boolean,
    customerId: number | null,
    items: Payment['items'],
    metadata: Payment['metadata'],
    description: string | null,
    redirectUrl: string | null,
    startedBy: Payment['startedBy'],
    createdAt: string,
    expiresAt: string,
    viewedAt: string | null,
    endedAt: string | null,
    dueAt: string | null,
    attemptCount: number,
    attemptId: number | null,
    eventCount: number,
    installmentCount: number,
    code: string | null,
    message: string | null,
    customerByPage: boolean,
    language: Payment['language'],
    resolution: Payment['resolution'],
    resolvedBy: string | null,
    resolvedAt: string | null,
    refundedMinor: number,
    refundId: number | null,
  ]
}

export function unpackPayment({ packed: row }: PackedPayment): Payment {
  return {
    merchantId: row[0],
    id: row[1],
    state: row[2],
    version: row[3],
    amountMinor: row[4],
    currency: row[5],
    preAuth: row[6],
    customerId: row[7],
    items: row[8],
    metadata: row[9],
    description: row[10],
    redirectUrl: row[11],
    startedBy: row[12],
    createdAt: new Date(row[13]),
    expiresAt: new Date(row[14]),
    viewedAt: row[15] === null ? null : new Date(row[15]),
    endedAt: row[16] === null ? null : new Date(row[16]),
    dueAt: row[17] === null ? null : new Date(row[17]),
    attemptCount: row[18],
    attemptId: row[19],
    eventCount: row[20],
    installmentCount: row[21],
    code: row[22],
    message: row[23],
    customerByPage: row[24],
    language: row[25],
    resolution: row[26],
    resolvedBy: row[27],
    resolvedAt: row[28] === null ? null : new Date(row[28]),
    refundedMinor: row[29],
    refundId: row[30],
  }
}

export async function paymentById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Payment | undefined> {
  const row = await database.maybe<PackedPayment>(sql`select ${packedPaymentColumn} from payments p
    where p.merchant_id = ${merchantId} and p.id = ${id}`)
  return row && unpackPayment(row)
}

export async function postponePayment(
  database: Sql,
  { merchantId, id }: OwnedId,
  dueAt: Date,
): Promise<void> {
  await database.run(sql`update payments set due_at = ${dueAt}
    where merchant_id = ${merchantId} and id = ${id} and due_at < ${dueAt}`)
}

/** Payments whose page has expired or whose deadline has passed, longest due first. */
export function duePaymentIds(database: Sql, now: Date, limit: number): Promise<OwnedId[]> {
  return database.many(sql`select merchant_id as "merchantId", id from payments
    where due_at <= ${now} order by due_at limit ${limit}`)
}

/** Fields of a payment at its start. */
export interface NewPayment
  extends Pick<
    Payment,
    | 'merchantId'
    | 'id'
    | 'amountMinor'
    | 'currency'
    | 'preAuth'
    | 'customerId'
    | 'items'
    | 'metadata'
    | 'description'
    | 'redirectUrl'
    | 'startedBy'
    | 'createdAt'
    | 'expiresAt'
  > {
  pageKey: Buffer
}

const newColumns = sql`merchant_id, id, state, version, amount, currency, pre_auth, customer_id, customer_by_page, items,
  metadata, description, redirect_url, page_key, started_by, created_at, expires_at, due_at, attempt_count,
  event_count, installment_count, refunded`

/** Columns of a payment in a JSON row. */
const givenColumns = sql`id bigint, "amountMinor" bigint, currency text, "preAuth" boolean, items jsonb,
  metadata jsonb, description text, "redirectUrl" text, "pageKey" text, "startedBy" text, "createdAt" timestamptz,
  "expiresAt" timestamptz`

function givenRow({ pageKey, ...payment }: NewPayment) {
  return { ...payment, pageKey: pageKey.toString('hex') }
}

const givenValues = sql`id, 'open', 1, "amountMinor", currency, "preAuth", null::bigint, false, items, metadata,
  description, "redirectUrl", decode("pageKey", 'hex'), "startedBy", "createdAt", "expiresAt", "expiresAt", 0, 0, 1, 0`

const insertRows = reusableQuery<BatchQueryParameters>`insert into payments (${newColumns})
  select ${'merchantId'}::bigint, ${givenValues} from json_to_recordset(${'rows'}::json) as given (${givenColumns})
  returning payments.id`

/** Inserts a payment without a named customer or registered products. */
export async function insertPayment(database: BatchingSql, payment: NewPayment): Promise<void> {
  const row = await database.batch(insertRows, givenRow(payment))
  if (!row) throw new Error(`the payment ${payment.id} was not written`)
}

const insertRowsOnce = reusableQuery<BatchQueryParameters>`with
  given_payments as materialized (select ${'merchantId'}::bigint as merchant_id, given.*
    from json_to_recordset(${'rows'}::json) as given (${givenColumns}, ${storedResponseColumns})),
  claimed_keys as (${claimKeysPart})
  insert into payments (${newColumns})
  select merchant_id, ${givenValues} from given_payments where key in (select key from claimed_keys)
  returning id`

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
    ...storedResponseRow(storedResponse),
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

const selectCustomerAndProducts = reusableQuery<CustomerAndProductLookupInput>`with
  requested_customer as (select ${'merchantId'}::bigint as merchant_id, ${'customerId'}::bigint as id),
  requested_products as (select ${'merchantId'}::bigint as merchant_id, id, position
    from unnest(${'productIds'}::bigint[]) with ordinality as given (id, position)),
  found_customer as (${existingCustomerPart}),
  found_products as (${productsPart})
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

type PaymentWithProductsRow = Omit<NewPayment, 'items' | 'metadata'> &
  Conditions & { items: string; metadata: string }

const insertWithCustomerAndProducts = reusableQuery<PaymentWithProductsRow>`with
  requested_customer as (select ${'merchantId'}::bigint as merchant_id, ${'customerId'}::bigint as id),
  requested_products as (select ${'merchantId'}::bigint as merchant_id, id, position
    from unnest(${'productIds'}::bigint[]) with ordinality as given (id, position)),
  found_customer as (${existingCustomerPart}),
  found_products as (${productsPart}),
  totals as (select count(*) as count, coalesce(sum(price), 0) as price,
    coalesce(bool_and(currency_code = ${'currency'}::text), true) as has_currency,
    coalesce(jsonb_agg(jsonb_build_object('id', id, 'product_name', product_name, 'price', price,
      'description', description) order by position), '[]') as items
    from found_products),
  inserted_payment as (insert into payments (${newColumns})
    select requested_customer.merchant_id, ${'id'}::bigint, 'open', 1, ${'amountMinor'}::bigint, ${'currency'}::text,
      ${'preAuth'}::boolean, requested_customer.id, false, ${'items'}::jsonb || totals.items, ${'metadata'}::jsonb, ${'description'}::text,
      ${'redirectUrl'}::text, ${'pageKey'}::bytea, ${'startedBy'}::text, ${'createdAt'}::timestamptz,
      ${'expiresAt'}::timestamptz, ${'expiresAt'}::timestamptz, 0, 0, 1, 0
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
  const lists = { items: jsonListText(payment.items), metadata: jsonListText(payment.metadata) }
  return database.one(insertWithCustomerAndProducts({ ...payment, ...lists, ...conditions }))
}
