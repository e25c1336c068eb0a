import { customerPart } from '../customers/index.ts'
import { claimPart, keptColumns, keptRow } from '../idempotency/index.ts'
import type { KeptAnswer } from '../kit/route.ts'
import type { Rows, Sql } from '../kit/sql.ts'
import { fixed, listText, sql } from '../kit/sql.ts'
import { productsPart } from '../products/index.ts'
import type { Payment } from './payment.ts'
import type { Transaction } from './transaction.ts'

/** The shown columns as one, as in the store of customers, and for the same reason. */
const packed = sql`json_build_array(amount, currency, installment_count, state, message, code, pre_auth,
  created_at, viewed_at, ended_at, metadata) as packed`

interface Packed {
  id: number
  packed: [
    amountMinor: number,
    currency: string,
    installmentCount: number,
    state: Transaction['state'],
    message: string | null,
    code: string | null,
    preAuth: boolean,
    createdAt: string,
    viewedAt: string | null,
    endedAt: string | null,
    metadata: Transaction['metadata'],
  ]
}

const selectTransactions = fixed<Rows>`select id, ${packed} from payments where merchant_id = ${'merchantId'}
  and id = any (array(select given.id from json_to_recordset(${'rows'}::json) as given (id bigint)))`

export async function transactionById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Transaction | undefined> {
  const found = await database.gather<Packed>(selectTransactions, { merchantId, id })
  if (!found) return undefined
  const row = found.packed
  return {
    id: found.id,
    amountMinor: row[0],
    currency: row[1],
    installmentCount: row[2],
    state: row[3],
    message: row[4],
    code: row[5],
    preAuth: row[6],
    createdAt: new Date(row[7]),
    viewedAt: row[8] === null ? null : new Date(row[8]),
    endedAt: row[9] === null ? null : new Date(row[9]),
    metadata: row[10],
  }
}

/** A payment that nobody has seen yet. */
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

const newColumns = sql`merchant_id, id, state, version, amount, currency, pre_auth, customer_id, items, metadata,
  description, redirect_url, page_key, started_by, created_at, expires_at, due_at, attempt_count, event_count,
  installment_count`

/** A payment as a row of JSON. */
const givenColumns = sql`id bigint, "amountMinor" bigint, currency text, "preAuth" boolean, items jsonb,
  metadata jsonb, description text, "redirectUrl" text, "pageKey" text, "startedBy" text, "createdAt" timestamptz,
  "expiresAt" timestamptz`

function givenRow({ pageKey, ...payment }: NewPayment) {
  return { ...payment, pageKey: pageKey.toString('hex') }
}

const givenValues = sql`id, 'open', 1, "amountMinor", currency, "preAuth", null::bigint, items, metadata,
  description, "redirectUrl", decode("pageKey", 'hex'), "startedBy", "createdAt", "expiresAt", "expiresAt", 0, 0, 1`

const insertRows = fixed<Rows>`insert into payments (${newColumns})
  select ${'merchantId'}::bigint, ${givenValues} from json_to_recordset(${'rows'}::json) as given (${givenColumns})
  returning payments.id`

/** Writes a payment that names neither a customer nor products of the merchant. */
export async function insertPayment(database: Sql, payment: NewPayment): Promise<void> {
  const written = await database.gather(insertRows, givenRow(payment))
  if (!written) throw new Error(`the payment ${payment.id} was not written`)
}

const insertRowsOnce = fixed<Rows>`with
  keyed as materialized (select ${'merchantId'}::bigint as merchant_id, given.*
    from json_to_recordset(${'rows'}::json) as given (${givenColumns}, ${keptColumns})),
  claimed as (${claimPart})
  insert into payments (${newColumns})
  select merchant_id, ${givenValues} from keyed where key in (select key from claimed)
  returning id`

/** The same with an Idempotency-Key and the answer that is kept under it. False when the key is taken: nothing was written. */
export async function insertPaymentOnce(
  database: Sql,
  payment: NewPayment,
  kept: KeptAnswer,
): Promise<boolean> {
  const written = await database.gather(insertRowsOnce, { ...givenRow(payment), ...keptRow(kept) })
  return written !== undefined
}

/** What a payment names of what the merchant has. */
export interface Named {
  merchantId: number
  customerId: number | null
  productIds: readonly number[]
}

/** What is there of it. */
export interface Found {
  hasCustomer: boolean
  /** In the order of their places, of which the first is 1. */
  products: [place: number, priceMinor: number, currency: string][]
}

const found = sql`exists (select from buyer) as "hasCustomer",
  (select coalesce(json_agg(json_build_array(place, price, currency_code) order by place), '[]') from named) as products`

const selectNamed = fixed<Named>`with
  payer as (select ${'merchantId'}::bigint as merchant_id, ${'customerId'}::bigint as id),
  asked as (select ${'merchantId'}::bigint as merchant_id, id, place
    from unnest(${'productIds'}::bigint[]) with ordinality as given (id, place)),
  buyer as (${customerPart}),
  named as (${productsPart})
  select ${found}`

/** Looks for what a payment names, without starting it. */
export function foundOf(database: Sql, named: Named): Promise<Found> {
  return database.one(selectNamed(named))
}

/** What beside the payment itself decides whether it is written. */
interface Conditions {
  productIds: readonly number[]
  /** What the items that are not of the merchant's own products add up to. */
  itemsMinor: number
  /** Whether it is for anything: then that has to add up to its amount. */
  hasItems: boolean
}

type NamingRow = Omit<NewPayment, 'items' | 'metadata'> & Conditions & { items: string; metadata: string }

const insertNamed = fixed<NamingRow>`with
  payer as (select ${'merchantId'}::bigint as merchant_id, ${'customerId'}::bigint as id),
  asked as (select ${'merchantId'}::bigint as merchant_id, id, place
    from unnest(${'productIds'}::bigint[]) with ordinality as given (id, place)),
  buyer as (${customerPart}),
  named as (${productsPart}),
  sums as (select count(*) as count, coalesce(sum(price), 0) as price,
    coalesce(bool_and(currency_code = ${'currency'}::text), true) as has_currency,
    coalesce(jsonb_agg(jsonb_build_object('id', id, 'product_name', product_name, 'price', price,
      'description', description) order by place), '[]') as items
    from named),
  started as (insert into payments (${newColumns})
    select payer.merchant_id, ${'id'}::bigint, 'open', 1, ${'amountMinor'}::bigint, ${'currency'}::text,
      ${'preAuth'}::boolean, payer.id, ${'items'}::jsonb || sums.items, ${'metadata'}::jsonb, ${'description'}::text,
      ${'redirectUrl'}::text, ${'pageKey'}::bytea, ${'startedBy'}::text, ${'createdAt'}::timestamptz,
      ${'expiresAt'}::timestamptz, ${'expiresAt'}::timestamptz, 0, 0, 1
    from payer, sums
    where (payer.id is null or exists (select from buyer))
      and sums.count = cardinality(${'productIds'}::bigint[]) and sums.has_currency
      and (not ${'hasItems'}::boolean or sums.price + ${'itemsMinor'}::bigint = ${'amountMinor'}::bigint)
    returning id)
  select exists (select from started) as "isStarted", ${found}`

/**
 * Writes a payment that names a customer or products of the merchant, if they are there, in its currency, and add up to
 * its amount. Its items are what the products are at this moment. Says whether it did, and what there was.
 */
export function insertPaymentNaming(
  database: Sql,
  payment: NewPayment,
  conditions: Conditions,
): Promise<Found & { isStarted: boolean }> {
  const lists = { items: listText(payment.items), metadata: listText(payment.metadata) }
  return database.one(insertNamed({ ...payment, ...lists, ...conditions }))
}
