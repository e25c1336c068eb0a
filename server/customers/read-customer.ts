import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Customer } from './customer.ts'
import { customerIdParams, ShownCustomer, shownCustomer } from './customer.ts'
import { customerById } from './store.ts'

export const readCustomerRoute = route({
  method: 'GET',
  url: '/v1/customers/:customer_id',
  summary: { tr: 'Müşteriyi getir', en: 'Read customer' },
  description: { tr: 'Bir müşteriyi döndürür.', en: 'Returns a customer.' },
  credential: 'secret',
  params: customerIdParams,
  answer: bareResponseDefinition(ShownCustomer),
  handle: async (services: Services, merchant: Merchant, { params, language }) => {
    const customer = await requireCustomer(services, merchant, params.customer_id)
    return shownCustomer(customer, merchant, language, services.config.apiUrl)
  },
})

export async function requireCustomer(
  { sql }: Pick<Services, 'sql'>,
  merchant: Merchant,
  id: number,
): Promise<Customer> {
  const customer = await customerById(sql, merchant.id, id)
  if (!customer) throw new Refused(noSuchResource)
  return customer
}
