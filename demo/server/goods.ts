import type { LocalizedText } from '../../kit/text/locale.ts'

/** A product of the shop. Only the server knows the price; it never accepts one from a browser. */
export interface Good {
  id: 'cups' | 'cezve' | 'lokum' | 'beans'
  name: LocalizedText
  about: LocalizedText
  priceMinor: number
}

/** Currency of all prices. */
export const shopCurrency = 'TRY'

export const goods: readonly Good[] = [
  {
    id: 'cups',
    name: { tr: 'Fincan takımı', en: 'Set of two cups' },
    about: { tr: 'İki kişilik, lale desenli porselen', en: 'Tulip-patterned porcelain, for two' },
    priceMinor: 45_990,
  },
  {
    id: 'cezve',
    name: { tr: 'Bakır cezve', en: 'Copper cezve' },
    about: {
      tr: 'Dövme bakır, ceviz saplı, iki fincanlık',
      en: 'Hammered copper, walnut handle, for two cups',
    },
    priceMinor: 68_900,
  },
  {
    id: 'beans',
    name: { tr: 'Çekirdek kahve', en: 'Coffee beans' },
    about: { tr: 'Orta kavrulmuş, 250 g', en: 'Medium roast, 250 g' },
    priceMinor: 18_990,
  },
  {
    id: 'lokum',
    name: { tr: 'Fıstıklı lokum', en: 'Pistachio Turkish delight' },
    about: { tr: 'Çifte kavrulmuş, 350 g', en: 'Double roasted, 350 g' },
    priceMinor: 24_950,
  },
]

export const maxQuantity = 9
