export { flagUrl, mountFlags } from './flags.ts'
export type { Colour } from './monogram.ts'
export { bankSign, cardSign, monogram } from './monogram.ts'
export { mountPictures } from './mount-pictures.ts'
