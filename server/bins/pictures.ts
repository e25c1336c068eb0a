import type { Brand } from './card.ts'

/** The address of a bank's picture; 0 has the one of issuers without a code. */
export function bankPictureUrl(apiUrl: string, bankCode: number): string {
  return `${apiUrl}/banks/${bankCode}.svg`
}

/** The address of a brand's picture. */
export function brandPictureUrl(apiUrl: string, brand: Brand): string {
  return `${apiUrl}/brands/${brand}.svg`
}

/** The address of a family's picture; `other` has the one of cards without a family. */
export function familyPictureUrl(apiUrl: string, slug: string): string {
  return `${apiUrl}/families/${slug}.svg`
}
