import type { Static, TObject } from 'typebox'
import type { ListPage } from '../../kit/api/route.ts'
import * as complaint from '../../kit/input/complaints.ts'
import type { DayOrInstant } from '../../kit/input/day-or-instant.ts'
import { endInstant, parseDayOrInstantField, startInstant } from '../../kit/input/day-or-instant.ts'
import type { KeyValuePair, ObjectRule } from '../../kit/input/fields.ts'
import { integerField, optional, parsedTextField, textField } from '../../kit/input/fields.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { SearchTerm } from './full-text-search.ts'
import { foldedWordsOf } from './full-text-search.ts'

/** Filters that every search has, and their meaning. */

export const defaultPerPage = 20
const maxWords = 10

/** A position in a newest-first list: directly after this record. */
export interface ListCursor {
  createdAt: Date
  id: number
}

export const perPageField = optional(
  integerField(
    { tr: 'Sayfa başına kayıt sayısı; gönderilmezse 20.', en: 'Records per page; default 20.' },
    { min: 1, max: 100 },
  ),
)

export const searchFilterFields = {
  created_from: timeFilterField({ tr: 'sonrasında', en: 'after' }),
  created_to: timeFilterField({ tr: 'öncesinde', en: 'before' }),
  after: optional(
    parsedTextField<ListCursor>(
      {
        tr: 'Bir önceki sayfanın `Link` başlığındaki imleç.',
        en: 'Cursor from the `Link` header of the previous page.',
      },
      { max: 100, parse: readCursor },
    ),
  ),
  per_page: perPageField,
}

function timeFilterField(side: LocalizedText) {
  const about = {
    tr: `Bu tarihte veya ${side.tr} oluşturulan kayıtlar: bir gün (2026-11-15) ya da UTC farkı belirtilmiş bir tarih ve saat.`,
    en: `Created at or ${side.en} this time: a day (2026-11-15) or a time with a UTC offset.`,
  }
  return optional(parsedTextField<DayOrInstant>(about, { max: 40, parse: parseDayOrInstantField }))
}

export interface SearchWindow {
  from: Date | undefined
  /** Exclusive end. */
  before: Date | undefined
  after: ListCursor | undefined
  limit: number
}

export function searchWindowFromFilters(
  filters: Static<TObject<typeof searchFilterFields>>,
  zone: string,
): SearchWindow {
  const { created_from, created_to, after, per_page } = filters
  return {
    from: created_from && startInstant(created_from, zone),
    before: created_to && endInstant(created_to, zone),
    after,
    limit: per_page ?? defaultPerPage,
  }
}

export interface SearchResult<Item> {
  items: Item[]
  /** Number of matches, counted up to `maxExactCount` + 1. */
  count: number
  /** True if further records follow. */
  hasMore: boolean
}

/** Largest exact count: counting further would take longer than searching. */
export const maxExactCount = 1000

/** Parts of a listed record that can be large. */
interface Weighty extends ListCursor {
  metadata?: readonly KeyValuePair[]
  changes?: readonly unknown[]
}

/**
 * Approximate limit of a page in bytes. Records are usually small; pages of very large records have fewer.
 */
const heaviestPage = 2_000_000

/** `weigh` estimates the size of records with further parts. */
export function listPageOf<Item extends Weighty>(
  { items, count, hasMore }: SearchResult<Item>,
  weigh: (item: Item) => number = weightOf,
): ListPage<Item> {
  const onPage = itemsWithinPageBytes(items, weigh)
  const last = onPage.at(-1)
  const isMore = hasMore || onPage.length < items.length
  return {
    items: onPage,
    total: totalCountText(count),
    next: isMore && last ? encodeCursor(last) : undefined,
  }
}

/** The first items that fit into a page; at least one. */
export function itemsWithinPageBytes<Item>(items: Item[], weigh: (item: Item) => number): Item[] {
  let weight = 0
  const tooMuch = items.findIndex((item, index) => {
    weight += weigh(item)
    return weight > heaviestPage && index > 0
  })
  return tooMuch < 0 ? items : items.slice(0, tooMuch)
}

/** Number of matches as text for `X-Total-Count`. */
export function totalCountText(count: number): string {
  return count > maxExactCount ? `${maxExactCount}+` : String(count)
}

/** A generous estimate: everything besides the values takes a few hundred bytes each. */
function weightOf({ metadata = [], changes = [] }: Weighty): number {
  const pairs = metadata.reduce((sum, { key, value }) => sum + 200 + 3 * (key.length + value.length), 0)
  return 2_000 + 150 * changes.length + pairs
}

export function encodeCursor({ createdAt, id }: ListCursor): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url')
}

export function wordPrefixFilterField(about: LocalizedText, example?: string) {
  return optional(textField(about, example === undefined ? { max: 254 } : { max: 254, example }))
}

/** The words of a filter, each searched in these fields; undefined if the filter is not given. */
export function searchTermsFromFilter(
  filter: string | undefined,
  fields: readonly string[],
): SearchTerm[] | undefined {
  return filter === undefined ? undefined : foldedWordsOf(filter).map((word) => ({ fields, word }))
}

/** The value of a filter, which a record must match as a whole. */
export function wholeSearchTerm(
  filter: string | number | undefined,
  field: string,
): SearchTerm[] | undefined {
  return filter === undefined ? undefined : [{ fields: [field], word: String(filter), whole: true }]
}

/** All terms of the filters; undefined if one of them has no word, because then no record matches. */
export function combineSearchTerms(filters: readonly (SearchTerm[] | undefined)[]): SearchTerm[] | undefined {
  const given = filters.filter((terms) => terms !== undefined)
  return given.some((terms) => terms.length === 0) ? undefined : given.flat()
}

/** Each word is searched in each of its fields, so many words make many searches. */
export const checkSearchWordCount: ObjectRule = function* (filters) {
  let count = 0
  for (const [name, filter] of Object.entries(filters)) {
    if (typeof filter !== 'string') continue
    count += foldedWordsOf(filter).length
    if (count > maxWords) yield [name, complaint.tooManyWords(maxWords)]
  }
}

/** Complaint about a cursor that we did not issue. */
export const invalidCursorComplaint: LocalizedText = {
  tr: 'Bir önceki yanıtın `Link` başlığından alınmalıdır.',
  en: 'Must be taken from the `Link` header of an earlier response.',
}

function readCursor(value: string): { value: ListCursor } | LocalizedText {
  const [, ms = '', id = ''] =
    /^(\d{1,14})\.(\d{14})$/.exec(Buffer.from(value, 'base64url').toString('latin1')) ?? []
  const cursor = { createdAt: new Date(Number(ms)), id: Number(id) }
  return id !== '' && encodeCursor(cursor) === value ? { value: cursor } : invalidCursorComplaint
}
