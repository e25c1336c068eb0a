import creditCardType from 'credit-card-type'

export type BrandId = 'visa' | 'mastercard' | 'amex' | 'troy'

/** Brand of a card, known from its first digits. */
export interface Brand {
  id: BrandId
  /** Name for screen readers. */
  name: string
  /** Numbers of digits that a card number of this brand can have. */
  lengths: readonly number[]
  /** Numbers of digits before each gap. */
  gaps: readonly number[]
  codeLength: number
}

/**
 * Brands with a picture here, by the library's names. The library maintains the list of TROY's shared 65…
 * numbers.
 */
const ours: Readonly<Record<string, Pick<Brand, 'id' | 'name'>>> = {
  visa: { id: 'visa', name: 'Visa' },
  mastercard: { id: 'mastercard', name: 'Mastercard' },
  'american-express': { id: 'amex', name: 'American Express' },
  troy: { id: 'troy', name: 'TROY' },
}

/**
 * Brand of these digits; undefined if they are too few or belong to another brand. If several match, the
 * longest match wins: 65 is Discover, 650052 is TROY.
 */
export function brandOf(digits: string): Brand | undefined {
  if (digits === '') return undefined
  const [best] = creditCardType(digits)
    .filter(({ matchStrength }) => matchStrength)
    .sort((one, other) => (other.matchStrength ?? 0) - (one.matchStrength ?? 0))
  const known = best && ours[best.type]
  if (!known) return undefined
  // Visa cards with thirteen digits exist, but the library does not know them.
  const lengths = known.id === 'visa' ? [13, ...best.lengths] : best.lengths
  return { ...known, lengths, gaps: best.gaps, codeLength: best.code.size }
}
