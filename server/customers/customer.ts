import type { Static } from 'typebox'
import { Format } from 'typebox/format'
import type { TimestampedMetadataItem } from '../../kit/api/metadata.ts'
import { metadataField, shownMetadata, shownMetadataSchema } from '../../kit/api/metadata.ts'
import {
  nullableSchema,
  resourceSchema,
  shownBooleanSchema,
  shownIntegerSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import type { TimelineChange, TimelineTexts } from '../../kit/api/timeline.ts'
import { shownTimeline, shownTimelineSchema } from '../../kit/api/timeline.ts'
import type { FieldCheck, ObjectRule } from '../../kit/input/fields.ts'
import { idField, objectSchema, optional, parsedTextField, textField } from '../../kit/input/fields.ts'
import { parseCountryField } from '../../kit/money/countries-and-currencies.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import type { Phone } from '../../kit/text/phone.ts'
import { callingCode, parseInternationalPhone, parsePhoneField } from '../../kit/text/phone.ts'
import { displayTime, isoTime } from '../../kit/text/zoned-time.ts'
import { foldedWordsOf, foldForSearch, tsvectorOf } from '../database/full-text-search.ts'
import type { Merchant } from '../merchants/index.ts'
import { flagUrl } from '../pictures/index.ts'

/** A person who buys from a merchant. */
export interface Customer {
  merchantId: number
  id: number
  name: string
  lastname: string
  email: string
  /** E.164 format. */
  phone: string
  country: string
  city: string | null
  district: string | null
  address: string | null
  zipCode: string | null
  createdViaPayment: boolean
  metadata: TimestampedMetadataItem[]
  changes: TimelineChange[]
  createdAt: Date
  updatedAt: Date
}

const timelineTexts: TimelineTexts = {
  created: { tr: 'Müşteri oluşturuldu.', en: 'The customer was created.' },
  updated: { tr: 'Müşteri güncellendi.', en: 'The customer was updated.' },
}

const realEmail: FieldCheck<string> = (value) =>
  Format.IsEmail(value) && /^[^"[]+\.[^.]{2,}$/.test(value)
    ? undefined
    : {
        tr: 'Geçerli bir e-posta adresi olmalıdır, örneğin ayse@ornek.com.',
        en: 'Must be a valid e-mail address, for example ayse@example.com.',
      }

/** Length as typed, including separators. */
export const maxPhoneLength = 40

/** Fields of a customer for creation and update. */
export const customerFields = {
  name: textField({ tr: 'Müşterinin adı.', en: 'The customer’s first name.' }, { max: 100, example: 'Ayşe' }),
  lastname: textField(
    { tr: 'Müşterinin soyadı.', en: 'The customer’s last name.' },
    { max: 100, example: 'Işık' },
  ),
  email: textField(
    { tr: 'Müşterinin e-posta adresi.', en: 'The customer’s e-mail address.' },
    { max: 254, check: realEmail, example: 'ayse.isik@example.com' },
  ),
  phone: parsedTextField<Phone>(
    {
      tr: 'Uluslararası biçimde telefon numarası; yanıtta E.164 biçimindedir.',
      en: 'A phone number in international format; it comes back in E.164.',
    },
    { max: maxPhoneLength, parse: parsePhoneField, example: '+905321234567' },
  ),
  country: optional(
    parsedTextField<string>(
      {
        tr: 'İki harfli ISO 3166-1 ülke kodu. Verilmezse telefon numarasının ülkesi, o da belirlenemezse üye iş yerinin ülkesi kullanılır.',
        en: 'The country, as two letters of ISO 3166-1. If not given it is the phone’s, or else the merchant’s.',
      },
      { max: 2, parse: parseCountryField, example: 'TR' },
    ),
  ),
  city: optional(textField({ tr: 'Şehir.', en: 'The city.' }, { max: 100, example: 'İstanbul' })),
  district: optional(
    textField(
      { tr: 'İlçe; şehir verildiğinde zorunludur.', en: 'The district; required when a city is given.' },
      { max: 100, example: 'Kadıköy' },
    ),
  ),
  address: optional(
    textField({ tr: 'Açık adres.', en: 'The street address.' }, { max: 500, example: 'Moda Cad. 12/3' }),
  ),
  zip_code: optional(textField({ tr: 'Posta kodu.', en: 'The postal code.' }, { max: 20, example: '34710' })),
  metadata: optional(metadataField),
}

const districtOfCity: LocalizedText = {
  tr: 'Şehir verildiğinde ilçe de zorunludur.',
  en: 'Required when a city is given.',
}

/** A city without a district is an incomplete address. */
export const cityNeedsDistrict: ObjectRule = ({ city, district }) =>
  city !== undefined && city !== null && (district === undefined || district === null)
    ? [['district', districtOfCity]]
    : []

export const customerIdParams = objectSchema({
  customer_id: idField({ tr: 'Müşteri numarası.', en: 'The id of the customer.' }),
})

export const ShownCustomer = resourceSchema(
  'Customer',
  { tr: 'Bir müşteri.', en: 'A customer.' },
  {
    id: shownIntegerSchema({ tr: 'Müşteri numarası.', en: 'Its id.' }, 10000000000042),
    merchant_id: shownIntegerSchema(
      { tr: 'Kaydın ait olduğu üye iş yerinin numarası.', en: 'The merchant that it belongs to.' },
      10000000000001,
    ),
    name: shownTextSchema({ tr: 'Adı.', en: 'The first name.' }, 'Ayşe'),
    lastname: shownTextSchema({ tr: 'Soyadı.', en: 'The last name.' }, 'Işık'),
    name_lastname: shownTextSchema(
      { tr: 'Adı ve soyadı, araya bir boşluk konularak.', en: 'First and last name, joined by a space.' },
      'Ayşe Işık',
    ),
    phone_code: shownTextSchema(
      { tr: 'Ülkenin telefon kodu.', en: 'The dialling prefix of the country.' },
      '+90',
    ),
    phone: shownTextSchema(
      { tr: 'Telefon numarası, E.164 biçiminde.', en: 'The phone number, in E.164.' },
      '+905321234567',
    ),
    email: shownTextSchema({ tr: 'E-posta adresi.', en: 'The e-mail address.' }, 'ayse.isik@example.com'),
    country: shownTextSchema(
      { tr: 'ISO 3166-1 ülke kodu, büyük harfle.', en: 'The ISO 3166-1 country code, in capitals.' },
      'TR',
    ),
    country_flag_url: shownTextSchema(
      { tr: 'Ülke bayrağı görselinin adresi.', en: 'The address of a picture of the country’s flag.' },
      'http://localhost:4242/flags/tr.svg',
    ),
    city: nullableSchema(shownTextSchema({ tr: 'Şehir; yoksa null.', en: 'The city, or null.' }, 'İstanbul')),
    district: nullableSchema(
      shownTextSchema({ tr: 'İlçe; yoksa null.', en: 'The district, or null.' }, 'Kadıköy'),
    ),
    address: nullableSchema(
      shownTextSchema(
        { tr: 'Açık adres; yoksa null.', en: 'The street address, or null.' },
        'Moda Cad. 12/3',
      ),
    ),
    zip_code: nullableSchema(
      shownTextSchema({ tr: 'Posta kodu; yoksa null.', en: 'The postal code, or null.' }, '34710'),
    ),
    created_via_payment: shownBooleanSchema(
      {
        tr: 'Ödeme sayfasında oluşturulduysa true, API ile oluşturulduysa false.',
        en: 'True when the payment page made it, false when the API did.',
      },
      false,
    ),
    created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'When it was created.' }),
    updated_at: shownTimeSchema({ tr: 'Son değiştiği tarih ve saat.', en: 'When it last changed.' }),
    formatted_created_at: shownTextSchema(
      {
        tr: 'Oluşturulduğu tarih ve saat, ekranda gösterilecek biçimde.',
        en: 'When it was created, to be shown to people.',
      },
      '15.11.2026 09:30',
    ),
    metadata: shownMetadataSchema,
    timeline: shownTimelineSchema(timelineTexts),
  },
)

export function shownCustomer(
  customer: Customer,
  merchant: Merchant,
  language: Language,
  apiUrl: string,
): Static<typeof ShownCustomer> {
  const { timeZone } = merchant
  return {
    id: customer.id,
    merchant_id: customer.merchantId,
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
    created_at: isoTime(customer.createdAt, timeZone),
    updated_at: isoTime(customer.updatedAt, timeZone),
    formatted_created_at: displayTime(customer.createdAt, timeZone),
    metadata: shownMetadata(customer.metadata, merchant),
    timeline: shownTimeline(customer, timelineTexts, language, timeZone),
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
export function customerSearchVector(
  customer: Customer,
  phone = parseInternationalPhone(customer.phone),
): string {
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
