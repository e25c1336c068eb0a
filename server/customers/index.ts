import { changeCustomerRoute } from './change-customer.ts'
import { createCustomerRoute } from './create-customer.ts'
import { deleteCustomerRoute } from './delete-customer.ts'
import { readCustomerRoute } from './read-customer.ts'
import { searchCustomersRoute } from './search-customers.ts'

export type { Customer } from './customer.ts'
export { customerFields, customerSearchVector, customers } from './customer.ts'
export { customerOfPayer, type Payer } from './payer.ts'
export {
  type Contact,
  type CustomerChange,
  changedCustomerPart,
  contactColumn,
  contactFromRow,
  existingCustomerPart,
  newCustomerPart,
  unchangedCustomerPart,
} from './store.ts'

/** Routes in the order of the documentation. */
export const customerRoutes = [
  createCustomerRoute,
  readCustomerRoute,
  searchCustomersRoute,
  changeCustomerRoute,
  deleteCustomerRoute,
]
