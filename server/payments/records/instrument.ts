import type { CardBrand } from '../../bins/index.ts'

/** Instrument with which a payer pays. Only cards exist. */
export interface Instrument {
  kind: 'card'
  /** Keyed hash that identifies the instrument; for a card, the hash of its number. */
  fingerprint: Buffer
  /** Readable part by which people recognize the instrument; for a card, its masked number. */
  mask: string
  /** Null if the BIN of the card is unknown. */
  brand: CardBrand | null
}
