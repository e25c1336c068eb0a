import type { LocalizedText } from '../../kit/text/locale.ts'
import { Spellings } from './spelling.ts'

/** Card programme that several banks can issue. Installments are agreed within one programme. */
export interface Family {
  slug: FamilySlug
  name: LocalizedText
  /** Times at which the entry was added and last changed. */
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

/** Creation time of the lists of families and segments; the contract requires one. */
export const catalogCreatedAt = new Date('2026-11-15T09:30:00+03:00')

/** Name of each family, followed by other spellings of banks and gateways. */
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

/** All families in display order. */
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
