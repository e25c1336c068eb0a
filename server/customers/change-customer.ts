import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { timestampedMetadata } from '../../kit/api/metadata.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { withTimelineChange } from '../../kit/api/timeline.ts'
import { schemaForUpdate } from '../../kit/input/fields.ts'
import { noSuchResource, Refused, validationFailed } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Customer } from './customer.ts'
import {
  cityNeedsDistrict,
  customerFields,
  customerIdParams,
  customerSearchVector,
  ShownCustomer,
  shownCustomer,
} from './customer.ts'
import { customerForUpdate, updateCustomer } from './store.ts'

const ChangeCustomer = schemaForUpdate(
  customerFields,
  ['city', 'district', 'address', 'zip_code', 'metadata'],
  {
    lastname: { example: 'Yılmaz' },
    country: {
      about: {
        tr: 'İki harfli ISO 3166-1 ülke kodu. Gönderilmezse, telefon değişse bile değişmez.',
        en: 'Two-letter ISO 3166-1 country code. If it is not sent, it stays unchanged, even if the phone changes.',
      },
    },
    address: { example: 'Bahariye Cad. 5' },
  },
)

export const changeCustomerRoute = route({
  method: 'POST',
  url: '/v1/customers/:customer_id',
  summary: { tr: 'Müşteriyi değiştir', en: 'Change customer' },
  description: {
    tr: 'Yalnızca gönderilen alanları değiştirir ve müşterinin tamamını döndürür. İsteğe bağlı bir alan boş gönderilirse silinir. `metadata` gönderilirse önceki çiftlerin tamamının yerine geçer.',
    en: 'Changes only the fields that you send and returns the whole customer. An optional field that is sent empty is cleared. If `metadata` is sent, it replaces all previous pairs.',
  },
  credential: 'secret',
  params: customerIdParams,
  body: ChangeCustomer,
  answer: bareResponseDefinition(ShownCustomer),
  handle: async (services: Services, merchant: Merchant, { params, body, language }) => {
    const customer = await changeCustomer(services, merchant, params.customer_id, body)
    return shownCustomer(customer, merchant, language, services.config.apiUrl)
  },
})

/**
 * Changes the given fields. Guarantee: an update without a change leaves no trace, in the timeline or
 * elsewhere.
 */
export function changeCustomer(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  merchant: Merchant,
  id: number,
  input: Static<typeof ChangeCustomer>,
): Promise<Customer> {
  return sql.transaction(async (transaction) => {
    const before = await customerForUpdate(transaction, merchant.id, id)
    if (!before) throw new Refused(noSuchResource)
    const now = clock.now()
    const after = changed(before, input, now)
    if (isDeepStrictEqual(after, before)) return before
    assertWholeAddress(after)
    const noted = { ...after, changes: withTimelineChange(before.changes, now), updatedAt: now }
    await updateCustomer(transaction, noted, customerSearchVector(noted))
    return noted
  })
}

function changed(before: Customer, input: Static<typeof ChangeCustomer>, now: Date): Customer {
  const { city, district, address, zip_code, metadata } = input
  return {
    ...before,
    name: input.name ?? before.name,
    lastname: input.lastname ?? before.lastname,
    email: input.email ?? before.email,
    phone: input.phone?.e164 ?? before.phone,
    country: input.country ?? before.country,
    city: city === undefined ? before.city : city,
    district: district === undefined ? before.district : district,
    address: address === undefined ? before.address : address,
    zipCode: zip_code === undefined ? before.zipCode : zip_code,
    metadata:
      metadata === undefined ? before.metadata : timestampedMetadata(metadata ?? [], now, before.metadata),
  }
}

function assertWholeAddress({ city, district }: Customer): void {
  const complaints = new Map(
    [...cityNeedsDistrict({ city, district })].map(([name, sentence]) => [name, [sentence]]),
  )
  if (complaints.size > 0) throw new Refused(validationFailed, { complaints })
}
