import type { Sql } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { authenticationCards, cards } from '../../sandbox/index.ts'
import type { TestApi } from './api.ts'
import { beforeDrop } from './database.ts'
import { testCvc } from './payer.ts'

/**
 * The security code of the tests, standing alone. In a longer number, in bytes or in a UUID it is a
 * coincidence.
 */
const cvc = new RegExp(`(?<![\\w.])${testCvc}(?!\\w)`)
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * Searches every table, in text form, and the lines of a log for cards. Returns the places where one was
 * found. It searches for the numbers that tests use, because one in ten of our ids also has a valid check
 * digit.
 */
export async function findCards(
  database: Sql,
  lines: readonly string[],
  more: string[] = [],
): Promise<string[]> {
  const numbers = [...[...cards, ...authenticationCards].map(({ number }) => number), ...more]
  // PostgreSQL shows bytes in hexadecimal, and the hexadecimal form of a digit is two digits. Both forms are
  // runs of digits.
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

/** Logs of the services on a database, by database address. */
const logs = new Map<string, (readonly string[])[]>()

/**
 * Searches for cards once before the database is dropped: in all its rows and in all logged lines. Rows
 * deleted earlier are missed; a test of such rows must call `findCards` while they exist.
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
