import { blankOut } from './source.ts'

/** A table that a query reads, updates or deletes from. An insert names the merchant in its row. */
export interface TableRead {
  table: string
  index: number
  /** Name by which its level calls it. */
  alias: string
  /** True if its level compares its `merchant_id` with the id of a merchant. */
  hasMerchant: boolean
}

/** Stands in a query for each character of a hole with the id of a merchant. */
export const merchantSign = '$'
/** Stands in a query for each character of a hole with the name of a table. */
export const tableSign = '@'

/** Part of a text with its offset. */
interface Part {
  text: string
  start: number
}

/**
 * Reads of a query in lower case, without comments and literals and with blank holes. A level is a query
 * between its parentheses; each side of a union is a level of its own. A level sees only its own comparisons,
 * because Citus prunes each table by a value of its own.
 */
export function tableReadsIn(query: string): TableRead[] {
  const defined = new Set([...query.matchAll(definition)].map(([, name]) => name))
  return levelsOf(query).flatMap(({ text, start }) => {
    const tables = namedTablesIn(text)
    return tables
      .filter(({ table }) => !defined.has(table))
      .map(({ table, alias, index }) => {
        const qualifier = `(?:${alias}\\.)${tables.length === 1 ? '?' : ''}`
        const comparison = new RegExp(
          `\\b(?:where|on|and)\\s+${qualifier}merchant_id\\s*=\\s*\\${merchantSign}`,
        )
        return { table, alias, index: start + index, hasMerchant: comparison.test(text) }
      })
  })
}

/** Name that the query itself defines with `with`. */
const definition = /\b(\w+)\s+as\s+(?:(?:not\s+)?materialized\s*)?\(/g

/** Takes the innermost parentheses out, again and again. Offsets stay valid. */
function levelsOf(query: string): Part[] {
  const levels: Part[] = []
  let rest = query
  for (;;) {
    const innermost = /\(([^()]*)\)/.exec(rest)
    if (!innermost) break
    const { 0: whole, 1: inside = '', index } = innermost
    const isQuery = /\b(?:select|values|insert|update|delete)\b/.test(inside)
    if (isQuery) levels.push({ text: inside, start: index + 1 })
    // Other parentheses belong to the level around them, but begin no clause of it.
    const left = isQuery ? `[${blankOut(inside)}]` : ` ${inside.replace(/,|\bfrom\b/g, blankOut)} `
    rest = rest.slice(0, index) + left + rest.slice(index + whole.length)
  }
  levels.push({ text: rest, start: 0 })
  return levels.flatMap(sidesOf)
}

function sidesOf({ text, start }: Part): Part[] {
  const sides: Part[] = []
  for (const side of text.split(/\b(?=(?:union|except|intersect)\b)/)) {
    sides.push({ text: side, start })
    start += side.length
  }
  return sides
}

/** A fragment of a query that begins with a table: `refunds r left join …`. */
const fromList = /^\s*[\w@]+\s+(?:as\s+)?\w+\s+(?:(?:left|right|full|inner|cross)\s+)?(?:outer\s+)?join\b/

const endsOfFrom = new Set(
  'select where set group having window order limit offset fetch for returning'.split(' '),
)
const afterTable = new Set([
  ...endsOfFrom,
  ...'on join left right full inner cross natural using values default'.split(' '),
])

type NamedTable = Omit<TableRead, 'hasMerchant'>
type Word = Pick<NamedTable, 'index'> & { word: string }

/** All names in `from`, `join`, `using` and `update`, those of functions and of the query's own included. */
function namedTablesIn(level: string): NamedTable[] {
  const words = [...level.matchAll(/[\w.@"]+|[,[]/g)].map(({ 0: word, index }) => ({ word, index }))
  const tables: NamedTable[] = []
  let isInFrom = fromList.test(level)
  let isTableNext = isInFrom
  for (const [at, { word }] of words.entries()) {
    if (beginsFrom(word, words[at - 1]?.word)) isInFrom = isTableNext = true
    else if (endsOfFrom.has(word)) isInFrom = isTableNext = false
    else if (word === ',') isTableNext = isInFrom
    else if (isTableNext && word !== 'only' && word !== 'lateral') {
      isTableNext = false
      if (word !== '[') tables.push(tableAtStartOf(words.slice(at)))
    }
  }
  return tables
}

function tableAtStartOf([name = { word: '', index: 0 }, ...after]: Word[]): NamedTable {
  const table = name.word.replaceAll('"', '').replace(/^public\./, '')
  const { word } = (after[0]?.word === 'as' ? after[1] : after[0]) ?? { word: '' }
  const hasAlias = /^\w+$/.test(word) && !afterTable.has(word)
  return { table, index: name.index, alias: hasAlias ? word : table }
}

/** False for `is distinct from`, `for update` and `for no key update`. */
function beginsFrom(word: string, before = ''): boolean {
  if (word === 'from') return before !== 'distinct'
  if (word === 'update') return before !== 'for' && before !== 'key'
  return word === 'join' || word === 'using'
}
