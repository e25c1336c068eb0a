import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { Customer } from './customer.ts'
import { customerSearchVector, customers } from './customer.ts'

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

const inserted = customers.omit('merchantId', 'deletedAt')
/** All are written. Those that the payment page does not change have the values before it. */
const changeable = inserted.omit('id', 'createdAt')

/** CTE of a query whose `transition` has merchant_id: writes the customer if `transition` has a row. */
export function changedCustomerPart({ before, after }: CustomerChange): SqlFragment {
  const row = { ...after, words: customerSearchVector(after) }
  if (before)
    return sql`update customers c set ${changeable.assignments(row)}
      from transition where c.merchant_id = transition.merchant_id and c.id = ${row.id}`
  return sql`insert into customers (merchant_id, ${inserted.names})
    select merchant_id, ${inserted.values(row)} from transition`
}
