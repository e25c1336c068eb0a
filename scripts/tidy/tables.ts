import { importOrder, isTest, moduleOf } from './import-order.ts'
import { sqlIn } from './restricted-apis.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { isCode, violationAt } from './source.ts'

/** The feature that writes a table, by feature. Features above it may read it too; those below it do not know it. */
const tablesByFeature: Readonly<Record<string, readonly string[]>> = {
  database: ['id_blocks', 'schema_state'],
  instances: ['instances'],
  ledger: ['ledger_transfers', 'balance_snapshots', 'balance_snapshot_sums'],
  merchants: ['merchants', 'merchant_keys', 'merchant_changes'],
  idempotency: ['idempotency_keys'],
  events: ['events', 'event_lists'],
  customers: ['customers'],
  products: ['products'],
  bins: ['bins', 'bin_tables', 'bin_kinds', 'bin_choice'],
  pos: ['pos_credentials', 'pos_changes', 'commission_rates', 'sealing_key'],
  cards: ['sealed_cards', 'attempt_counts', 'card_salt_turns', 'card_salts_even', 'card_salts_odd'],
  traces: ['traces'],
  payments: ['payments', 'payment_attempts', 'bank_calls', 'deeds', 'verifications', 'verification_paces'],
  'three-ds': ['authentications'],
  refunds: ['refunds', 'refund_policies'],
  webhooks: ['webhooks', 'webhook_secrets', 'webhook_deliveries', 'webhook_tries', 'webhook_health'],
}

const ownerOf = new Map(
  Object.entries(tablesByFeature).flatMap(([feature, tables]) => tables.map((table) => [table, feature])),
)

const floorOf = (module: string) => importOrder.findIndex((floor) => floor.includes(module))

const named = /\b(?:from|join|into|update|using|truncate|table)\s+(?:only\s+)?([a-z_]+)\b/gi

/** SQL names the tables of its own feature and of features below it, as imports do. */
export function* tables(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (file.path.startsWith(migrations)) yield* tablesWithoutOwner(file)
    const own = moduleOf(file.path)
    if (own === undefined || !isCode(file.path) || isTest(file.path)) continue
    for (const { text, start } of sqlIn(file)) {
      for (const { 1: table = '', index } of text.matchAll(named)) {
        const owner = ownerOf.get(table)
        if (owner === undefined || floorOf(owner) <= floorOf(own)) continue
        yield violationAt(
          file,
          start + index,
          `${own} stands below ${owner}, which owns ${table}: read it there, and pass in what is needed`,
        )
      }
    }
  }
}

const migrations = 'server/database/migrations/'
const created = /^create\s+(?:unlogged\s+)?table\s+(\w+)/gim

function* tablesWithoutOwner(file: TrackedFile): Iterable<TidyViolation> {
  for (const { 1: table = '', index } of file.text.matchAll(created))
    if (!ownerOf.has(table))
      yield violationAt(file, index, `say in scripts/tidy/tables.ts which feature owns ${table}`)
}
