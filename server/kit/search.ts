import type { Static, TObject } from 'typebox'
import * as complaint from './complaints.ts'
import type { Pair, Rule } from './fields.ts'
import { integer, optional, parsed, text } from './fields.ts'
import type { Sentence } from './locale.ts'
import type { Page } from './route.ts'
import type { Term } from './words.ts'
import { wordsIn } from './words.ts'
import { startOfDay } from './zoned-time.ts'

/** The filters that every search has, and what they mean. */

const perPageDefault = 20
const wordsAtMost = 10
const dayMs = 24 * 60 * 60 * 1000

/** A day of the merchant's own calendar, or an instant with the precision that it was given in. */
type Moment = { day: string } | { instantMs: number; precisionMs: number }

/** A place in a list that is sorted from the newest: just behind this record. */
export interface Place {
  createdAt: Date
  id: number
}

export const searchFilters = {
  created_from: optional(
    parsed<Moment>(
      {
        tr: 'Bu tarihte veya sonrasında oluşturulanlar: bir gün (2026-11-15) ya da UTC farkı belirtilmiş bir tarih ve saat.',
        en: 'Created at this time or later: a day (2026-11-15) or a time with its UTC offset.',
      },
      { max: 40, parse: readMoment },
    ),
  ),
  created_to: optional(
    parsed<Moment>(
      {
        tr: 'Bu tarihte (kendisi dahil) veya öncesinde oluşturulanlar: bir gün ya da UTC farkı belirtilmiş bir tarih ve saat.',
        en: 'Created at this time or earlier, itself included: a day or a time with its UTC offset.',
      },
      { max: 40, parse: readMoment },
    ),
  ),
  after: optional(
    parsed<Place>(
      {
        tr: 'Bir önceki sayfanın `Link` başlığındaki imleç.',
        en: 'The cursor from the `Link` header of the page before.',
      },
      { max: 100, parse: readPlace },
    ),
  ),
  per_page: optional(
    integer(
      { tr: 'Sayfa başına kayıt sayısı; verilmezse 20.', en: 'Records per page; 20 if not given.' },
      { min: 1, max: 100 },
    ),
  ),
}

/** Which part of the list is asked for. */
export interface Window {
  from: Date | undefined
  /** The first moment that is too late. */
  before: Date | undefined
  after: Place | undefined
  limit: number
}

export function windowOf(filters: Static<TObject<typeof searchFilters>>, zone: string): Window {
  const { created_from, created_to, after, per_page } = filters
  return {
    from: created_from && beginningOf(created_from, zone),
    before: created_to && endOf(created_to, zone),
    after,
    limit: per_page ?? perPageDefault,
  }
}

/** What a search came to. */
export interface Found<Item> {
  items: Item[]
  /** How many match in all, counted up to one more than `countedTo`. */
  count: number
  /** Whether there are more behind these. */
  hasMore: boolean
}

/** Beyond it nobody is told how many there are: counting on would take longer than finding. */
export const countedTo = 1000

export const nothingFound: Found<never> = { items: [], count: 0, hasMore: false }

/** What a record of a list brings along that can be large. */
interface Weighty extends Place {
  metadata: readonly Pair[]
  changes: readonly unknown[]
}

/** About how many bytes a page may have. Records are small; whoever makes very large ones gets fewer of them at a time. */
const heaviestPage = 2_000_000

export function pageOf<Item extends Weighty>({ items, count, hasMore }: Found<Item>): Page<Item> {
  let weight = 0
  const tooMuch = items.findIndex((item, index) => {
    weight += weightOf(item)
    return weight > heaviestPage && index > 0
  })
  const fitting = tooMuch < 0 ? items : items.slice(0, tooMuch)
  const last = fitting.at(-1)
  return {
    items: fitting,
    total: count > countedTo ? `${countedTo}+` : String(count),
    next: (hasMore || tooMuch > 0) && last ? placeText(last) : undefined,
  }
}

/** Counted generously: all that is around the values is a few hundred bytes for each. */
function weightOf({ metadata, changes }: Weighty): number {
  const pairs = metadata.reduce((sum, { key, value }) => sum + 200 + 3 * (key.length + value.length), 0)
  return 2_000 + 150 * changes.length + pairs
}

function placeText({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url')
}

/** A filter by the beginnings of words. */
export function wordFilter(about: Sentence, example?: string) {
  return optional(text(about, example === undefined ? { max: 254 } : { max: 254, example }))
}

/** The words of a filter, each looked for in these fields; undefined when the filter is not given. */
export function termsIn(filter: string | undefined, fields: readonly string[]): Term[] | undefined {
  return filter === undefined ? undefined : wordsIn(filter).map((word) => ({ fields, word }))
}

/** All that the filters look for; undefined when one of them has no word in it, for no record begins with nothing. */
export function allTerms(filters: readonly (Term[] | undefined)[]): Term[] | undefined {
  const given = filters.filter((terms) => terms !== undefined)
  return given.some((terms) => terms.length === 0) ? undefined : given.flat()
}

/** Each word is looked for in each of its fields, so many words of one request are many searches. */
export const notTooManyWords: Rule = function* (filters) {
  let count = 0
  for (const [name, filter] of Object.entries(filters)) {
    if (typeof filter !== 'string') continue
    count += wordsIn(filter).length
    if (count > wordsAtMost) yield [name, complaint.tooManyWords(wordsAtMost)]
  }
}

const notMoment: Sentence = {
  tr: 'Bir gün (2026-11-15) ya da UTC farkı belirtilmiş bir tarih ve saat (2026-11-15T09:30:00+03:00) olmalıdır.',
  en: 'Must be a day (2026-11-15) or a time with its UTC offset (2026-11-15T09:30:00+03:00).',
}

function readMoment(value: string): { value: Moment } | Sentence {
  // A plus that was not encoded arrives as a space.
  const match =
    /^([12]\d{3}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+ -])(\d{2}:\d{2})))?$/.exec(
      value,
    )
  if (!match) return notMoment
  const [, day = '', time, zulu, sign = '', offset = ''] = match
  const dayAt = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(dayAt) || !new Date(dayAt).toISOString().startsWith(day)) return notMoment
  if (time === undefined) return { value: { day } }
  const instantMs = Date.parse(`${day}T${time}${zulu ?? sign.replace(' ', '+') + offset}`)
  if (Number.isNaN(instantMs)) return notMoment
  return { value: { instantMs, precisionMs: precisionOf(time) } }
}

function precisionOf(time: string): number {
  if (time.includes('.')) return 1
  return time.length > 5 ? 1000 : 60_000
}

function beginningOf(moment: Moment, zone: string): Date {
  return 'day' in moment ? startOfDay(moment.day, zone) : new Date(moment.instantMs)
}

/** Times are shown to the second, so a record that shows the very second that was given is meant too. */
function endOf(moment: Moment, zone: string): Date {
  if (!('day' in moment)) return new Date(moment.instantMs + moment.precisionMs)
  const next = new Date(Date.parse(`${moment.day}T00:00:00Z`) + dayMs)
  return startOfDay(next.toISOString().slice(0, 10), zone)
}

const notPlace: Sentence = {
  tr: 'Bir önceki yanıtın `Link` başlığından alınmalıdır.',
  en: 'Must be taken from the `Link` header of an earlier answer.',
}

function readPlace(value: string): { value: Place } | Sentence {
  const [, ms = '', id = ''] =
    /^(\d{1,14})\.(\d{14})$/.exec(Buffer.from(value, 'base64url').toString('latin1')) ?? []
  const place = { createdAt: new Date(Number(ms)), id: Number(id) }
  return id !== '' && placeText(place) === value ? { value: place } : notPlace
}
