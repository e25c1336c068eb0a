export { flagUrl, mountFlags } from './flags.ts'
export type { Colour } from './monogram.ts'
export { genericBankIcon, genericCardIcon, monogram } from './monogram.ts'
export { mountPictures } from './mount-pictures.ts'
