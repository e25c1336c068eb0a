import { createHash } from 'node:crypto'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, text, timestamptz } from '../../kit/runtime/table.ts'

/** Longest side of a picture that a merchant sends. */
export const maxPictureSide = 1024
export const maxPictureBytes = 512 * 1024
/** Side of a tile: 40 pixels of a page on the densest screens. */
export const tileSide = 128

export const pictures = defineMerchantTable('pictures', {
  merchantId: bigint(),
  digest: text(),
  whole: bytea(),
  tile: bytea(),
  storedAt: timestamptz(),
})

/** A merchant's logo or a product's image, as we encoded it. */
export type Picture = RowOf<typeof pictures>

/** The whole picture and the small square of it that a payment page shows, both as WebP. */
export type EncodedPicture = Pick<Picture, 'digest' | 'whole' | 'tile'>

export type PictureSize = 'whole' | 'tile'

/** In a tile, a logo is whole, with white beside it. An image fills the tile. */
export type PictureFit = 'contain' | 'cover'

export const digestPattern = /^[\w-]{43}$/

export function digestOf(whole: Buffer, tile: Buffer): string {
  return createHash('sha256').update(whole).update(tile).digest('base64url')
}

/** Paths differ with the contents, so a picture can be cached for ever. */
export const picturePaths: Readonly<Record<PictureSize, string>> = { whole: '/pictures', tile: '/tiles' }

/** Address of a picture on the origin, or below the path, that `base` names. */
export function pictureUrl(
  base: string,
  size: PictureSize,
  { merchantId, digest }: Pick<Picture, 'merchantId' | 'digest'>,
): string {
  return `${base}${picturePaths[size]}/${merchantId}/${digest}.webp`
}
