import { lookUpBinRoute } from './look-up-bin.ts'

export { cardOfBin, preloadBinTable } from './active-bins.ts'
export type { BinTable } from './bin-table.ts'
export { kindOfBin } from './bin-table.ts'
export type { CardKind, SegmentSlug } from './card.ts'
export { segmentSlugs } from './card.ts'
export type { CardBrand, FamilySlug } from './catalog.ts'
export { banks, families, familySlugs } from './catalog.ts'
export { binNumber } from './look-up-bin.ts'
export { familyPictureUrl, mountBinPictures } from './pictures.ts'

export const binRoutes = [lookUpBinRoute]
