import { Type } from '../../../kit/input/schema.ts'
import type { SecretPan } from '../../../kit/money/card.ts'
import {
  digitsOfLengthSchema,
  enumSchema,
  isWebAddress,
  nonNullElementsOf,
  readElementsWithSchema,
  versionSchema,
  webAddressSchema,
} from './element-schemas.ts'
import type { PRes } from './pres.ts'
import type { ProtocolError } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { ProtocolVersion, VersionSpan } from './versions.ts'
import { isVersionSpan, pickVersion } from './versions.ts'

/** Card range, both ends included and of the same length, with the abilities of the issuer's ACS. */
export interface CardRange {
  start: string
  end: string
  acs: VersionSpan
  /** Null: the directory server's own versions apply. */
  ds: VersionSpan | null
  methodUrl: string | null
}

/** Card ranges of a directory server. The value can be serialized as JSON. */
export interface CardRangeTable {
  ds: VersionSpan
  /** Ascending by number, shorter numbers first. Ranges do not overlap. */
  ranges: readonly CardRange[]
}

const Item = Type.Object({
  startRange: digitsOfLengthSchema(13, 19),
  endRange: digitsOfLengthSchema(13, 19),
  actionInd: Type.Optional(enumSchema('A', 'D', 'M')),
  acsStartProtocolVersion: versionSchema,
  acsEndProtocolVersion: versionSchema,
  dsStartProtocolVersion: Type.Optional(versionSchema),
  dsEndProtocolVersion: Type.Optional(versionSchema),
  threeDSMethodURL: Type.Optional(webAddressSchema(256)),
})

interface CardRangeChange {
  action: 'A' | 'D' | 'M'
  range: CardRange
}

/**
 * Applies a PRes, which holds the whole table or the changes to `before`. Guarantee: one invalid entry
 * changes nothing. Error 307 means that the changes do not fit (a deleted or modified range is missing, or
 * ranges overlap): our serial number belongs to another table, and the whole table must be requested.
 */
export function applyCardRanges(
  before: CardRangeTable | undefined,
  { ds, cardRanges }: Pick<PRes, 'ds' | 'cardRanges'>,
  isLive: boolean,
): { table: CardRangeTable } | { error: ProtocolError } {
  const changes: CardRangeChange[] = []
  for (const item of cardRanges ?? []) {
    const change = readChange(item, isLive)
    if ('error' in change) return change
    changes.push(change)
  }
  const ranges = new Map(before?.ranges.map((range) => [keyOf(range), range]))
  // Deletions come first, so that the order of the entries does not matter.
  for (const { action, range } of changes) {
    if (action !== 'A' && !ranges.delete(keyOf(range))) return { error: protocolError('307', 'serialNum') }
  }
  const remaining = [...ranges.values()]
  const added = changes.filter(({ action }) => action !== 'D').map(({ range }) => range)
  const sorted = [...remaining, ...added].toSorted((one, other) => compareNumbers(one.start, other.start))
  const overlaps = sorted.some((range, index) => {
    const next = sorted[index + 1]
    return next !== undefined && compareNumbers(next.start, range.end) <= 0
  })
  return overlaps ? { error: protocolError('307', 'cardRangeData') } : { table: { ds, ranges: sorted } }
}

/**
 * Finds the version to use with a card and the 3DS Method of its issuer; undefined if the card is not enrolled
 * in 3-D Secure, or if one of the parties supports none of our versions.
 */
export function findEnrolment(
  table: CardRangeTable,
  pan: SecretPan,
): { version: ProtocolVersion; methodUrl: string | null } | undefined {
  const number = pan.reveal()
  let low = 0
  let high = table.ranges.length
  // Binary search for the first range that starts after the number. Only the range before it can hold the
  // number.
  while (low < high) {
    const middle = (low + high) >>> 1
    const range = table.ranges[middle]
    if (range && compareNumbers(range.start, number) <= 0) low = middle + 1
    else high = middle
  }
  const range = table.ranges[low - 1]
  if (!range || compareNumbers(number, range.end) > 0) return undefined
  const version = pickVersion(range.ds ?? table.ds, range.acs)
  return version && { version, methodUrl: range.methodUrl }
}

function readChange(item: unknown, isLive: boolean): CardRangeChange | { error: ProtocolError } {
  const elements = nonNullElementsOf(item)
  if (!elements) return { error: protocolError('203', 'cardRangeData') }
  const read = readElementsWithSchema(Item, elements)
  if ('error' in read) return { error: within(read.error) }
  const form = read.message
  const { startRange: start, endRange: end, threeDSMethodURL: methodUrl = null } = form
  if (start.length !== end.length || start > end) return wrong('startRange', 'endRange')
  const acs = { from: form.acsStartProtocolVersion, to: form.acsEndProtocolVersion }
  if (!isVersionSpan(acs)) return wrong('acsStartProtocolVersion', 'acsEndProtocolVersion')
  const { dsStartProtocolVersion: from, dsEndProtocolVersion: to } = form
  const ds = from !== undefined && to !== undefined ? { from, to } : null
  if (ds && !isVersionSpan(ds)) return wrong('dsStartProtocolVersion', 'dsEndProtocolVersion')
  if (methodUrl !== null && !isWebAddress(methodUrl, isLive)) return wrong('threeDSMethodURL')
  return { action: form.actionInd ?? 'A', range: { start, end, acs, ds, methodUrl } }
}

function wrong(...names: string[]): { error: ProtocolError } {
  return { error: within(protocolError('203', ...names)) }
}

function within({ code, detail }: ProtocolError): ProtocolError {
  return protocolError(code, ...detail.split(',').map((name) => `cardRangeData.${name}`))
}

const keyOf = ({ start, end }: CardRange) => `${start}-${end}`

/** Compares numerically. A shorter number is smaller, because card numbers have no leading zeros. */
function compareNumbers(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length
  return one < other ? -1 : one > other ? 1 : 0
}
