import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { reusableQuery, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { BatchingSql, BatchQueryParameters } from '../database/batching-sql.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { RecordSearch } from '../database/record-search.ts'
import { searchNewestFirst } from '../database/record-search.ts'
import type { SearchResult } from '../database/search.ts'
import type { Customer } from './customer.ts'
import { customerColumns, customers } from './customer.ts'

const packed = sql`${customerColumns.packed()} as packed`

const selectOne = reusableQuery<OwnedId>`select ${packed} from customers
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null`
const selectForChange = reusableQuery<OwnedId>`select ${packed} from customers
  where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null for update`

export async function customerById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Customer | undefined> {
  const row = await database.maybe<{ packed: unknown[] }>(selectOne({ merchantId, id }))
  return row && customerColumns.unpack(row.packed)
}

/** The customer, locked against other changes until the transaction ends. */
export async function customerForUpdate(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Customer | undefined> {
  const row = await database.maybe<{ packed: unknown[] }>(selectForChange({ merchantId, id }))
  return row && customerColumns.unpack(row.packed)
}

const inserted = customers.omit('merchantId', 'deletedAt')
const changeable = inserted.omit('id', 'createdViaPayment', 'createdAt')

const insertRows = reusableQuery<BatchQueryParameters>`insert into customers (merchant_id, ${inserted.names})
  select ${'merchantId'}::bigint, ${inserted.recordsetNames()}
  from json_to_recordset(${'rows'}::json) as ${inserted.recordset('given')}
  returning customers.id`

export async function insertCustomer(
  database: BatchingSql,
  customer: Customer,
  words: string,
): Promise<void> {
  const done = await database.batch(insertRows, { ...customer, words })
  if (!done) throw new Error(`the customer ${customer.id} was not written`)
}

const updateOne = reusableQuery<
  RowOf<typeof changeable> & OwnedId
>`update customers set ${changeable.assignmentParameters}
  where merchant_id = ${'merchantId'} and id = ${'id'}`

/** Writes all changeable columns of a customer. */
export async function updateCustomer(database: Sql, customer: Customer, words: string): Promise<void> {
  await database.run(updateOne({ ...customer, words }))
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

export function customersMatching(
  database: Sql,
  search: Omit<RecordSearch<Customer>, 'table'>,
): Promise<SearchResult<Customer>> {
  return searchNewestFirst(database, { ...search, table: customerColumns })
}

const contactColumns = customers.pick('email', 'phone')

export type Contact = RowOf<typeof contactColumns>

/** Column of a query about a payment `p`: contact details of its customer. */
export const contactColumn = sql`(select ${contactColumns.packed()} from customers
  where merchant_id = p.merchant_id and id = p.customer_id and deleted_at is null) as contact`

export function contactFromRow({ contact }: { contact: unknown[] | null }): Contact | undefined {
  return contact ? contactColumns.unpack(contact) : undefined
}

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
    and changes = ${customers.pick('changes').values({ changes })} for update`
}

/** Columns that the payment page changes. */
const correctable = customers.pick(
  'name',
  'lastname',
  'email',
  'phone',
  'country',
  'changes',
  'words',
  'updatedAt',
)

/** CTE of a query whose `transition` has merchant_id: writes the customer if `transition` has a row. */
export function changedCustomerPart({ before, after, words }: CustomerChange): SqlFragment {
  const row = { ...after, words }
  if (before)
    return sql`update customers c set ${correctable.assignments(row)}
      from transition where c.merchant_id = transition.merchant_id and c.id = ${row.id}`
  return sql`insert into customers (merchant_id, ${inserted.names})
    select merchant_id, ${inserted.values(row)} from transition`
}
