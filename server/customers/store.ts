import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { jsonListText, jsonRowColumn, reusableQuery, sql } from '../../kit/runtime/sql.ts'
import type { BatchingSql, BatchQueryParameters } from '../database/batching-sql.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { RecordSearch } from '../database/record-search.ts'
import { searchNewestFirst } from '../database/record-search.ts'
import type { SearchResult } from '../database/search.ts'
import type { Customer } from './customer.ts'

/**
 * The row as one column: the client spends far more time on each column than PostgreSQL does on combining
 * them, and a customer has many.
 */
const packed = sql`json_build_array(merchant_id, id, name, lastname, email, phone, country, city, district, address,
  zip_code, created_via_payment, metadata, changes, created_at, updated_at) as packed`

interface Packed {
  packed: [
    merchantId: number,
    id: number,
    name: string,
    lastname: string,
    email: string,
    phone: string,
    country: string,
    city: string | null,
    district: string | null,
    address: string | null,
    zipCode: string | null,
    createdViaPayment: boolean,
    metadata: Customer['metadata'],
    changes: Customer['changes'],
    createdAt: string,
    updatedAt: string,
  ]
}

function customerOf({ packed: row }: Packed): Customer {
  return {
    merchantId: row[0],
    id: row[1],
    name: row[2],
    lastname: row[3],
    email: row[4],
    phone: row[5],
    country: row[6],
    city: row[7],
    district: row[8],
    address: row[9],
    zipCode: row[10],
    createdViaPayment: row[11],
    metadata: row[12],
    changes: row[13],
    createdAt: new Date(row[14]),
    updatedAt: new Date(row[15]),
  }
}

const selectOne = reusableQuery<OwnedId>`select ${packed} from customers
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null`
const selectForChange = reusableQuery<OwnedId>`select ${packed} from customers
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null for update`

export async function customerById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Customer | undefined> {
  const row = await database.maybe<Packed>(selectOne({ merchantId, id }))
  return row && customerOf(row)
}

/** The customer, locked against other changes until the transaction ends. */
export async function customerForUpdate(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Customer | undefined> {
  const row = await database.maybe<Packed>(selectForChange({ merchantId, id }))
  return row && customerOf(row)
}

/** A customer as its row stores it, with its searchable words as a tsvector. */
type Row = Omit<Customer, 'metadata' | 'changes'> & { metadata: string; changes: string; words: string }

const insertRows = reusableQuery<BatchQueryParameters>`insert into customers (merchant_id, id, name, lastname,
    email, phone, country, city, district, address, zip_code, created_via_payment, metadata, changes, words,
    created_at, updated_at)
  select ${'merchantId'}::bigint, id, name, lastname, email, phone, country, city, district, address, "zipCode",
    "createdViaPayment", metadata, changes, words::tsvector, "createdAt", "updatedAt"
  from json_to_recordset(${'rows'}::json) as given (id bigint, name text, lastname text, email text, phone text,
    country text, city text, district text, address text, "zipCode" text, "createdViaPayment" boolean, metadata jsonb,
    changes jsonb, words text, "createdAt" timestamptz, "updatedAt" timestamptz)
  returning customers.id`

export async function insertCustomer(
  database: BatchingSql,
  customer: Customer,
  words: string,
): Promise<void> {
  const inserted = await database.batch(insertRows, { ...customer, words })
  if (!inserted) throw new Error(`the customer ${customer.id} was not written`)
}

function rowOf(customer: Customer, words: string): Row {
  return {
    ...customer,
    metadata: jsonListText(customer.metadata),
    changes: jsonListText(customer.changes),
    words,
  }
}

const updateOne = reusableQuery<Row>`update customers set name = ${'name'}, lastname = ${'lastname'}, email = ${'email'},
    phone = ${'phone'}, country = ${'country'}, city = ${'city'}, district = ${'district'}, address = ${'address'},
    zip_code = ${'zipCode'}, metadata = ${'metadata'}, changes = ${'changes'}, words = ${'words'}::tsvector,
    updated_at = ${'updatedAt'}
  where merchant_id = ${'merchantId'} and id = ${'id'}`

/** Writes all changeable columns of a customer. */
export async function updateCustomer(database: Sql, customer: Customer, words: string): Promise<void> {
  await database.run(updateOne(rowOf(customer, words)))
}

/** Hides a customer that is not hidden yet. Returns true if there was one. */
export async function softDeleteCustomer(
  database: Sql,
  merchantId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  const count = await database.run(sql`update customers set deleted_at = ${now}, words = ''
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
  return count === 1
}

export async function customersMatching(
  database: Sql,
  search: Omit<RecordSearch, 'table' | 'columns'>,
): Promise<SearchResult<Customer>> {
  const matches = await searchNewestFirst<Packed>(database, {
    ...search,
    table: 'customers',
    columns: packed,
  })
  return { ...matches, items: matches.items.map(customerOf) }
}

/** Column of a query about a payment `p`: contact details of its customer. */
export const contactColumn = jsonRowColumn(
  'contact',
  sql`select email, phone from customers
    where merchant_id = p.merchant_id and id = p.customer_id and deleted_at is null`,
)

export type Contact = Pick<Customer, 'email' | 'phone'>

/** CTE of a query whose `requested_customer` has merchant_id and id: one row if that customer exists. */
export const existingCustomerPart = sql`select customer.id from requested_customer join customers customer
    on customer.merchant_id = requested_customer.merchant_id and customer.id = requested_customer.id and customer.deleted_at is null`

/** The new state of a customer, with its searchable words. A new customer has no `before`. */
export interface CustomerChange {
  before?: Customer
  after: Customer
  words: string
}

/**
 * CTE of a query: one row, locked against other changes, if the customer is unchanged. Every change extends
 * the list of changes, so comparing that list is enough.
 */
export function unchangedCustomerPart({ merchantId, id, changes }: Customer): SqlFragment {
  return sql`select id from customers where merchant_id = ${merchantId} and id = ${id} and deleted_at is null
    and changes = ${jsonListText(changes)}::jsonb for update`
}

/** CTE of a query whose `transition` has merchant_id: writes the customer if `transition` has a row. */
export function changedCustomerPart({ before, after, words }: CustomerChange): SqlFragment {
  const c = rowOf(after, words)
  if (before)
    return sql`update customers c set name = ${c.name}, lastname = ${c.lastname}, email = ${c.email}, phone = ${c.phone},
        country = ${c.country}, changes = ${c.changes}, words = ${words}::tsvector, updated_at = ${c.updatedAt}
      from transition where c.merchant_id = transition.merchant_id and c.id = ${c.id}`
  return sql`insert into customers (merchant_id, id, name, lastname, email, phone, country, created_via_payment,
      metadata, changes, words, created_at, updated_at)
    select merchant_id, ${c.id}::bigint, ${c.name}::text, ${c.lastname}::text, ${c.email}::text, ${c.phone}::text,
      ${c.country}::text, ${c.createdViaPayment}::boolean, ${c.metadata}::jsonb, ${c.changes}::jsonb,
      ${words}::tsvector, ${c.createdAt}::timestamptz, ${c.updatedAt}::timestamptz from transition`
}
