import { schemaForUpdate } from '../../kit/input/fields.ts'
import { Refused, validationFailed } from '../../kit/input/refusals.ts'
import type { Customer } from './customer.ts'
import { cityNeedsDistrict, customerFields, customerResource } from './customer.ts'

export const changeCustomerRoute = customerResource.routeToChange({
  summary: { tr: 'Müşteriyi değiştir', en: 'Change customer' },
  description: {
    tr: 'Yalnızca gönderilen alanları değiştirir ve müşterinin tamamını döndürür. İsteğe bağlı bir alan boş gönderilirse silinir. `metadata` gönderilirse önceki çiftlerin tamamının yerine geçer.',
    en: 'Changes only the fields that you send and returns the whole customer. An optional field that is sent empty is cleared. If `metadata` is sent, it replaces all previous pairs.',
  },
  body: schemaForUpdate(customerFields, ['city', 'district', 'address', 'zip_code', 'metadata'], {
    lastname: { example: 'Yılmaz' },
    country: {
      about: {
        tr: 'İki harfli ISO 3166-1 ülke kodu. Gönderilmezse, telefon değişse bile değişmez.',
        en: 'Two-letter ISO 3166-1 country code. If it is not sent, it stays unchanged, even if the phone changes.',
      },
    },
    address: { example: 'Bahariye Cad. 5' },
  }),
  columns: ({ phone, zip_code, ...sent }, before) => {
    const after = {
      ...before,
      ...sent,
      phone: phone?.e164 ?? before.phone,
      zipCode: zip_code === undefined ? before.zipCode : zip_code,
    }
    assertWholeAddress(after)
    return after
  },
})

function assertWholeAddress({ city, district }: Pick<Customer, 'city' | 'district'>): void {
  const complaints = new Map(
    [...cityNeedsDistrict({ city, district })].map(([name, sentence]) => [name, [sentence]]),
  )
  if (complaints.size > 0) throw new Refused(validationFailed, { complaints })
}
