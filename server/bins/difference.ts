import type { BinRow, BinTable } from './bin-table.ts'
import { sortKeyOf } from './bin-table.ts'
import type { CardKind } from './card.ts'

/** Number of examples for each category. */
const maxShown = 5

/** Difference between a table and the previous one: counts, and examples of each category as text. */
export interface BinTableDifference {
  added: Sort
  removed: Sort
  changed: Sort
  unchanged: number
}

interface Sort {
  count: number
  examples: string[]
}

/** Compares both tables in one pass. */
export function compareTables(before: BinTable, after: BinTable): BinTableDifference {
  const sort = (): Sort => ({ count: 0, examples: [] })
  const difference: BinTableDifference = { added: sort(), removed: sort(), changed: sort(), unchanged: 0 }
  const olds = before.rows()
  const news = after.rows()
  let old = olds.next().value
  let young = news.next().value
  while (old || young) {
    const order = orderOf(old, young)
    if (old && order < 0) note(difference.removed, () => describeRow(old as BinRow))
    else if (young && order > 0) note(difference.added, () => describeRow(young as BinRow))
    else if (old && young) noteSame(difference, old, young)
    if (order <= 0) old = olds.next().value
    if (order >= 0) young = news.next().value
  }
  return difference
}

export function isEmptyDifference({ added, removed, changed }: BinTableDifference): boolean {
  return added.count + removed.count + changed.count === 0
}

export function differenceTextLines(difference: BinTableDifference): string[] {
  const { added, removed, changed, unchanged } = difference
  if (isEmptyDifference(difference))
    return [`No differences from the table in use: ${unchanged} rows are the same.`]
  const lines = Object.entries({ added, removed, changed }).flatMap(([name, { count, examples }]) => {
    const more = count - examples.length
    const rows = examples.map((example) => `    ${example}`)
    return [`${name.padEnd(10)}${count}`, ...rows, ...(more > 0 ? [`    and ${more} more`] : [])]
  })
  return ['Compared with the table in use:', ...lines, `${'unchanged'.padEnd(10)}${unchanged}`]
}

/** Fields of a kind by column name. */
export function columnValuesOf(kind: CardKind): [name: string, value: string][] {
  return [
    ['bank_code', String(kind.bankCode)],
    ['bank_name', kind.bankName],
    ['card_brand', kind.brand],
    ['card_type', kind.type],
    ['card_family', kind.family ?? 'none'],
    ['card_segment', kind.segment],
    ['country', kind.country],
    ['prepaid', kind.prepaid ? 'yes' : 'no'],
  ]
}

/**
 * Negative if the old row has no counterpart, positive if the new row has none, 0 if both have the same
 * prefix.
 */
function orderOf(old: BinRow | undefined, young: BinRow | undefined): number {
  if (!old) return 1
  return young ? sortKeyOf(old.prefix) - sortKeyOf(young.prefix) : -1
}

function noteSame(difference: BinTableDifference, { prefix, kind }: BinRow, { kind: other }: BinRow): void {
  if (isSame(kind, other)) {
    difference.unchanged += 1
    return
  }
  note(difference.changed, () => {
    const now = columnValuesOf(other)
    const changes = columnValuesOf(kind).flatMap(([name, value], index) => {
      const [, then = ''] = now[index] ?? []
      return value === then ? [] : [`${name} ${value} → ${then}`]
    })
    return `${prefix}  ${changes.join(', ')}`
  })
}

function isSame(one: CardKind, other: CardKind): boolean {
  return (
    one.bankCode === other.bankCode &&
    one.bankName === other.bankName &&
    one.brand === other.brand &&
    one.type === other.type &&
    one.family === other.family &&
    one.segment === other.segment &&
    one.country === other.country &&
    one.prepaid === other.prepaid
  )
}

function note(sort: Sort, describe: () => string): void {
  sort.count += 1
  if (sort.examples.length < maxShown) sort.examples.push(describe())
}

function describeRow({ prefix, kind }: BinRow): string {
  const { bankName, brand, type, family, segment, country, prepaid } = kind
  const words = [
    bankName,
    brand,
    type,
    family ?? 'no family',
    segment,
    country,
    ...(prepaid ? ['prepaid'] : []),
  ]
  return `${prefix}  ${words.join(', ')}`
}
