import type { Static } from 'typebox'
import { timestampedMetadata } from '../../kit/api/metadata.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Customer } from './customer.ts'
import {
  cityNeedsDistrict,
  customerFields,
  customerSearchVector,
  ShownCustomer,
  shownCustomer,
} from './customer.ts'
import { insertCustomer } from './store.ts'

const CreateCustomer = objectSchema(customerFields, undefined, { rule: cityNeedsDistrict })

export const createCustomerRoute = route({
  method: 'POST',
  url: '/v1/customers',
  summary: { tr: 'Müşteri oluştur', en: 'Create customer' },
  description: {
    tr: 'Yeni bir müşteri kaydeder. Ödeme başlatırken müşterinin numarasını verirseniz ödeme sayfası müşteri bilgilerini yeniden sormaz.',
    en: 'Creates a customer. If you send the customer’s ID when you start a payment, the payment page does not ask for the customer’s details again.',
  },
  credential: 'secret',
  body: CreateCustomer,
  answer: bareResponseDefinition(ShownCustomer),
  handle: async (services: Services, merchant: Merchant, { body, language }) => {
    const customer = await createCustomer(services, merchant, body)
    return shownCustomer(customer, merchant, language, services.config.apiUrl)
  },
})

/** Creates a customer. Without a country it gets that of the phone, or else the merchant's. */
export async function createCustomer(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  merchant: Merchant,
  input: Static<typeof CreateCustomer>,
): Promise<Customer> {
  const now = clock.now()
  const customer: Customer = {
    merchantId: merchant.id,
    id: await ids.next(),
    name: input.name,
    lastname: input.lastname,
    email: input.email,
    phone: input.phone.e164,
    country: input.country ?? input.phone.country ?? merchant.country,
    city: input.city ?? null,
    district: input.district ?? null,
    address: input.address ?? null,
    zipCode: input.zip_code ?? null,
    createdViaPayment: false,
    metadata: timestampedMetadata(input.metadata ?? [], now),
    changes: [],
    createdAt: now,
    updatedAt: now,
  }
  await insertCustomer(sql, customer, customerSearchVector(customer, input.phone))
  return customer
}
