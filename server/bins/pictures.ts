import type { FastifyInstance } from 'fastify'
import { genericBankIcon, genericCardIcon, monogram, mountPictures } from '../pictures/index.ts'
import type { CardBrand, CatalogEntry, FamilySlug } from './catalog.ts'
import { bankEntries, brands, families, noBankCode } from './catalog.ts'

/** Picture name for cards without a family. */
const noFamily = 'other'

/** Bank pictures by code; code 0 has a generic bank. */
export const bankPictures: ReadonlyMap<string, string> = new Map([
  [String(noBankCode), genericBankIcon('Banka / Bank')],
  ...bankEntries.map(([code, ...entry]) => drawn(String(code), entry, 'tile')),
])

/** Brand pictures, in the shape of a card. */
export const brandPictures: ReadonlyMap<string, string> = new Map(
  [...brands].map(([brand, entry]) => drawn(brand, entry, 'card')),
)

/** Family pictures by slug; `other` has a generic card. */
export const familyPictures: ReadonlyMap<string, string> = new Map([
  [noFamily, genericCardIcon('Kart / Card')],
  ...[...families].map(([slug, entry]) => drawn(slug, entry, 'tile')),
])

function drawn(
  name: string,
  [title, letters, colour]: CatalogEntry,
  shape: 'tile' | 'card',
): [string, string] {
  return [name, monogram({ title, letters, colour, shape })]
}

/** Address of a bank's picture; an unknown bank has the generic one. */
export function bankPictureUrl(apiUrl: string, bankCode: number): string {
  const code = bankPictures.has(String(bankCode)) ? bankCode : noBankCode
  return `${apiUrl}/banks/${code}.svg`
}

export function brandPictureUrl(apiUrl: string, brand: CardBrand): string {
  return `${apiUrl}/brands/${brand}.svg`
}

/** Address of a family's picture; without a family, the generic card. */
export function familyPictureUrl(apiUrl: string, family: FamilySlug | typeof noFamily | null): string {
  return `${apiUrl}/families/${family ?? noFamily}.svg`
}

export function mountBinPictures(app: FastifyInstance): void {
  mountPictures(app, 'banks', (code) => bankPictures.get(code))
  mountPictures(app, 'brands', (brand) => brandPictures.get(brand))
  mountPictures(app, 'families', (slug) => familyPictures.get(slug))
}
