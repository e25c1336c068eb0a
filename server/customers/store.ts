import type { Insert, SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { Customer } from './customer.ts'
import { customerSearchVector, customers } from './customer.ts'

const contactColumns = customers.pick('email', 'phone')

export type Contact = RowOf<typeof contactColumns>

/** Column of a query about a merchant's payment `p`: contact details of its customer. */
export function contactColumn(merchantId: SqlFragment): SqlFragment {
  return sql`(select ${contactColumns.packed()} from customers
    where merchant_id = ${merchantId} and id = p.customer_id and deleted_at is null) as contact`
}

export function contactFromRow({ contact }: { contact: unknown[] | null }): Contact | undefined {
  return contact ? contactColumns.unpack(contact) : undefined
}

/** CTE of a query whose `requested_customer` has the id: one row if the merchant has that customer. */
export function existingCustomerPart(merchantId: SqlFragment): SqlFragment {
  return sql`select customer.id from requested_customer join customers customer
    on customer.merchant_id = ${merchantId} and customer.id = requested_customer.id and customer.deleted_at is null`
}

/** The new state of a customer. A new customer has no `before`. */
export interface CustomerChange {
  before?: Customer
  after: Customer
}

/**
 * CTE of a query: one row, locked against other changes, if the customer is unchanged. Every change extends
 * the list of changes, so comparing that list is enough.
 */
export function unchangedCustomerPart({ merchantId, id, changes }: Customer): SqlFragment {
  return sql`select id from customers where merchant_id = ${merchantId} and id = ${id} and deleted_at is null
    and changes = ${customers.pick('changes').values({ changes })} for update`
}

const inserted = customers.omit('deletedAt')
/** All are written. Those that the payment page does not change have the values before it. */
const changeable = inserted.omit('merchantId', 'id', 'createdAt')

/** Part of a transition: writes the changed customer. */
export function changedCustomerPart(after: Customer): SqlFragment {
  return sql`update customers set ${changeable.assignments(rowOf(after))}
    where merchant_id = ${after.merchantId} and id = ${after.id} and exists (select from transition)`
}

/** Part of a transition: inserts a new customer. */
export function newCustomerPart(after: Customer): Insert {
  return inserted.insert(rowOf(after))
}

function rowOf(customer: Customer) {
  return { ...customer, words: customerSearchVector(customer) }
}
