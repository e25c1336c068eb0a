import type { LocalizedText } from '../../kit/text/locale.ts'
import { Spellings } from './spelling.ts'

/** A programme of cards that several banks may issue. Installments are agreed on within one. */
export interface Family {
  slug: FamilySlug
  name: LocalizedText
  /** When it was written into this list, and when its entry last changed. */
  createdAt: Date
  updatedAt: Date
}

export const familySlugs = [
  'bonus',
  'world',
  'maximum',
  'axess',
  'wings',
  'cardfinans',
  'paraf',
  'bankkart',
  'saglam-kart',
  'miles-smiles',
  'shop-fly',
  'advantage',
] as const

export type FamilySlug = (typeof familySlugs)[number]

/** When the lists of families and segments were first written: the contract asks for a time. */
export const catalogCreatedAt = new Date('2026-11-15T09:30:00+03:00')

/** The name of each, and further ways in which banks and gateways write it. */
const names: Record<FamilySlug, readonly [name: string, ...alsoCalled: string[]]> = {
  bonus: ['Bonus', 'Bonus Card'],
  world: ['World', 'WorldCard'],
  maximum: ['Maximum', 'Maximum Card'],
  axess: ['Axess'],
  wings: ['Wings'],
  cardfinans: ['CardFinans', 'Card Finans'],
  paraf: ['Paraf', 'Bank24'],
  bankkart: ['Bankkart', 'Bankkart Combo', 'BankkartCombo', 'Combo'],
  'saglam-kart': ['Sağlam Kart', 'SağlamKart'],
  'miles-smiles': ['Miles&Smiles', 'Miles Smiles'],
  'shop-fly': ['Shop&Fly', 'Shop Fly'],
  advantage: ['Advantage'],
}

/** Every family, in the order in which people are shown them. */
export const families: ReadonlyMap<FamilySlug, Family> = new Map(
  familySlugs.map((slug) => {
    const [name] = names[slug]
    return [
      slug,
      { slug, name: { tr: name, en: name }, createdAt: catalogCreatedAt, updatedAt: catalogCreatedAt },
    ]
  }),
)

export const familySpellings = new Spellings(names)
