import type { RawInput } from '../../kit/input/body.ts'
import { objectSchema, parsedTextField, textField } from '../../kit/input/fields.ts'
import { parseInputPartially } from '../../kit/input/parse-input.ts'
import { SecretPan } from '../../kit/money/card.ts'
import { parseCountryField } from '../../kit/money/countries-and-currencies.ts'
import { redact } from '../../kit/security/redaction.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { maxPhoneLength, parsePhoneInCountry } from '../../kit/text/phone.ts'
import type { Payer } from '../customers/index.ts'
import { customerFields } from '../customers/index.ts'
import { payerFieldErrorTexts } from './texts/texts.ts'

/** Form fields about the payer. */
const payerFields = ['name', 'lastname', 'email', 'phone', 'country'] as const

export type PayerField = (typeof payerFields)[number]

const { name, lastname, email } = customerFields

/** Fields as in the customer API, but the country is required and the phone may be in national format. */
const PayerForm = objectSchema({
  name,
  lastname,
  email,
  phone: textField('As it is dialled, there or from anywhere.', { max: maxPhoneLength }),
  country: parsedTextField<string>('Two letters of ISO 3166-1.', { max: 2, parse: parseCountryField }),
})

/**
 * Reads the payer's data, or returns all field errors. An error never repeats the input. Guarantee: a card
 * number typed or autofilled into a wrong field is not stored in a customer.
 */
export function readPayer(input: RawInput): Payer | Map<PayerField, LocalizedText> {
  const { value, complaints } = parseInputPartially(PayerForm, input)
  const { country } = value
  // A national number can only be checked if the country is known.
  const read =
    country !== undefined && value.phone !== undefined ? parsePhoneInCountry(value.phone, country) : undefined
  const isWrong = (field: PayerField) =>
    complaints.has(field) ||
    (field === 'phone' ? country !== undefined && !read : containsCardNumber(field, value[field]))
  const wrong = payerFields.filter(isWrong)
  if (wrong.length === 0 && read) return { ...(value as Required<typeof value>), phone: read }
  return new Map(wrong.map((field) => [field, payerFieldErrorTexts[field]]))
}

/**
 * True for a card number, in digits of any script. An e-mail address can hold many digits by chance, so it is
 * refused only if its local part is a card number.
 */
function containsCardNumber(field: PayerField, text = ''): boolean {
  if (field === 'email') return SecretPan.of(bare(text.split('@', 1)[0] ?? '')) !== undefined
  const plain = bare(text)
  return redact(plain) !== plain
}

/** Only the letters and digits of a text. */
function bare(text: string): string {
  return plainDigits(text.normalize('NFKC')).replaceAll(/[^\p{L}\d]/gu, '')
}

/** Digits of any script as ASCII: each script has ten in a row, beginning with zero. */
function plainDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    return String(code - zero)
  })
}
