import type { Sentence } from '../kit/locale.ts'
import { fold } from '../kit/words.ts'

/** A programme of cards that several banks may issue. Installments are agreed on within one. */
export interface Family {
  slug: FamilySlug
  name: Sentence
  /** Further ways in which banks and gateways write it. */
  alsoCalled: readonly string[]
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

const listedAt = new Date('2026-11-15T09:30:00+03:00')

const spellings: Record<FamilySlug, readonly [name: string, ...alsoCalled: string[]]> = {
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
    const [name, ...alsoCalled] = spellings[slug]
    return [
      slug,
      { slug, name: { tr: name, en: name }, alsoCalled, createdAt: listedAt, updatedAt: listedAt },
    ]
  }),
)

const bySpelling = new Map(
  [...families.values()].flatMap(({ slug, name, alsoCalled }) =>
    [slug, name.tr, ...alsoCalled].map((spelling) => [lettersOf(spelling), slug]),
  ),
)

/** The family that is written so, whatever its case, its Turkish letters and what stands between its words. */
export function familyWritten(text: string): FamilySlug | undefined {
  return bySpelling.get(lettersOf(text))
}

function lettersOf(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
