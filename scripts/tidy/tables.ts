import { readMigrations } from '../../server/database/migrate.ts'
import { tableKinds } from '../../server/database/table-kinds.ts'
import { importOrder, isTest, moduleOf } from './import-order.ts'
import { sqlIn, withoutCommentsAndLiterals } from './restricted-apis.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

/** Tables by the feature that writes them. Higher features may read them; lower ones may not use them. */
const tablesByFeature: Readonly<Record<string, readonly string[]>> = {
  database: ['id_blocks', 'schema_state'],
  instances: ['instances', 'job_leases'],
  ledger: ['ledger_transfers', 'balance_snapshots', 'balance_snapshot_sums'],
  pictures: ['pictures'],
  merchants: ['merchants', 'merchant_keys', 'merchant_changes'],
  idempotency: ['idempotency_keys'],
  events: ['events', 'event_positions', 'event_lists'],
  customers: ['customers'],
  products: ['products'],
  bins: ['bins', 'bin_tables', 'bin_kinds', 'active_bin_table'],
  pos: ['pos_credentials', 'pos_changes', 'commission_rates', 'sealing_key'],
  cards: [
    'sealed_cards',
    'attempt_counts',
    'card_hour_key_locks',
    'card_hour_keys_even',
    'card_hour_keys_odd',
  ],
  traces: ['traces'],
  payments: [
    'payments',
    'instruments',
    'payment_attempts',
    'bank_calls',
    'modifications',
    'verifications',
    'inquiry_limits',
  ],
  'three-ds': ['authentications'],
  refunds: ['refunds', 'refund_policies'],
  webhooks: ['webhooks', 'webhook_secrets', 'webhook_deliveries', 'webhook_attempts', 'webhook_health'],
}

/** Tables that are distributed by merchant. */
export const merchantTables: ReadonlySet<string> = new Set(
  tableKinds(readMigrations()).flatMap(([table, kind]) => (kind === 'distributed' ? [table] : [])),
)

const ownerOf = new Map(
  Object.entries(tablesByFeature).flatMap(([feature, tables]) => tables.map((table) => [table, feature])),
)

function floorOf(module: string): number {
  const floor = importOrder.findIndex((modules) => modules.includes(module))
  if (floor < 0) throw new Error(`${module} has no place in scripts/tidy/import-order.ts`)
  return floor
}

/** Word that can be a table name, not a column or alias. */
const word = /(?<![\w.]|\bas\s+)(?:public\.)?"?([a-z_]+)\b/g

/** Name that the query itself defines with `with`. */
const given = /\b(\w+)\s+as\s+(?:(?:not\s+)?materialized\s*)?\(/g

/** Table whose rows a query writes. */
const written = /\b(?:into|update|delete\s+from|truncate)\s+(?:table\s+|only\s+)*(?:public\.)?"?([a-z_]+)/g

/**
 * SQL uses the tables of its own feature and of lower features, as imports do. It writes only the tables of
 * its own feature. The owner of another table exports the part of a query that writes it.
 */
export function* tables(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (file.path.startsWith(migrations)) yield* tablesWithoutOwner(file)
    if (!isCode(file.path) || isTest(file.path)) continue
    for (const { text, start } of queriesIn(file))
      for (const { index, sentence } of objectionsTo(text, file.path))
        yield violationAt(file, start + index, sentence)
  }
}

interface Objection {
  index: number
  sentence: string
}

function* objectionsTo(query: string, path: string): Iterable<Objection> {
  const text = withoutCommentsAndLiterals(query).toLowerCase()
  const own = moduleOf(path)
  if (own !== undefined) yield* objectionsByFloor(text, own)
  else if (path.startsWith('sandbox/')) yield* objectionsToStranger(text)
}

/** The sandbox has its own schema, whose tables may have the same names as the service's tables. */
function* objectionsToStranger(text: string): Iterable<Objection> {
  for (const { table, index } of tablesNamedIn(text))
    yield { index, sentence: `write sandbox.${table}: ${table} is a table of the service` }
}

function* objectionsByFloor(text: string, own: string): Iterable<Objection> {
  for (const { index } of text.matchAll(/\bsandbox\.[a-z_]+/g))
    yield { index, sentence: 'ask the sandbox over the network: its records are those of a stranger' }
  for (const { table, owner, index } of tablesNamedIn(text)) {
    if (floorOf(owner) <= floorOf(own)) continue
    const sentence = `${own} stands below ${owner}, which owns ${table}: read it there, and pass in what is needed`
    yield { index, sentence }
  }
  for (const { 1: table = '', index } of text.matchAll(written)) {
    const owner = ownerOf.get(table)
    if (owner !== undefined && floorOf(owner) < floorOf(own))
      yield { index, sentence: `let ${owner} write ${table}, which it owns` }
  }
}

/** Tables of the service that a query names. */
function tablesNamedIn(text: string): { table: string; owner: string; index: number }[] {
  const givenNames = new Set([...text.matchAll(given)].map(([, name]) => name))
  return [...text.matchAll(word)].flatMap(({ 1: table = '', index }) => {
    const owner = givenNames.has(table) ? undefined : ownerOf.get(table)
    return owner === undefined ? [] : [{ table, owner, index }]
  })
}

/** All queries; in SQL files all strings, because a part of a query need not look like SQL. */
export function queriesIn(file: TrackedFile): { text: string; start: number }[] {
  return /(?:\.sql|\/store)\.ts$/.test(file.path) ? codeOf(file).strings : sqlIn(file)
}

const migrations = 'server/database/migrations/'
const kindComments = '"-- on Citus: distributed", "reference" or "local"'
const created =
  /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:public\.)?"?(\w+)|\balter\s+table\s+\S+\s+rename\s+to\s+(\w+)/g

function* tablesWithoutOwner(file: TrackedFile): Iterable<TidyViolation> {
  const bare = withoutCommentsAndLiterals(file.text).toLowerCase()
  const kinds = new Map(tableKinds([file]))
  for (const { 1: made, 2: renamed, index } of bare.matchAll(created)) {
    const table = made ?? renamed ?? ''
    if (!ownerOf.has(table))
      yield violationAt(file, index, `say in scripts/tidy/tables.ts which feature owns ${table}`)
    else if (made && !kinds.has(made))
      yield violationAt(file, index, `say in the line before how Citus keeps ${made}: ${kindComments}`)
  }
}
