import creditCardType from 'credit-card-type'

export type BrandId = 'visa' | 'mastercard' | 'amex' | 'troy'

/** What the first digits of a card say of it. */
export interface Brand {
  id: BrandId
  /** As it is read out. */
  name: string
  /** How many digits a number of this brand has. */
  lengths: readonly number[]
  /** Behind how many digits there is a gap. */
  gaps: readonly number[]
  codeLength: number
}

/** The brands that have a picture here, by the names of the library. Its list of TROY's shared 65… numbers is kept up. */
const ours: Readonly<Record<string, Pick<Brand, 'id' | 'name'>>> = {
  visa: { id: 'visa', name: 'Visa' },
  mastercard: { id: 'mastercard', name: 'Mastercard' },
  'american-express': { id: 'amex', name: 'American Express' },
  troy: { id: 'troy', name: 'TROY' },
}

/**
 * The brand as soon as the digits say it; undefined before, and for any other. Of several that match, the one that
 * matches by most digits: 65 is Discover's, and 650052 is TROY's.
 */
export function brandOf(digits: string): Brand | undefined {
  if (digits === '') return undefined
  const [best] = creditCardType(digits)
    .filter(({ matchStrength }) => matchStrength)
    .sort((one, other) => (other.matchStrength ?? 0) - (one.matchStrength ?? 0))
  const known = best && ours[best.type]
  if (!known) return undefined
  // There are Visa cards of thirteen digits, which the library has forgotten.
  const lengths = known.id === 'visa' ? [13, ...best.lengths] : best.lengths
  return { ...known, lengths, gaps: best.gaps, codeLength: best.code.size }
}
