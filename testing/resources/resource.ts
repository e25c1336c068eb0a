import type { LocalizedText } from '../../kit/text/locale.ts'

export type RequestBody = Readonly<Record<string, unknown>>

/** Facts about a resource that merchants create, read, change, delete and search, for the suites beside this file. */
export interface Resource {
  path: string
  table: 'customers' | 'products'
  sentences: Readonly<Record<'created' | 'updated' | 'deleted', LocalizedText>>
  /** A body with the required fields alone. */
  least: Readonly<Record<string, string>>
  /** A body with every field, in the order in which faults are reported. */
  whole: RequestBody
  /** Fields, beside the metadata, that a change may clear. The first is text without rules of its own. */
  clearable: readonly [string, ...string[]]
  /** The longest text of each field that is text. */
  longest: Readonly<Record<string, string>>
  /** A wrong value of every field that can be wrong. */
  wrong: RequestBody
  /** Fields of the answer that a body cannot set: as they are sent, and as they are answered all the same. */
  readOnly: { sent: RequestBody; response: RequestBody }
  /** Another value for every field but the metadata, as it is answered too. */
  others: RequestBody
  /** A change of some fields of the whole body, as a form, and everything in the answer that it changes. */
  change: { sent: Readonly<Record<string, string>>; response: RequestBody }
  /** Values of the whole body, written otherwise. */
  sameOtherwise: RequestBody
  search: SearchFacts
}

export interface SearchFacts {
  /** The text field that stands for the record, which has a filter of its own. */
  title: string
  /** A word of the whole body's title, as nobody would write it. */
  titleWord: string
  /** All filters, as a refusal lists them. */
  filters: string
  /** Filters that look for words. */
  wordFilters: readonly string[]
  /** Queries that find the record of the whole body. */
  matchingQueries: readonly string[]
  /** A change, the queries that find the changed record alone, and those that do not find it any more. */
  edit: { from: RequestBody; to: RequestBody; matchingQueries: readonly string[]; missing: readonly string[] }
  /** A query with something wrong in each of these. */
  faulty: { query: string; names: readonly string[] }
}

export const requiredOf = ({ least }: Resource) => Object.keys(least)

export const optionalOf = ({ whole, least }: Resource) =>
  Object.keys(whole).filter((name) => !(name in least))

/** Fields that no change can clear. */
export const unclearableOf = ({ whole, clearable }: Resource) =>
  Object.keys(whole).filter((name) => name !== 'metadata' && !clearable.includes(name))
