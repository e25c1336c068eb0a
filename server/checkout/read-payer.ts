import type { RawInput } from '../../kit/input/body.ts'
import { objectSchema, parsedTextField, textField } from '../../kit/input/fields.ts'
import { parseInputPartially } from '../../kit/input/parse-input.ts'
import { SecretPan } from '../../kit/money/card.ts'
import { parseCountryField } from '../../kit/money/countries-and-currencies.ts'
import { redact } from '../../kit/security/redaction.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { parsePhoneInCountry } from '../../kit/text/phone.ts'
import type { Payer } from '../customers/index.ts'
import { customerFields, maxPhoneLength } from '../customers/index.ts'
import { payerFieldErrorTexts } from './texts/texts.ts'

/** The fields of the form that ask who pays. */
const payerFields = ['name', 'lastname', 'email', 'phone', 'country'] as const

export type PayerField = (typeof payerFields)[number]

const { name, lastname, email } = customerFields

/** As merchants say it of their customers. But the country must be told, and a phone may be written as it is dialled there. */
const PayerForm = objectSchema({
  name,
  lastname,
  email,
  phone: textField('As it is dialled, there or from anywhere.', { max: maxPhoneLength }),
  country: parsedTextField<string>('Two letters of ISO 3166-1.', { max: 2, parse: parseCountryField }),
})

/**
 * Who pays as they typed it, or all that is wrong with it at once. Nothing of it is ever repeated in a complaint. Guarantee:
 * a card number that was typed, or filled in by a browser, into a wrong field does not become a customer's name or address.
 */
export function readPayer(input: RawInput): Payer | Map<PayerField, LocalizedText> {
  const { value, complaints } = parseInputPartially(PayerForm, input)
  const { country } = value
  // A number that is not dialled everywhere cannot be judged before it is known where it is.
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
 * In whichever digits it is written. An address of e-mail may well have many digits, of which some pass for a card's: it is
 * refused only where they are all there is before the @.
 */
function containsCardNumber(field: PayerField, text = ''): boolean {
  if (field === 'email') return SecretPan.of(bare(text.split('@', 1)[0] ?? '')) !== undefined
  const plain = bare(text)
  return redact(plain) !== plain
}

/** Letters and digits alone, whatever stood between them. */
function bare(text: string): string {
  return plainDigits(text.normalize('NFKC')).replaceAll(/[^\p{L}\d]/gu, '')
}

/** Every script that has digits has ten in a row, from its zero on. */
function plainDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    return String(code - zero)
  })
}
