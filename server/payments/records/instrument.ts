import type { RowOf } from '../../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, text, timestamptz } from '../../../kit/runtime/table.ts'
import type { CardBrand } from '../../bins/index.ts'

export const instruments = defineMerchantTable('instruments', {
  merchantId: bigint(),
  /** Keyed hash that identifies the instrument; for a card, the hash of its number. */
  fingerprint: bytea(),
  kind: text<'card'>(),
  /** Readable part by which people recognize the instrument; for a card, its masked number. */
  mask: text(),
  /** Null as long as the BIN of the card is unknown. */
  brand: text<CardBrand>().orNull(),
  createdAt: timestamptz(),
})

/** Fields of an instrument that an attempt is read with. */
export const instrumentsOfAttempts = instruments.omit('merchantId', 'createdAt')

/** Instrument with which a payer pays. Only cards exist. */
export type Instrument = RowOf<typeof instrumentsOfAttempts>
