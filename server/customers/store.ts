import type { Search } from '../database/search.ts'
import { newestFirst } from '../database/search.ts'
import type { Found } from '../kit/search.ts'
import type { Sql } from '../kit/sql.ts'
import { join, listText, sql } from '../kit/sql.ts'
import type { Customer } from './customer.ts'

const columns = sql`merchant_id as "merchantId", id, name, lastname, email, phone, country, city, district, address,
  zip_code as "zipCode", created_via_payment as "createdViaPayment", metadata, changes, created_at as "createdAt",
  updated_at as "updatedAt"`

export function customerById(database: Sql, merchantId: number, id: number): Promise<Customer | undefined> {
  return database.maybe(
    sql`select ${columns} from customers where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`,
  )
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

/** `words` is what the customer is found by, as a tsvector. */
export async function insertCustomer(database: Sql, customer: Customer, words: string): Promise<void> {
  const c = customer
  await database.run(sql`insert into customers (merchant_id, id, name, lastname, email, phone, country, city, district,
      address, zip_code, created_via_payment, metadata, changes, words, created_at, updated_at)
    values (${join([c.merchantId, c.id, c.name, c.lastname, c.email, c.phone, c.country, c.city, c.district])},
      ${join([c.address, c.zipCode, c.createdViaPayment, listText(c.metadata), listText(c.changes)])},
      ${words}::tsvector, ${c.createdAt}, ${c.updatedAt})`)
}

/** Writes everything about a customer that may change. */
export async function updateCustomer(database: Sql, customer: Customer, words: string): Promise<void> {
  const c = customer
  await database.run(sql`update customers set name = ${c.name}, lastname = ${c.lastname}, email = ${c.email},
      phone = ${c.phone}, country = ${c.country}, city = ${c.city}, district = ${c.district}, address = ${c.address},
      zip_code = ${c.zipCode}, metadata = ${listText(c.metadata)}, changes = ${listText(c.changes)},
      words = ${words}::tsvector, updated_at = ${c.updatedAt}
    where merchant_id = ${c.merchantId} and id = ${c.id}`)
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
