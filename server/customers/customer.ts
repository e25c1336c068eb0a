import type { Static } from 'typebox'
import { metadataField } from '../../kit/api/metadata.ts'
import {
  nullableSchema,
  resourceSchema,
  shownBooleanSchema,
  shownIntegerSchema,
  shownTextSchema,
} from '../../kit/api/resource.ts'
import type { TimelineTexts } from '../../kit/api/timeline.ts'
import { shownTimelineSchema } from '../../kit/api/timeline.ts'
import { checkEmail, maxEmailLength } from '../../kit/input/email.ts'
import type { ObjectRule } from '../../kit/input/fields.ts'
import { optional, parsedTextField, textField } from '../../kit/input/fields.ts'
import { parseCountryField } from '../../kit/money/countries-and-currencies.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, boolean, defineMerchantTable, text } from '../../kit/runtime/table.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import type { Phone } from '../../kit/text/phone.ts'
import {
  callingCode,
  maxPhoneLength,
  parseInternationalPhone,
  parsePhoneField,
} from '../../kit/text/phone.ts'
import { foldedWordsOf, foldForSearch, tsvectorOf } from '../database/full-text-search.ts'
import type { Merchant } from '../merchants/index.ts'
import { flagUrl } from '../pictures/index.ts'
import { Resource, resourceColumns, shownRecord, shownResourceFields } from '../resources/index.ts'

export const customers = defineMerchantTable('customers', {
  merchantId: bigint(),
  id: bigint(),
  name: text(),
  lastname: text(),
  email: text(),
  /** E.164 format. */
  phone: text(),
  country: text(),
  city: text().orNull(),
  district: text().orNull(),
  address: text().orNull(),
  zipCode: text().orNull(),
  createdViaPayment: boolean(),
  ...resourceColumns,
})

/** A person who buys from a merchant. */
export type Customer = Omit<RowOf<typeof customers>, 'words' | 'deletedAt'>

/** Columns of a customer whose address is unknown. */
export const noAddress = { city: null, district: null, address: null, zipCode: null }

const timelineTexts: TimelineTexts = {
  created: { tr: 'Müşteri oluşturuldu.', en: 'The customer was created.' },
  updated: { tr: 'Müşteri güncellendi.', en: 'The customer was updated.' },
}

export const customerFields = {
  name: textField(
    { tr: 'Müşterinin adı.', en: 'First name of the customer.' },
    { max: 100, example: 'Ayşe' },
  ),
  lastname: textField(
    { tr: 'Müşterinin soyadı.', en: 'Last name of the customer.' },
    { max: 100, example: 'Işık' },
  ),
  email: textField(
    { tr: 'Müşterinin e-posta adresi.', en: 'E-mail address of the customer.' },
    { max: maxEmailLength, check: checkEmail, example: 'ayse.isik@example.com' },
  ),
  phone: parsedTextField<Phone>(
    {
      tr: 'Uluslararası biçimde telefon numarası; yanıtta E.164 biçiminde döner.',
      en: 'Phone number in international format. Responses return it in E.164.',
    },
    { max: maxPhoneLength, parse: parsePhoneField, example: '+905321234567' },
  ),
  country: optional(
    parsedTextField<string>(
      {
        tr: 'İki harfli ISO 3166-1 ülke kodu. Gönderilmezse telefon numarasının ülkesi, o da belirlenemezse üye iş yerinin ülkesi kullanılır.',
        en: 'Two-letter ISO 3166-1 country code. If it is not sent, the country of the phone number is used, or else the merchant’s country.',
      },
      { max: 2, parse: parseCountryField, example: 'TR' },
    ),
  ),
  city: optional(textField({ tr: 'Şehir.', en: 'City.' }, { max: 100, example: 'İstanbul' })),
  district: optional(
    textField(
      { tr: 'İlçe; şehir gönderilirse zorunludur.', en: 'District; required if a city is sent.' },
      { max: 100, example: 'Kadıköy' },
    ),
  ),
  address: optional(
    textField({ tr: 'Açık adres.', en: 'Street address.' }, { max: 500, example: 'Moda Cad. 12/3' }),
  ),
  zip_code: optional(textField({ tr: 'Posta kodu.', en: 'Postal code.' }, { max: 20, example: '34710' })),
  metadata: optional(metadataField),
}

/** A city without a district is an incomplete address. */
export const cityNeedsDistrict: ObjectRule = ({ city, district }) =>
  city !== undefined && city !== null && (district === undefined || district === null)
    ? [['district', { tr: 'Şehir gönderilirse ilçe de zorunludur.', en: 'Required if a city is sent.' }]]
    : []

const idText: LocalizedText = { tr: 'Müşteri numarası.', en: 'ID of the customer.' }

const { merchant_id, ...otherShownFields } = shownResourceFields

const ShownCustomer = resourceSchema(
  'Customer',
  { tr: 'Müşteri.', en: 'Customer of the merchant.' },
  {
    id: shownIntegerSchema(idText, 10000000000042),
    merchant_id,
    name: shownTextSchema({ tr: 'Müşterinin adı.', en: 'First name.' }, 'Ayşe'),
    lastname: shownTextSchema({ tr: 'Müşterinin soyadı.', en: 'Last name.' }, 'Işık'),
    name_lastname: shownTextSchema(
      { tr: 'Ad ve soyad, aralarında bir boşlukla.', en: 'First and last name, joined by a space.' },
      'Ayşe Işık',
    ),
    phone_code: shownTextSchema(
      { tr: 'Ülkenin telefon kodu.', en: 'Dialling prefix of the country.' },
      '+90',
    ),
    phone: shownTextSchema(
      { tr: 'Telefon numarası, E.164 biçiminde.', en: 'Phone number, in E.164.' },
      '+905321234567',
    ),
    email: shownTextSchema({ tr: 'E-posta adresi.', en: 'E-mail address.' }, 'ayse.isik@example.com'),
    country: shownTextSchema(
      { tr: 'ISO 3166-1 ülke kodu, büyük harfle.', en: 'ISO 3166-1 country code, in upper case.' },
      'TR',
    ),
    country_flag_url: shownTextSchema(
      { tr: 'Ülke bayrağı görselinin adresi.', en: 'Address of an image of the country’s flag.' },
      'http://localhost:4242/flags/tr.svg',
    ),
    city: nullableSchema(
      shownTextSchema({ tr: 'Şehir; yoksa null.', en: 'City; null if not set.' }, 'İstanbul'),
    ),
    district: nullableSchema(
      shownTextSchema({ tr: 'İlçe; yoksa null.', en: 'District; null if not set.' }, 'Kadıköy'),
    ),
    address: nullableSchema(
      shownTextSchema(
        { tr: 'Açık adres; yoksa null.', en: 'Street address; null if not set.' },
        'Moda Cad. 12/3',
      ),
    ),
    zip_code: nullableSchema(
      shownTextSchema({ tr: 'Posta kodu; yoksa null.', en: 'Postal code; null if not set.' }, '34710'),
    ),
    created_via_payment: shownBooleanSchema(
      {
        tr: 'Kaydı ödeme sayfası oluşturduysa true, API oluşturduysa false.',
        en: 'True if the payment page created the customer; false if the API did.',
      },
      false,
    ),
    ...otherShownFields,
    timeline: shownTimelineSchema(timelineTexts),
  },
)

function shownCustomer(
  customer: Customer,
  merchant: Merchant,
  language: Language,
  apiUrl: string,
): Static<typeof ShownCustomer> {
  return {
    ...shownRecord(customer, timelineTexts, merchant, language),
    name: customer.name,
    lastname: customer.lastname,
    name_lastname: `${customer.name} ${customer.lastname}`,
    phone_code: callingCode(customer.country),
    phone: customer.phone,
    email: customer.email,
    country: customer.country,
    country_flag_url: flagUrl(apiUrl, customer.country),
    city: customer.city,
    district: customer.district,
    address: customer.address,
    zip_code: customer.zipCode,
    created_via_payment: customer.createdViaPayment,
  }
}

/** Letters of a customer's searchable fields. */
export const customerSearchFields = {
  name: 'n',
  lastname: 'l',
  email: 'e',
  /** The whole address, for a search with an @. */
  wholeEmail: 'm',
  phone: 'p',
  country: 'k',
  city: 'c',
  district: 'd',
  address: 'a',
  zipCode: 'z',
} as const

/**
 * Searchable words of a customer, as a tsvector. A phone is found with and without the country's prefix, and
 * without leading zeros, which some countries dial and others do not.
 */
export function customerSearchVector(customer: Customer): string {
  const phone = parseInternationalPhone(customer.phone)
  const digits = customer.phone.slice(1)
  return tsvectorOf(customer.merchantId, {
    [customerSearchFields.name]: foldedWordsOf(customer.name),
    [customerSearchFields.lastname]: foldedWordsOf(customer.lastname),
    [customerSearchFields.email]: foldedWordsOf(customer.email),
    [customerSearchFields.wholeEmail]: [foldForSearch(customer.email)],
    [customerSearchFields.phone]: phone ? [digits, phone.national.replace(/^0+/, '')] : [digits],
    [customerSearchFields.country]: [customer.country],
    [customerSearchFields.city]: foldedWordsOf(customer.city),
    [customerSearchFields.district]: foldedWordsOf(customer.district),
    [customerSearchFields.address]: foldedWordsOf(customer.address),
    [customerSearchFields.zipCode]: foldedWordsOf(customer.zipCode),
  })
}

export const customerResource = new Resource({
  table: customers,
  searchVector: customerSearchVector,
  url: '/v1/customers',
  id: { name: 'customer_id', about: idText },
  schema: ShownCustomer,
  show: shownCustomer,
})
