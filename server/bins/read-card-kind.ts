import { isCountry, upperCaseAscii } from '../../kit/money/countries-and-currencies.ts'
import { redact } from '../../kit/security/redaction.ts'
import { safeExcerpt } from '../../kit/security/safe-excerpt.ts'
import { foldForSearch } from '../database/full-text-search.ts'
import type { CardKind, CardType, SegmentSlug } from './card.ts'
import type { CatalogEntry } from './catalog.ts'
import { banks, brands, families, noBankCode } from './catalog.ts'
import type { ColumnName, kindColumns } from './columns.ts'

/** Values of one row, trimmed; a missing column is empty. */
export type KindColumnValues = Readonly<Record<(typeof kindColumns)[number], string>>

/** Reason for refusing a row. */
export class BadRow extends Error {
  override readonly name = 'BadRow'
}

const longestBankName = 100

/** Values of a column, found by any of their spellings. */
class Spellings<Value extends string> {
  readonly values: readonly string[]
  readonly #meanings: ReadonlyMap<string, Value>

  constructor(spellings: Readonly<Record<Value, readonly string[]>>) {
    const entries = Object.entries(spellings) as [Value, readonly string[]][]
    this.values = Object.keys(spellings)
    this.#meanings = new Map(
      entries.flatMap(([value, texts]) => texts.map((text) => [lettersOf(text), value] as const)),
    )
  }

  meantBy(text: string): Value | undefined {
    return this.#meanings.get(lettersOf(text))
  }
}

/** Makes `Kredi Kartı`, `KREDI_KARTI` and `kredi-karti` equal. */
function lettersOf(text: string): string {
  return foldForSearch(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function catalogSpellings<Slug extends string>(catalog: ReadonlyMap<Slug, CatalogEntry>): Spellings<Slug> {
  const spelled = [...catalog].map(([slug, [name, , , ...alsoCalled]]) => [slug, [name, ...alsoCalled]])
  return new Spellings(Object.fromEntries(spelled) as Record<Slug, string[]>)
}

const brandSpellings = catalogSpellings(brands)
const familySpellings = catalogSpellings(families)

const typeSpellings = new Spellings<CardType | 'prepaid'>({
  credit: ['credit', 'credit card', 'kredi', 'kredi kartı', 'charge', 'charge card'],
  debit: [
    'debit',
    'debit card',
    'banka',
    'banka kartı',
    'bankamatik',
    'bankamatik kartı',
    'atm',
    'atm kartı',
  ],
  prepaid: ['prepaid', 'prepaid card', 'ön ödemeli', 'ön ödemeli kart'],
})

const segmentSpellings = new Spellings<SegmentSlug>({
  personal: ['personal', 'bireysel', 'consumer', 'individual', 'retail', 'şahıs'],
  commercial: ['commercial', 'ticari', 'business', 'corporate', 'company', 'kurumsal', 'şirket'],
})

const answerSpellings = new Spellings<'yes' | 'no'>({
  yes: ['yes', 'true', '1', 'evet', 'y', 'e'],
  no: ['no', 'false', '0', 'hayır', 'n', 'h'],
})

const noFamily = new Spellings({ none: ['', 'none', 'yok', 'null'] })

/** Kind of card in a row; throws a BadRow for an invalid value. */
export function readCardKind(values: KindColumnValues): CardKind {
  for (const [column, text] of Object.entries(values)) {
    if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text))
      throw new BadRow(`${column} contains an invisible character or a line break`)
  }
  return {
    ...readBank(values),
    brand: oneOf(brandSpellings, 'card_brand', values.card_brand),
    ...readType(values),
    family: readFamily(values.card_family),
    segment:
      values.card_segment === '' ? 'personal' : oneOf(segmentSpellings, 'card_segment', values.card_segment),
    country: readCountryOf(values.country),
  }
}

function readBank({ bank_code, bank_name }: KindColumnValues): Pick<CardKind, 'bankCode' | 'bankName'> {
  if (!/^(?:0*\d{1,4})?$/.test(bank_code) || bank_code.length > 20) {
    throw new BadRow(`bank_code must be a number from 1 to 9999, not “${safeExcerpt(bank_code)}”`)
  }
  const bankCode = bank_code === '' ? noBankCode : Number(bank_code)
  const name = bank_name.normalize('NFC')
  if ([...name].length > longestBankName) {
    throw new BadRow(`bank_name is longer than ${longestBankName} characters`)
  }
  if (redact(name) !== name) throw new BadRow('bank_name contains what looks like a card number')
  const bankName = name === '' ? banks.get(bankCode) : name
  if (bankName !== undefined) return { bankCode, bankName }
  if (bankCode === noBankCode)
    throw new BadRow('bank_code and bank_name are both empty; one of them is required')
  throw new BadRow(`bank_name is required: the bank code ${bankCode} is unknown`)
}

/** A prepaid card counts as a debit card. Either column can mark it. */
function readType({ card_type, prepaid }: KindColumnValues): Pick<CardKind, 'type' | 'prepaid'> {
  const type = oneOf(typeSpellings, 'card_type', card_type)
  const answer = prepaid === '' ? undefined : oneOf(answerSpellings, 'prepaid', prepaid)
  if (type === 'credit' && answer === 'yes') throw new BadRow('prepaid is yes, but card_type is credit')
  if (type === 'prepaid' && answer === 'no') throw new BadRow('prepaid is no, but card_type is prepaid')
  return { type: type === 'credit' ? 'credit' : 'debit', prepaid: type === 'prepaid' || answer === 'yes' }
}

function readFamily(text: string): CardKind['family'] {
  if (noFamily.meantBy(text)) return null
  const family = familySpellings.meantBy(text)
  if (family) return family
  const known = [...families.values()].map(([name]) => name).join(', ')
  throw new BadRow(`card_family “${safeExcerpt(text)}” is unknown; it must be one of ${known}, or none`)
}

function readCountryOf(text: string): string {
  const country = text === '' ? 'TR' : upperCaseAscii(text)
  if (isCountry(country)) return country
  throw new BadRow(`country must be two letters of ISO 3166-1, for example TR, not “${safeExcerpt(text)}”`)
}

function oneOf<Value extends string>(known: Spellings<Value>, column: ColumnName, text: string): Value {
  const value = known.meantBy(text)
  if (value !== undefined) return value
  if (text === '') throw new BadRow(`${column} is empty`)
  throw new BadRow(`${column} must be one of ${known.values.join(', ')}, not “${safeExcerpt(text)}”`)
}
