import type { Static } from 'typebox'
import { checkEmail, maxEmailLength } from '../../kit/input/email.ts'
import {
  booleanField,
  choiceField,
  integerField,
  listField,
  objectSchema,
  parsedTextField,
  textField,
} from '../../kit/input/fields.ts'
import { httpsRequiredComplaint, maxUrlLength, parseHttpUrlField } from '../../kit/input/http-url.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { Type } from '../../kit/input/schema.ts'
import { parseCountryField, parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import {
  bigint,
  boolean,
  defineTable,
  integer,
  text,
  textArray,
  timestamptz,
} from '../../kit/runtime/table.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import { languages } from '../../kit/text/locale.ts'
import { maxPhoneLength, parsePhoneField } from '../../kit/text/phone.ts'
import { isTimeZone } from '../../kit/text/zoned-time.ts'

export const merchants = defineTable('merchants', {
  id: bigint(),
  name: text(),
  live: boolean(),
  madeBy: text<'command' | 'demo'>(),
  state: text<'active' | 'suspended'>(),
  language: text<Language>(),
  country: text(),
  timeZone: text(),
  currency: text(),
  pageLifetimeMinutes: integer(),
  whiteLabel: boolean(),
  productsRequired: boolean(),
  supports3d: boolean(),
  supports2d: boolean(),
  supportsInstallment: boolean(),
  /** Web origins that may use a live merchant's public keys and frame a merchant's payment pages. */
  origins: textArray(),
  colour: text().orNull(),
  /** Address to which a payment page leads payers back, if the payment has no redirect URL. */
  website: text().orNull(),
  supportEmail: text().orNull(),
  /** E.164. */
  supportPhone: text().orNull(),
  /** Digest of a picture. */
  logo: text().orNull(),
  /** Days from the day of the capture until the money is available; 0 means immediately. */
  settlementDays: integer(),
  /** Hours after which an open pre-authorization is captured or released automatically; null: never. */
  preAuthDeadlineHours: integer().orNull(),
  atPreAuthDeadline: text<'capture' | 'release'>(),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
})

/**
 * A business that collects payments. Its mode never changes: a test merchant reaches only the sandbox bank, a
 * live one never does.
 */
export type Merchant = RowOf<typeof merchants>

export const merchantNameField = textField('Name of the merchant, for payers and operators.', {
  max: 100,
})

export const maxOrigins = 50

export const originListField = (about: string) =>
  listField(about, textField('Web origin.', { max: 200, check: plainOrigin }), { max: maxOrigins })

/** Settings of a merchant, as the command line takes them. */
const settings = {
  name: merchantNameField,
  language: choiceField('Default language of its texts.', languages),
  country: textField('Country: two letters of ISO 3166-1.', { max: 2, check: parseCountryField }),
  time_zone: textField('Time zone of the times shown, for example Europe/Istanbul.', {
    max: 64,
    check: knownZone,
  }),
  currency: textField('Default currency: three letters of ISO 4217.', {
    max: 3,
    check: parseCurrencyField,
  }),
  page_lifetime_minutes: integerField('Lifetime of a payment page, in minutes.', { min: 5, max: 1440 }),
  white_label: booleanField('true: the payment page shows only this merchant, and payments need a customer.'),
  products_required: booleanField('true: payments without products are refused.'),
  supports_3d: booleanField('true: takes 3-D Secure payments.'),
  supports_2d: booleanField('true: takes payments without 3-D Secure.'),
  supports_installment: booleanField('true: payers may choose installments.'),
  origins: originListField(
    'Web origins that may use its public keys and show its payment pages in a frame, for example https://shop.example.',
  ),
  colour: textField('Colour of its payment page, as #rrggbb.', { max: 7, check: sixDigitColour }),
  website: parsedTextField<string>(
    'Web address to which its payment pages lead payers back, if a payment has no redirect_url.',
    { max: maxUrlLength, parse: parseWebsite },
  ),
  support_email: textField('E-mail address for questions of payers, shown at the end of a payment.', {
    max: maxEmailLength,
    check: checkEmail,
  }),
  support_phone: parsedTextField<string>(
    'Phone number for questions of payers in international format, shown at the end of a payment.',
    { max: maxPhoneLength, parse: parseSupportPhone },
  ),
  settlement_days: integerField(
    'Days after the day of a charge until the money is available. 0: immediately.',
    { min: 0, max: 90 },
  ),
  pre_auth_deadline_hours: integerField(
    'Hours after which an unresolved pre-authorization is captured or released automatically. Not set: never.',
    { min: 1, max: 8760 },
  ),
  at_pre_auth_deadline: choiceField('Resolution of a pre-authorization at its deadline.', [
    'capture',
    'release',
  ]),
}

/** The settings, all optional. */
export const MerchantSettings = Type.Partial(objectSchema(settings))

/** A setting has the name of its column. */
export const settingColumns = Object.keys(settings).map((setting) => {
  const found = merchants.catalog.find(({ column }) => column === setting)
  if (!found) throw new Error(`no column holds the setting ${setting}`)
  return { column: found.column, name: found.name as keyof Merchant }
})

/** The merchant with the given settings changed. Guarantee: a live merchant gets no website without https. */
export function withSettings(merchant: Merchant, given: Static<typeof MerchantSettings>): Merchant {
  const sent: Readonly<Record<string, unknown>> = given
  const changed = settingColumns.map(({ name, column }) => [name, sent[column] ?? merchant[name]])
  if (merchant.live && given.website?.startsWith('http:'))
    throw invalidParameter('website', httpsRequiredComplaint)
  return { ...merchant, ...Object.fromEntries(changed) }
}

function parseWebsite(text: string): { value: string } | LocalizedText {
  const address = parseHttpUrlField(text)
  return 'value' in address ? { value: address.value.href } : address
}

function parseSupportPhone(value: string, raw: string): { value: string } | LocalizedText {
  const phone = parsePhoneField(value, raw)
  return 'value' in phone ? { value: phone.value.e164 } : phone
}

function knownZone(name: string): LocalizedText | undefined {
  if (isTimeZone(name)) return undefined
  return {
    tr: 'Bir saat dilimi olmalıdır, örneğin Europe/Istanbul.',
    en: 'Must be a time zone, for example Europe/Istanbul.',
  }
}

function plainOrigin(origin: string): LocalizedText | undefined {
  const url = URL.parse(origin)
  // The page's security policy names the origins, so a host must be in the form that is valid there.
  const isHost = /^[a-z0-9.-]+(?::\d+)?$/.test(url?.host ?? '')
  if (url && isHost && ['http:', 'https:'].includes(url.protocol) && url.origin === origin) return undefined
  return {
    tr: 'Yol içermeyen bir web kökeni olmalıdır, örneğin https://magaza.example.',
    en: 'Must be a web origin without a path, for example https://shop.example.',
  }
}

function sixDigitColour(colour: string): LocalizedText | undefined {
  if (/^#[0-9a-fA-F]{6}$/.test(colour)) return undefined
  return { tr: '#rrggbb biçiminde bir renk olmalıdır.', en: 'Must be a colour in the form #rrggbb.' }
}
