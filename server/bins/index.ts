import { lookUpBinRoute } from './look-up-bin.ts'

export { cardOfBin } from './active-bins.ts'
export { banks } from './bank.ts'
export { binNumber } from './bin-number.ts'
export { BinTable } from './bin-table.ts'
export type { BinCard, CardBrand, CardKind, SegmentSlug } from './card.ts'
export { segmentSlugs, segments } from './card.ts'
export type { FamilySlug } from './family.ts'
export { catalogCreatedAt, families, familySlugs } from './family.ts'
export { familyPictureUrl, mountBinPictures } from './pictures.ts'
export { preloadBinTable } from './preload-bin-table.ts'

export const binRoutes = [lookUpBinRoute]
