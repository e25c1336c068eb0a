import type { LocalizedText } from '../../kit/text/locale.ts'

export type RequestBody = Readonly<Record<string, unknown>>

/**
 * Facts about a resource that merchants create, read, change, delete and search. The suites in this folder
 * use them.
 */
export interface ResourceFacts {
  path: string
  table: 'customers' | 'products'
  sentences: Readonly<Record<'created' | 'updated' | 'deleted', LocalizedText>>
  /** Body with only the required fields. */
  least: Readonly<Record<string, string>>
  /** Body with every field, in the order in which faults are reported. */
  whole: RequestBody
  /** Fields of the answer to the whole body that this resource alone has. */
  shown: RequestBody
  /** Fields besides the metadata that a change can clear. The first is text without further rules. */
  clearable: readonly [string, ...string[]]
  /** Longest text of each text field. */
  longest: Readonly<Record<string, string>>
  /** An invalid value of every field that can be invalid. */
  wrong: RequestBody
  /** Fields of the answer that a body cannot set: values to send, and the values returned anyway. */
  readOnly: { sent: RequestBody; response: RequestBody }
  /** Another value of every field except the metadata, as it is also returned. */
  others: RequestBody
  /** A change of some fields as a form, and all fields of the answer that it changes. */
  change: { sent: Readonly<Record<string, string>>; response: RequestBody }
  /** Values of the whole body in another notation. */
  sameOtherwise: RequestBody
  search: SearchFacts
}

export interface SearchFacts {
  /** Text field that names the record and has its own filter. */
  title: string
  /** A word of the whole body's title in unusual case. */
  titleWord: string
  /** All filters, as a refusal lists them. */
  filters: string
  /** Filters that search for words. */
  wordFilters: readonly string[]
  /** Queries that find the record of the whole body. */
  matchingQueries: readonly string[]
  /** A change, the queries that then find only the changed record, and those that no longer find it. */
  edit: { from: RequestBody; to: RequestBody; matchingQueries: readonly string[]; missing: readonly string[] }
  /** A query with a fault in each of these parameters. */
  faulty: { query: string; names: readonly string[] }
}

export const requiredOf = ({ least }: ResourceFacts) => Object.keys(least)

export const optionalOf = ({ whole, least }: ResourceFacts) =>
  Object.keys(whole).filter((name) => !(name in least))

/** Fields that no change can clear. */
export const unclearableOf = ({ whole, clearable }: ResourceFacts) =>
  Object.keys(whole).filter((name) => name !== 'metadata' && !clearable.includes(name))
