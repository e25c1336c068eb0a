import { envelopeResponseDefinition, nullResultSchema, route } from '../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { customerIdParams } from './customer.ts'
import { softDeleteCustomer } from './store.ts'

export const deleteCustomerRoute = route({
  method: 'DELETE',
  url: '/v1/customers/:customer_id',
  summary: { tr: 'Müşteriyi sil', en: 'Delete customer' },
  description: {
    tr: 'Müşteriyi siler: kayıt artık okunamaz ve aramalarda çıkmaz. Bu müşteriyle yapılmış ödemelerin kayıtları değişmez.',
    en: 'Deletes the customer: it can no longer be read, and searches do not find it. Payments of the customer keep their recorded data.',
  },
  credential: 'secret',
  params: customerIdParams,
  answer: envelopeResponseDefinition(nullResultSchema, {
    tr: 'Müşteri silindi.',
    en: 'The customer was deleted.',
  }),
  handle: async (services: Services, merchant: Merchant, { params }) => {
    await deleteCustomer(services, merchant, params.customer_id)
    return null
  },
})

export async function deleteCustomer(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  merchant: Merchant,
  id: number,
): Promise<void> {
  if (!(await softDeleteCustomer(sql, merchant.id, id, clock.now()))) throw new Refused(noSuchResource)
}
