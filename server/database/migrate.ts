import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kit/runtime/log.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'

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
}

/** A newer program migrated the schema to a level that this one cannot use. */
export class ProgramTooOld extends Error {
  override readonly name = 'ProgramTooOld'
}

const ownFolder = join(import.meta.dirname, 'migrations')

export function readMigrations(folder = ownFolder): Migration[] {
  return migrationFiles(folder).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const oldest = /^-- oldest program: (\d+)\n/.exec(text)
    if (!oldest) throw new Error(`${file} must begin with "-- oldest program: N"`)
    return { level: levelIn(file), name: file, oldestProgram: Number(oldest[1]), text }
  })
}

function migrationFiles(folder = ownFolder): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}

const levelIn = (file: string) => Number(file.slice(0, 4))

/**
 * Migrates the schema to this program's level. Guarantee: each step is applied completely and once, even if
 * many instances start at the same time. A newer schema is left unchanged, and refused if this program cannot
 * use it.
 */
export async function migrate(database: Sql, log: Log, migrations = readMigrations()): Promise<SchemaState> {
  await createStateTable(database)
  const isNew = (await schemaState(database)).level === 0
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
  const row = await database.one<{ level: number; oldest_program: number }>(
    sql`select level, oldest_program from schema_state where only_row`,
  )
  return { level: row.level, oldestProgram: row.oldest_program }
}

export function assertSchemaUsable(state: SchemaState, programLevel: number): void {
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
  const made = await database.many(
    sql`select from information_schema.tables where table_name = 'schema_state'`,
  )
  const state = made.length === 0 ? { level: 0, oldestProgram: 0 } : await schemaState(database)
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
  for (const statement of splitStatements(next.text)) await transaction.run(raw(statement))
  await transaction.run(
    sql`update schema_state set level = ${next.level}, oldest_program = greatest(oldest_program, ${next.oldestProgram}) where only_row`,
  )
  return next
}

async function createStateTable(database: Sql): Promise<void> {
  // Two instances that create the same table at the same time can collide in PostgreSQL; the second finds it
  // created.
  for (let attempt = 1; ; attempt++) {
    try {
      await database.run(sql`create table if not exists schema_state (
        only_row boolean primary key default true check (only_row),
        level integer not null,
        oldest_program integer not null
      )`)
      await database.run(
        sql`insert into schema_state (level, oldest_program) values (0, 0) on conflict do nothing`,
      )
      return
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}

/** Migration files contain plain statements, each ended by a semicolon at the end of a line. */
function splitStatements(text: string): string[] {
  return text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^\s*--.*$/gm, '').trim() !== '')
}
