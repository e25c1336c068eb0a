import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, boolean, defineTable, integer, text } from '../../kit/runtime/table.ts'
import type { CardBrand, FamilySlug } from './catalog.ts'

export const cardTypes = ['credit', 'debit'] as const

export type CardType = (typeof cardTypes)[number]

/** Holders of a card: a person or a company. Commissions differ by segment. */
export const segmentSlugs = ['personal', 'commercial'] as const

export type SegmentSlug = (typeof segmentSlugs)[number]

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
