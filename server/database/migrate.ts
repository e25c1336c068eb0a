import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kit/runtime/log.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { raw, sql, unprepared } from '../../kit/runtime/sql.ts'
import { distributeTable, isDistributed } from './citus.ts'
import { tableKinds } from './table-kinds.ts'

/** One step of the schema. Steps only go forward; only a backup leads back. */
export interface Migration {
  level: number
  name: string
  /** The oldest program, by its schema level, that can use the schema after this step. */
  oldestProgram: number
  text: string
}

export interface SchemaState {
  level: number
  oldestProgram: number
  /** Baseline that the schema began with; null for one before lineages had names. */
  lineage: string | null
}

/**
 * Name of the baseline. A baseline that is edited gets a new name, and a database of another lineage is
 * refused: no migration leads from one to the other.
 */
export const lineage = '2026-11'

/** A newer program migrated the schema to a level that this one cannot use. */
export class ProgramTooOld extends Error {
  override readonly name = 'ProgramTooOld'
}

/** The schema began with another baseline, so no migration leads to this program's schema. */
export class OtherLineage extends Error {
  override readonly name = 'OtherLineage'
}

/** The role may not change the schema, which must still be migrated. */
export class OwnerRequired extends Error {
  override readonly name = 'OwnerRequired'
}

/** The role may not read the state of a schema that exists. */
export class RightsMissing extends Error {
  override readonly name = 'RightsMissing'
}

const folder = join(import.meta.dirname, 'migrations')

export function readMigrations(): Migration[] {
  return migrationFiles().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const oldest = /^-- oldest program: (\d+)\n/.exec(text)
    if (!oldest) throw new Error(`${file} must begin with "-- oldest program: N"`)
    return { level: levelIn(file), name: file, oldestProgram: Number(oldest[1]), text }
  })
}

function migrationFiles(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}

const levelIn = (file: string) => Number(file.slice(0, 4))

/**
 * Migrates the schema to this program's level. Guarantee: each step is applied completely and once, even if
 * many instances start at the same time. A newer schema is left unchanged, and refused if this program cannot
 * use it. A role that may not change the schema can start on a migrated one, and gets `OwnerRequired` for others.
 */
export async function migrate(database: Sql, log: Log, migrations = readMigrations()): Promise<SchemaState> {
  try {
    return await applyMissing(database, log, migrations)
  } catch (error) {
    if (!isDenied(error)) throw error
    const level = (await hasStateTable(database)) ? (await schemaState(database)).level : 0
    throw new OwnerRequired(
      `The database has schema level ${level}, but this program needs level ${levelOf(migrations)}, and the role of DATABASE_URL may not migrate it (${error.message}). Run this first, with the DATABASE_URL of the role that owns the tables: vezne migrate`,
      { cause: error },
    )
  }
}

async function applyMissing(database: Sql, log: Log, migrations: Migration[]): Promise<SchemaState> {
  await createStateTable(database)
  const before = await schemaState(database)
  assertSchemaUsable(before, levelOf(migrations))
  if (before.level >= levelOf(migrations)) return before
  const isNew = before.level === 0
  for (;;) {
    const applied = await database.transaction((transaction) => applyNext(transaction, migrations))
    if (applied === undefined) break
    if (!isNew) log.info({ migration: applied.name }, 'a migration was applied')
    else if (applied === migrations.at(-1))
      log.info({ schema_level: applied.level }, 'the schema was created')
  }
  const state = await schemaState(database)
  assertSchemaUsable(state, levelOf(migrations))
  return state
}

export async function schemaState(database: Sql): Promise<SchemaState> {
  try {
    // Read from JSON, because the table of an unnamed lineage has no column for it.
    return await database.one(sql`select level, oldest_program as "oldestProgram",
      to_json(schema_state)->>'lineage' as lineage from schema_state where only_row`)
  } catch (error) {
    if (!isDenied(error)) throw error
    throw new RightsMissing(
      `The role of DATABASE_URL may not use the tables of Vezne (${error.message}). Grant it its rights, as the role that owns the tables: docs/operate/database.md, "Two roles"`,
      { cause: error },
    )
  }
}

/** SQLSTATEs of a role without a right: on a table, or on every schema of its search path. */
const deniedStates = ['42501', '3F000']

function isDenied(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && deniedStates.includes(String(error.code))
}

export function assertSchemaUsable(state: SchemaState, programLevel: number): void {
  if (state.lineage !== lineage)
    throw new OtherLineage(
      `The database has the schema of another version of Vezne (lineage ${state.lineage ?? 'unnamed'}, level ${state.level}), and no migration leads to the schema of this version (lineage ${lineage}). Nothing was changed. Run the version that created the database, or begin with an empty one: another folder as VEZNE_HOME, or another database in DATABASE_URL.`,
    )
  if (programLevel >= state.oldestProgram) return
  throw new ProgramTooOld(
    `The database has schema level ${state.level}, which needs a program of level ${state.oldestProgram} or higher. This program has level ${programLevel}. Run a newer Vezne.`,
  )
}

/** Schema level that this program was written for. */
export function programSchemaLevel(): number {
  return Math.max(0, ...migrationFiles().map(levelIn))
}

/** State of a schema at this program's level or at a newer, usable one; undefined if it must be migrated. */
export async function migratedSchemaState(database: Sql): Promise<SchemaState | undefined> {
  const state = await usableState(database)
  return state.level >= programSchemaLevel() ? state : undefined
}

/** Throws unless a one-shot command can use the schema: it must not be too new or still to be migrated. */
export async function assertSchemaMigrated(database: Sql): Promise<void> {
  const { level } = await usableState(database)
  if (level >= programSchemaLevel()) return
  throw new Error(
    `The database has schema level ${level}, but this program needs level ${programSchemaLevel()}. Run this first: vezne migrate`,
  )
}

async function usableState(database: Sql): Promise<SchemaState> {
  if (!(await hasStateTable(database))) return { level: 0, oldestProgram: 0, lineage }
  const state = await schemaState(database)
  assertSchemaUsable(state, programSchemaLevel())
  return state
}

function levelOf(migrations: Migration[]): number {
  return migrations.at(-1)?.level ?? 0
}

/** The state row is locked while a step runs, so that simultaneous starts migrate one after another. */
async function applyNext(transaction: Sql, migrations: Migration[]): Promise<Migration | undefined> {
  const { level } = await transaction.one<{ level: number }>(
    sql`select level from schema_state where only_row for update`,
  )
  const next = migrations.find((migration) => migration.level === level + 1)
  if (!next) return undefined
  await ((await isDistributed(transaction))
    ? runDistributed(transaction, next)
    : transaction.run(script(next.text)))
  await transaction.run(
    sql`update schema_state set level = ${next.level}, oldest_program = greatest(oldest_program, ${next.oldestProgram}) where only_row`,
  )
  return next
}

/**
 * Runs a step on a distributed database, and distributes the tables that it creates. In the sequential mode
 * Citus uses one connection to each worker, as a transaction that changes several tables needs. Citus forwards
 * some statements as they were sent, so each is sent alone.
 */
async function runDistributed(transaction: Sql, step: Migration): Promise<void> {
  await transaction.run(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
  for (const statement of statementsIn(step.text)) await transaction.run(script(statement))
  for (const [table, kind] of tableKinds([step])) await distributeTable(transaction, table, kind)
}

/** The statements of a step, each up to a semicolon at the end of a line. */
function statementsIn(text: string): string[] {
  const statements = text.replaceAll(/^ *--.*\n/gm, '').split(/;[ \t]*(?:\n|$)/)
  return statements.filter((statement) => statement.trim() !== '')
}

/** Statements that PostgreSQL runs in one transaction, and that take no values. */
const script = (text: string) => unprepared(raw(text))

const stateTable = script(`
  create table if not exists schema_state (
    only_row boolean primary key default true check (only_row),
    level integer not null,
    oldest_program integer not null,
    lineage text not null
  );
  comment on table schema_state is 'Level of the schema, and the baseline that it began with.';
  insert into schema_state (level, oldest_program, lineage) values (0, 0, '${lineage}') on conflict do nothing`)

async function hasStateTable(database: Sql): Promise<boolean> {
  return (await database.many(sql`select where to_regclass('schema_state') is not null`)).length > 0
}

async function createStateTable(database: Sql): Promise<void> {
  // Two instances that create the same table at the same time can collide in PostgreSQL; the second finds it
  // created.
  for (let attempt = 1; !(await hasStateTable(database)); attempt++) {
    try {
      await database.run(stateTable)
    } catch (error) {
      if (attempt === 5 || isDenied(error)) throw error
    }
  }
}
