import type { Colour } from '../pictures/index.ts'

/** Name of a brand or family, the letters and colour of its picture, and other spellings of its name. */
export type CatalogEntry = readonly [name: string, letters: string, colour: Colour, ...alsoCalled: string[]]

const brandEntries = {
  visa: ['Visa', 'V', 'navy', 'visa electron', 'electron'],
  mastercard: ['Mastercard', 'MC', 'red', 'master', 'mc', 'eurocard'],
  amex: ['American Express', 'AX', 'blue', 'amex'],
  troy: ['TROY', 'TR', 'teal'],
  maestro: ['Maestro', 'M', 'indigo'],
  jcb: ['JCB', 'JCB', 'green'],
  unionpay: ['UnionPay', 'UP', 'plum', 'china unionpay', 'cup', 'upi'],
  discover: ['Discover', 'D', 'amber'],
  diners: ['Diners Club', 'DC', 'slate', 'diners', 'diners club international'],
} satisfies Record<string, CatalogEntry>

export type CardBrand = keyof typeof brandEntries

/** Card schemes of the table, by their names in responses. */
export const brands = new Map(Object.entries(brandEntries)) as ReadonlyMap<CardBrand, CatalogEntry>

export const cardBrands = [...brands.keys()]

const familyEntries = {
  bonus: ['Bonus', 'B', 'green', 'Bonus Card'],
  world: ['World', 'W', 'plum', 'WorldCard'],
  maximum: ['Maximum', 'M', 'indigo', 'Maximum Card'],
  axess: ['Axess', 'A', 'amber'],
  wings: ['Wings', 'WG', 'slate'],
  cardfinans: ['CardFinans', 'CF', 'blue', 'Card Finans'],
  paraf: ['Paraf', 'P', 'teal', 'Bank24'],
  bankkart: ['Bankkart', 'BK', 'red', 'Bankkart Combo', 'BankkartCombo', 'Combo'],
  'saglam-kart': ['Sağlam Kart', 'SK', 'green', 'SağlamKart'],
  'miles-smiles': ['Miles&Smiles', 'MS', 'navy', 'Miles Smiles'],
  'shop-fly': ['Shop&Fly', 'SF', 'teal', 'Shop Fly'],
  advantage: ['Advantage', 'AV', 'navy'],
} satisfies Record<string, CatalogEntry>

export type FamilySlug = keyof typeof familyEntries

/**
 * Card programmes that several banks can issue, in display order. Installments are agreed within one
 * programme.
 */
export const families = new Map(Object.entries(familyEntries)) as ReadonlyMap<FamilySlug, CatalogEntry>

export const familySlugs = [...families.keys()]

/**
 * Banks of Turkey by EFT code, from the central bank's list of payment system participants, with the names
 * their customers know, and the letters and colours of their pictures. No two have the same letters.
 */
export const bankEntries: readonly [code: number, name: string, letters: string, colour: Colour][] = [
  [4, 'İller Bankası', 'İL', 'slate'],
  [10, 'Ziraat Bankası', 'ZB', 'red'],
  [12, 'Halkbank', 'HB', 'blue'],
  [14, 'TSKB', 'TSK', 'navy'],
  [15, 'VakıfBank', 'VB', 'amber'],
  [16, 'Türk Eximbank', 'EX', 'slate'],
  [17, 'Kalkınma ve Yatırım Bankası', 'KY', 'slate'],
  [29, 'Birleşik Fon Bankası', 'BF', 'slate'],
  [32, 'TEB', 'TEB', 'green'],
  [46, 'Akbank', 'AK', 'red'],
  [59, 'Şekerbank', 'Ş', 'green'],
  [60, 'Türk Ticaret Bankası', 'TT', 'navy'],
  [62, 'Garanti BBVA', 'GB', 'green'],
  [64, 'İş Bankası', 'İB', 'navy'],
  [67, 'Yapı Kredi', 'YK', 'indigo'],
  [91, 'Arap Türk Bankası', 'AT', 'teal'],
  [92, 'Citibank', 'CB', 'blue'],
  [96, 'Turkish Bank', 'TB', 'red'],
  [98, 'JPMorgan', 'JPM', 'slate'],
  [99, 'ING', 'ING', 'amber'],
  [103, 'Fibabanka', 'FB', 'blue'],
  [108, 'Turkland Bank', 'TLB', 'teal'],
  [109, 'ICBC Turkey', 'IC', 'red'],
  [111, 'QNB', 'QNB', 'plum'],
  [115, 'Deutsche Bank', 'DB', 'navy'],
  [116, 'Pasha Bank', 'PB', 'teal'],
  [121, 'Standard Chartered', 'SC', 'teal'],
  [122, 'Société Générale', 'SG', 'red'],
  [123, 'HSBC', 'HS', 'red'],
  [124, 'Alternatif Bank', 'AB', 'plum'],
  [125, 'Burgan Bank', 'BB', 'blue'],
  [129, 'Bank of America', 'BA', 'navy'],
  [132, 'Takasbank', 'TA', 'slate'],
  [134, 'DenizBank', 'DZ', 'blue'],
  [135, 'Anadolubank', 'AN', 'navy'],
  [137, 'Hepsi Bank', 'HP', 'amber'],
  [138, 'Diler Bank', 'DL', 'slate'],
  [139, 'GSD Bank', 'GSD', 'navy'],
  [141, 'Nurol Bank', 'NB', 'slate'],
  [142, 'Bankpozitif', 'BP', 'plum'],
  [143, 'Aktif Bank', 'AKT', 'teal'],
  [146, 'Odeabank', 'OB', 'amber'],
  [147, 'MUFG Bank', 'MU', 'red'],
  [148, 'Intesa Sanpaolo', 'IS', 'green'],
  [149, 'Bank of China', 'BC', 'red'],
  [150, 'Golden Global', 'GG', 'amber'],
  [151, 'D Yatırım Bankası', 'DY', 'slate'],
  [152, 'Destek Yatırım Bankası', 'DS', 'slate'],
  [153, 'Misyon Bank', 'MB', 'indigo'],
  [154, 'Tera Yatırım Bankası', 'TY', 'slate'],
  [155, 'Q Yatırım Bankası', 'QY', 'slate'],
  [156, 'Hedef Yatırım Bankası', 'HY', 'slate'],
  [157, 'Enpara Bank', 'EN', 'indigo'],
  [158, 'Colendi Bank', 'CL', 'indigo'],
  [159, 'FUPS Bank', 'FU', 'indigo'],
  [160, 'Ziraat Dinamik Banka', 'ZD', 'red'],
  [161, 'Aytemiz Yatırım Bankası', 'AY', 'slate'],
  [203, 'Albaraka Türk', 'AL', 'amber'],
  [205, 'Kuveyt Türk', 'KT', 'green'],
  [206, 'Türkiye Finans', 'TF', 'teal'],
  [209, 'Ziraat Katılım', 'ZK', 'red'],
  [210, 'Vakıf Katılım', 'VK', 'amber'],
  [211, 'Emlak Katılım', 'EK', 'teal'],
  [212, 'Hayat Finans', 'HF', 'green'],
  [213, 'T.O.M. Katılım', 'TOM', 'plum'],
  [214, 'Dünya Katılım', 'DK', 'blue'],
  [215, 'Adil Katılım', 'AD', 'green'],
  [216, 'İktisat Katılım', 'İK', 'teal'],
  [807, 'PTT', 'PTT', 'amber'],
]

export const banks: ReadonlyMap<number, string> = new Map(bankEntries.map(([code, name]) => [code, name]))

/** Code of an issuer without one; a required number is 0 for it. */
export const noBankCode = 0
