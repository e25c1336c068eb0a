import { isDeepStrictEqual } from 'node:util'
import type { BinRows, BinTable } from './bin-table.ts'
import type { CardKind } from './card.ts'

/** Number of examples for each category. */
const maxShown = 5

/** Difference between a table and the one in use: counts, and examples in the order of their digits. */
export function differenceTextLines({ rows: before }: BinTable, { rows: after }: BinTable): string[] {
  const added = [...after.keys()].filter((prefix) => !before.has(prefix))
  const removed = [...before.keys()].filter((prefix) => !after.has(prefix))
  const changed = [...after.keys()].filter((prefix) => {
    const was = before.get(prefix)
    return was && !isDeepStrictEqual(was, after.get(prefix))
  })
  const unchanged = after.size - added.length - changed.length
  if (added.length + removed.length + changed.length === 0)
    return [`No differences from the table in use: ${unchanged} rows are the same.`]
  return [
    'Compared with the table in use:',
    ...categoryTextLines('added', added, after, describeKind),
    ...categoryTextLines('removed', removed, before, describeKind),
    ...categoryTextLines('changed', changed, after, (kind, prefix) =>
      describeChange(before.get(prefix), kind),
    ),
    `${'unchanged'.padEnd(10)}${unchanged}`,
  ]
}

function categoryTextLines(
  name: string,
  prefixes: readonly number[],
  rows: BinRows,
  describe: (kind: CardKind, prefix: number) => string,
): string[] {
  const examples = prefixes
    .map(String)
    .toSorted()
    .slice(0, maxShown)
    .flatMap((digits) => {
      const prefix = Number(digits)
      const kind = rows.get(prefix)
      return kind ? [`    ${digits}  ${describe(kind, prefix)}`] : []
    })
  const more = prefixes.length - examples.length
  return [`${name.padEnd(10)}${prefixes.length}`, ...examples, ...(more > 0 ? [`    and ${more} more`] : [])]
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

function describeChange(was: CardKind | undefined, kind: CardKind): string {
  const before = new Map(was && columnValuesOf(was))
  const changes = columnValuesOf(kind).filter(([name, value]) => before.get(name) !== value)
  return changes.map(([name, value]) => `${name} ${before.get(name)} → ${value}`).join(', ')
}

function describeKind({ bankName, brand, type, family, segment, country, prepaid }: CardKind): string {
  const words = [bankName, brand, type, family ?? 'no family', segment, country]
  return [...words, ...(prepaid ? ['prepaid'] : [])].join(', ')
}
