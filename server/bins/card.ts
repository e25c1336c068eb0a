import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, boolean, defineTable, integer, text } from '../../kit/runtime/table.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { FamilySlug } from './family.ts'
import { catalogCreatedAt } from './family.ts'

/** Card schemes of the table, as responses name them. */
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

/** Holders of a card: a person or a company. Commissions differ by segment. */
export const segmentSlugs = ['personal', 'commercial'] as const

export type SegmentSlug = (typeof segmentSlugs)[number]

export interface Segment {
  slug: SegmentSlug
  name: LocalizedText
  /** Times at which the entry was added and last changed. */
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

export const binKinds = defineTable('bin_kinds', {
  tableId: bigint(),
  /** Index of the kind in its table. */
  id: integer(),
  /** EFT code of the bank; 0 if it has none. */
  bankCode: integer(),
  bankName: text(),
  brand: text<CardBrand>(),
  type: text<CardType>(),
  /** Null for cards without a family: most debit cards, and all foreign cards. */
  family: text<FamilySlug>().orNull(),
  segment: text<SegmentSlug>(),
  /** Country of the bank, as two letters of ISO 3166-1. */
  country: text(),
  prepaid: boolean(),
})

/** Data that the first digits of a card number determine. */
export type CardKind = Omit<RowOf<typeof binKinds>, 'tableId' | 'id'>

/** Kind of card found for one BIN. */
export interface BinCard extends CardKind {
  /** Requested eight digits. */
  bin: number
  /** Prefix of the matching row. */
  prefix: string
}
