import type { Sql } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { authenticationCards, cards } from '../../sandbox/index.ts'
import type { TestApi } from './api.ts'
import { beforeDrop } from './database.ts'
import { testCvc } from './payer.ts'

/** The code that tests type, where it stands alone: in a longer number, in bytes or in a UUID it is chance. */
const cvc = new RegExp(`(?<![\\w.])${testCvc}(?!\\w)`)
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * Looks for cards in every table of the database, as a dump would show it, and in the lines of a log. Answers where one
 * was found. Not by the check digit, for one in ten of our own ids has a right one, but for the very numbers that tests use.
 */
export async function findCards(
  database: Sql,
  lines: readonly string[],
  more: string[] = [],
): Promise<string[]> {
  const numbers = [...[...cards, ...authenticationCards].map(({ number }) => number), ...more]
  // Bytes are shown as hexadecimal digits, and those of a digit are two digits again: whatever is looked for is a run of them.
  const forms = numbers.flatMap((number) => [number, Buffer.from(number).toString('hex')])
  const longRuns = new RegExp(`\\d{${Math.min(...forms.map(({ length }) => length))},}`, 'g')
  const holdsCard = (text: string) => {
    if (text.includes(testCvc) && cvc.test(text.replaceAll(uuids, ''))) return true
    const runs = text.replaceAll(/(?<=\d)[ -](?=\d)/g, '').match(longRuns) ?? []
    return runs.some((run) => forms.some((form) => run.includes(form)))
  }
  const inLog = lines.filter(holdsCard).map((line) => `the log: ${line}`)
  const tables = await tablesOf(database)
  const selects = tables.map((name) => `select '${name}' as name, t::text as text from ${name} t`)
  const rows = await database.many<{ name: string; text: string }>(raw(selects.join(' union all ')))
  const holding = new Set(rows.filter(({ text }) => holdsCard(text)).map(({ name }) => name))
  return [...inLog, ...tables.filter((name) => holding.has(name))]
}

async function tablesOf(database: Sql): Promise<string[]> {
  const rows = await database.many<{
    name: string
  }>(sql`select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p')
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`)
  return rows.map(({ name }) => name)
}

/** Logs of the services that use a database, by its address. */
const logs = new Map<string, (readonly string[])[]>()

/**
 * Looks for cards once, before the database is dropped: in everything that the tests left in it, and in every line that
 * they logged. Rows that are deleted earlier are not seen: a test of such a row calls `findCards` while it is there.
 */
export function watchForCards({ database: { url }, lines }: Pick<TestApi, 'database' | 'lines'>): void {
  const known = logs.get(url)
  if (known) {
    known.push(lines)
    return
  }
  const all = [lines]
  logs.set(url, all)
  const cause = new Error('the database was opened here')
  beforeDrop(url, async (database) => {
    logs.delete(url)
    const found = await findCards(database, all.flat())
    if (found.length > 0) throw new Error(`cards were found: ${found.join(', ')}`, { cause })
  })
}
