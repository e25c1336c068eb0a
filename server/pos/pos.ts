import {
  choiceField,
  filePathField,
  integerField,
  listField,
  optional,
  parsedTextField,
  textField,
} from '../../kit/input/fields.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import {
  bigint,
  bytea,
  defineMerchantTable,
  integer,
  jsonb,
  text,
  textArray,
  timestamptz,
} from '../../kit/runtime/table.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { FamilySlug } from '../bins/index.ts'
import { banks, familySlugs } from '../bins/index.ts'
import { connectorByName } from '../connectors/index.ts'

/** States of a POS: it takes payments, it only refunds earlier ones, or it does neither. */
export const posStates = ['active', 'refund_only', 'off'] as const

export type PosState = (typeof posStates)[number]

export const posCredentials = defineMerchantTable('pos_credentials', {
  merchantId: bigint(),
  id: bigint(),
  name: text(),
  bankCode: integer(),
  connector: text(),
  currencies: textArray(),
  /** Families that count as its own bank's: they have their own rates, and installments. */
  families: textArray<FamilySlug>(),
  state: text<PosState>(),
  /** The lowest number wins among equal POS. */
  priority: integer(),
  /** Settings of its connector beside the secrets, as far as they are given. */
  settings: jsonb<Readonly<Record<string, string>>>(),
  /** Credentials at the bank, sealed. */
  secrets: bytea(),
  secretsKeyId: text(),
  /** Number of changes of the POS, its secrets and its rates. */
  version: integer(),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
})

/** A merchant's contract with a bank. The secrets are not part of it; they stay sealed in the row. */
export type Pos = Omit<RowOf<typeof posCredentials>, 'secrets' | 'secretsKeyId' | 'version'>

/**
 * True if the POS accepts new payments, in a currency or in any. A POS with a connector that this program
 * does not know is left to a newer program.
 */
export function acceptsPayments(
  { state, currencies, connector }: Pos,
  currency: string | undefined,
): boolean {
  const isTaken = currency === undefined || currencies.includes(currency)
  return state === 'active' && isTaken && connectorByName(connector) !== undefined
}

export function bankNameOf({ bankCode }: Pick<Pos, 'bankCode'>): string {
  return banks.get(bankCode) ?? String(bankCode)
}

/** Fields of a POS on the command line. */
export const posFields = {
  name: textField('Name of the POS, for the merchant and operators.', { max: 100, check: onOneLine }),
  bank: parsedTextField<number>('EFT code of the bank, for example 62.', { max: 4, parse: readBankCode }),
  currencies: optional(
    listField(
      'Currency that it takes: three letters of ISO 4217.',
      parsedTextField<string>('Currency.', { max: 3, parse: parseCurrencyField }),
      { max: 20 },
    ),
  ),
  families: optional(
    listField(
      'Card family that it takes in installments and at own rates.',
      choiceField('Card family.', familySlugs),
      { max: familySlugs.length },
    ),
  ),
  state: optional(
    choiceField('State. refund_only makes refunds, but takes no new payments; off does neither.', posStates),
  ),
  priority: optional(
    integerField('Priority among equally good POS: the lowest number comes first.', { min: 1, max: 1000 }),
  ),
  secrets: optional(
    filePathField(
      'File with the secrets that the bank requires, one line NAME=value each. - reads the standard input.',
    ),
  ),
  setting: optional(
    listField(
      'Setting of the connector, as NAME=value. An empty value clears the setting.',
      textField('Setting.', { max: 400 }),
      { max: 20 },
    ),
  ),
}

/** Argument that names a POS on the command line. */
export const posArgument = {
  pos: integerField('Id of the POS.', { min: 1, max: Number.MAX_SAFE_INTEGER }),
}

function onOneLine(name: string): LocalizedText | undefined {
  if (!/[\t\n\r\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return undefined
  return { tr: 'Tek satırlık düz metin olmalıdır.', en: 'Must be plain text on one line.' }
}

function readBankCode(input: string): { value: number } | LocalizedText {
  const value = /^\d{1,4}$/.test(input) ? Number(input) : 0
  if (banks.has(value)) return { value }
  return {
    tr: 'Türkiye’deki bir bankanın EFT kodu olmalıdır, örneğin 62.',
    en: 'Must be the EFT code of a bank in Turkey, for example 62.',
  }
}
