import type { Sql } from '../../kit/runtime/sql.ts'
import { empty, raw, sql } from '../../kit/runtime/sql.ts'
import type { Columns, RowOf, Table } from '../../kit/runtime/table.ts'
import { seedDefaults, seedStart, sharedTables } from './defaults.ts'

/** Fields of a row that a test names; the others have their defaults. */
export type SeedRow<Kinds extends Columns> = Partial<RowOf<{ map: Kinds }>>

let lastId = 20_000_000_000_000
export const nextId = () => ++lastId

/**
 * Seeds one row or many, in one query, and returns them. A field that is left out has the default of its table
 * (`defaults.ts`), or is null.
 */
export async function seed<Kinds extends Columns>(
  database: Sql,
  table: Table<Kinds>,
  given: SeedRow<Kinds> | readonly SeedRow<Kinds>[],
): Promise<RowOf<{ map: Kinds }>[]> {
  const list: readonly SeedRow<Kinds>[] = Array.isArray(given) ? given : [given]
  const rows = list.map((row) => completeRow(table, row))
  const json = JSON.stringify(rows.map((row) => table.jsonRow(row)))
  const shared = sharedTables.has(table.name) ? sql`on conflict do nothing` : empty
  await database.run(sql`insert into ${raw(table.name)} (${table.names})
    select ${table.recordsetNames('given')} from json_to_recordset(${json}::json) as ${table.recordset('given')} ${shared}`)
  return rows
}

/** The whole row that `seed` writes. */
export function completeRow<Kinds extends Columns>(
  table: Table<Kinds>,
  given: SeedRow<Kinds>,
): RowOf<{ map: Kinds }> {
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const { createdAt, beganAt, requestedAt, askedAt, approvedAt } = named
  const at = [createdAt, beganAt, requestedAt, askedAt, approvedAt].find((time) => time instanceof Date)
  const row: Record<string, unknown> = { id: named['id'] ?? nextId(), ...named }
  const defaults = seedDefaults.get(table.name)?.(row, at ?? seedStart) ?? {}
  const values = table.catalog.map(({ name, isNullable }) => {
    const value = row[name] !== undefined ? row[name] : (defaults[name] ?? null)
    if (value === null && !isNullable) throw new Error(`${table.name} needs ${name}: it has no default`)
    return [name, value]
  })
  return Object.fromEntries(values)
}
