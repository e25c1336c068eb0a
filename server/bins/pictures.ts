import type { FastifyInstance } from 'fastify'
import type { Colour } from '../pictures/index.ts'
import { genericBankIcon, genericCardIcon, monogram, mountPictures } from '../pictures/index.ts'
import { banks, noBankCode } from './bank.ts'
import type { CardBrand } from './card.ts'
import { cardBrands } from './card.ts'
import type { FamilySlug } from './family.ts'
import { families } from './family.ts'

/** Letters and colour of a picture. */
type Drawing = readonly [letters: string, colour: Colour]

/** Bank pictures by code. No two have the same letters. */
const drawingsOfBanks: Readonly<Record<number, Drawing>> = {
  4: ['İL', 'slate'],
  10: ['ZB', 'red'],
  12: ['HB', 'blue'],
  14: ['TSK', 'navy'],
  15: ['VB', 'amber'],
  16: ['EX', 'slate'],
  17: ['KY', 'slate'],
  29: ['BF', 'slate'],
  32: ['TEB', 'green'],
  46: ['AK', 'red'],
  59: ['Ş', 'green'],
  60: ['TT', 'navy'],
  62: ['GB', 'green'],
  64: ['İB', 'navy'],
  67: ['YK', 'indigo'],
  91: ['AT', 'teal'],
  92: ['CB', 'blue'],
  96: ['TB', 'red'],
  98: ['JPM', 'slate'],
  99: ['ING', 'amber'],
  103: ['FB', 'blue'],
  108: ['TLB', 'teal'],
  109: ['IC', 'red'],
  111: ['QNB', 'plum'],
  115: ['DB', 'navy'],
  116: ['PB', 'teal'],
  121: ['SC', 'teal'],
  122: ['SG', 'red'],
  123: ['HS', 'red'],
  124: ['AB', 'plum'],
  125: ['BB', 'blue'],
  129: ['BA', 'navy'],
  132: ['TA', 'slate'],
  134: ['DZ', 'blue'],
  135: ['AN', 'navy'],
  137: ['HP', 'amber'],
  138: ['DL', 'slate'],
  139: ['GSD', 'navy'],
  141: ['NB', 'slate'],
  142: ['BP', 'plum'],
  143: ['AKT', 'teal'],
  146: ['OB', 'amber'],
  147: ['MU', 'red'],
  148: ['IS', 'green'],
  149: ['BC', 'red'],
  150: ['GG', 'amber'],
  151: ['DY', 'slate'],
  152: ['DS', 'slate'],
  153: ['MB', 'indigo'],
  154: ['TY', 'slate'],
  155: ['QY', 'slate'],
  156: ['HY', 'slate'],
  157: ['EN', 'indigo'],
  158: ['CL', 'indigo'],
  159: ['FU', 'indigo'],
  160: ['ZD', 'red'],
  161: ['AY', 'slate'],
  203: ['AL', 'amber'],
  205: ['KT', 'green'],
  206: ['TF', 'teal'],
  209: ['ZK', 'red'],
  210: ['VK', 'amber'],
  211: ['EK', 'teal'],
  212: ['HF', 'green'],
  213: ['TOM', 'plum'],
  214: ['DK', 'blue'],
  215: ['AD', 'green'],
  216: ['İK', 'teal'],
  807: ['PTT', 'amber'],
}

const drawingsOfBrands: Readonly<Record<CardBrand, Drawing>> = {
  visa: ['V', 'navy'],
  mastercard: ['MC', 'red'],
  amex: ['AX', 'blue'],
  troy: ['TR', 'teal'],
  maestro: ['M', 'indigo'],
  jcb: ['JCB', 'green'],
  unionpay: ['UP', 'plum'],
  discover: ['D', 'amber'],
  diners: ['DC', 'slate'],
}

const namesOfBrands: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  troy: 'TROY',
  maestro: 'Maestro',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  discover: 'Discover',
  diners: 'Diners Club',
}

const drawingsOfFamilies: Readonly<Record<FamilySlug, Drawing>> = {
  bonus: ['B', 'green'],
  world: ['W', 'plum'],
  maximum: ['M', 'indigo'],
  axess: ['A', 'amber'],
  wings: ['WG', 'slate'],
  cardfinans: ['CF', 'blue'],
  paraf: ['P', 'teal'],
  bankkart: ['BK', 'red'],
  'saglam-kart': ['SK', 'green'],
  'miles-smiles': ['MS', 'navy'],
  'shop-fly': ['SF', 'teal'],
  advantage: ['AV', 'navy'],
}

/** Picture name for cards without a family. */
const noFamily = 'other'

/** Bank pictures by code; code 0 has a generic bank. */
export const bankPictures: ReadonlyMap<string, string> = new Map([
  [String(noBankCode), genericBankIcon('Banka / Bank')],
  ...[...banks].map(([code, title]) => drawn(String(code), title, drawingsOfBanks[code], 'tile')),
])

/** Brand pictures, in the shape of a card. */
export const brandPictures: ReadonlyMap<string, string> = new Map(
  cardBrands.map((brand) => drawn(brand, namesOfBrands[brand], drawingsOfBrands[brand], 'card')),
)

/** Family pictures by slug; `other` has a generic card. */
export const familyPictures: ReadonlyMap<string, string> = new Map([
  [noFamily, genericCardIcon('Kart / Card')],
  ...[...families.values()].map(({ slug, name }) => drawn(slug, name.tr, drawingsOfFamilies[slug], 'tile')),
])

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

function drawn(
  name: string,
  title: string,
  drawing: Drawing | undefined,
  shape: 'tile' | 'card',
): [string, string] {
  if (!drawing) throw new Error(`say in server/bins/pictures.ts which letters stand for ${title}`)
  const [letters, colour] = drawing
  return [name, monogram({ title, letters, colour, shape })]
}
