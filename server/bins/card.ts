import type { LocalizedText } from '../../kit/text/locale.ts'
import type { FamilySlug } from './family.ts'
import { catalogCreatedAt } from './family.ts'

/** The schemes whose cards can be in the table, as answers write them. */
export const cardBrands = [
  'visa',
  'mastercard',
  'amex',
  'troy',
  'maestro',
  'jcb',
  'unionpay',
  'discover',
  'diners',
] as const

export type CardBrand = (typeof cardBrands)[number]

export const cardTypes = ['credit', 'debit'] as const

export type CardType = (typeof cardTypes)[number]

/** Whom a card was given to: commissions differ by it. */
export const segmentSlugs = ['personal', 'commercial'] as const

export type SegmentSlug = (typeof segmentSlugs)[number]

export interface Segment {
  slug: SegmentSlug
  name: LocalizedText
  /** When it was written into this list, and when its entry last changed. */
  createdAt: Date
  updatedAt: Date
}

export const segments: Readonly<Record<SegmentSlug, Segment>> = {
  personal: {
    slug: 'personal',
    name: { tr: 'Bireysel', en: 'Personal' },
    createdAt: catalogCreatedAt,
    updatedAt: catalogCreatedAt,
  },
  commercial: {
    slug: 'commercial',
    name: { tr: 'Ticari', en: 'Commercial' },
    createdAt: catalogCreatedAt,
    updatedAt: catalogCreatedAt,
  },
}

/** What is known of cards by the first digits of their numbers. */
export interface CardKind {
  /** The EFT code of the bank, 0 where it has none. */
  bankCode: number
  bankName: string
  brand: CardBrand
  type: CardType
  /** Null for cards of no family: most debit cards, and every foreign one. */
  family: FamilySlug | null
  segment: SegmentSlug
  /** Where the bank is, as two letters of ISO 3166-1. */
  country: string
  prepaid: boolean
}

/** A kind of cards as it was found for one BIN. */
export interface BinCard extends CardKind {
  /** The eight digits that were asked for. */
  bin: number
  /** The digits of the row that answered: the longest that begin the BIN. */
  prefix: string
}
