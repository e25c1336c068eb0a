import type { Search } from '../database/search.ts'
import { newestFirst } from '../database/search.ts'
import type { Found } from '../kit/search.ts'
import type { Sql } from '../kit/sql.ts'
import { fixed, listText, sql } from '../kit/sql.ts'
import type { Customer } from './customer.ts'

const columns = sql`merchant_id as "merchantId", id, name, lastname, email, phone, country, city, district, address,
  zip_code as "zipCode", created_via_payment as "createdViaPayment", metadata, changes, created_at as "createdAt",
  updated_at as "updatedAt"`

const selectOne = fixed<{ merchantId: number; id: number }>`select ${columns} from customers
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null`

export function customerById(database: Sql, merchantId: number, id: number): Promise<Customer | undefined> {
  return database.maybe(selectOne({ merchantId, id }))
}

/** The same, held against other changes until the transaction ends. */
export function customerForChange(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Customer | undefined> {
  return database.maybe(
    sql`select ${columns} from customers where merchant_id = ${merchantId} and id = ${id} and deleted_at is null
      for update`,
  )
}

/** A customer as its row has it, with what it is found by, as a tsvector. */
type Row = Omit<Customer, 'metadata' | 'changes'> & { metadata: string; changes: string; words: string }

const insertOne = fixed<Row>`insert into customers (merchant_id, id, name, lastname, email, phone, country, city,
    district, address, zip_code, created_via_payment, metadata, changes, words, created_at, updated_at)
  values (${'merchantId'}, ${'id'}, ${'name'}, ${'lastname'}, ${'email'}, ${'phone'}, ${'country'}, ${'city'},
    ${'district'}, ${'address'}, ${'zipCode'}, ${'createdViaPayment'}, ${'metadata'}, ${'changes'},
    ${'words'}::tsvector, ${'createdAt'}, ${'updatedAt'})`

export async function insertCustomer(database: Sql, customer: Customer, words: string): Promise<void> {
  await database.run(insertOne(rowOf(customer, words)))
}

function rowOf(customer: Customer, words: string): Row {
  return { ...customer, metadata: listText(customer.metadata), changes: listText(customer.changes), words }
}

const updateOne = fixed<Row>`update customers set name = ${'name'}, lastname = ${'lastname'}, email = ${'email'},
    phone = ${'phone'}, country = ${'country'}, city = ${'city'}, district = ${'district'}, address = ${'address'},
    zip_code = ${'zipCode'}, metadata = ${'metadata'}, changes = ${'changes'}, words = ${'words'}::tsvector,
    updated_at = ${'updatedAt'}
  where merchant_id = ${'merchantId'} and id = ${'id'}`

/** Writes everything about a customer that may change. */
export async function updateCustomer(database: Sql, customer: Customer, words: string): Promise<void> {
  await database.run(updateOne(rowOf(customer, words)))
}

/** Hides a customer that is not hidden yet; says whether there was one. */
export async function hideCustomer(
  database: Sql,
  merchantId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  const count = await database.run(sql`update customers set deleted_at = ${now}, words = ''
    where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
  return count === 1
}

export function customersFound(
  database: Sql,
  search: Omit<Search, 'table' | 'columns'>,
): Promise<Found<Customer>> {
  return newestFirst(database, { ...search, table: 'customers', columns })
}
