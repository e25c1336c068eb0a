import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { openLog } from '../../kit/runtime/log.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { emptyDatabase, silentLog, testDatabase } from '../../testing/harness/database.ts'
import type { Migration } from './migrate.ts'
import {
  assertSchemaMigrated,
  lineage,
  migrate,
  OtherLineage,
  ProgramTooOld,
  readMigrations,
  schemaState,
} from './migrate.ts'

function step(level: number, oldestProgram: number, text: string): Migration {
  return { level, name: `${level}.sql`, oldestProgram, text }
}

const first = step(1, 1, 'create table a (n integer);\n\ninsert into a values (1);\n')
const second = step(2, 1, 'alter table a add column m integer;\n')
const breaking = step(3, 2, 'alter table a drop column n;\n')

async function rowsOf(database: Sql): Promise<number> {
  return (await database.many(sql`select * from a`)).length
}

describe('a migration', () => {
  it('applies each step once, from any number of simultaneous instances', async () => {
    const { sql: database } = await emptyDatabase()
    await Promise.all(Array.from({ length: 8 }, () => migrate(database, silentLog, [first, second])))
    assert.deepEqual(await migrate(database, silentLog, [first, second]), {
      level: 2,
      oldestProgram: 1,
      lineage,
    })
    assert.equal(await rowsOf(database), 1)
  })

  it('is logged by its name, and a new schema as one line', async () => {
    const { sql: database } = await emptyDatabase()
    const lines: string[] = []
    const { log } = openLog({ level: 'info', format: 'json', stream: { write: (line) => lines.push(line) } })
    await migrate(database, log, [first, second])
    await migrate(database, log, [first, second])
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /"level":"info".*"schema_level":2,"msg":"the schema was created"/)
    await migrate(database, log, [first, second, breaking])
    assert.match(lines.at(-1) ?? '', /"level":"info".*"migration":".*","msg":"a migration was applied"/)
  })

  it('that fails leaves nothing behind, and the next start repeats it', async () => {
    const { sql: database } = await emptyDatabase()
    const failing = step(2, 1, 'insert into a values (2);\ninsert into nowhere values (1);\n')
    await assert.rejects(migrate(database, silentLog, [first, failing]))
    assert.deepEqual(await schemaState(database), { level: 1, oldestProgram: 1, lineage })
    assert.equal(await rowsOf(database), 1)
    assert.equal((await migrate(database, silentLog, [first, second])).level, 2)
  })

  it('keeps a program one step older working; a program older than the schema allows is refused', async () => {
    const { sql: database } = await emptyDatabase()
    await migrate(database, silentLog, [first, second, breaking])
    assert.deepEqual(await migrate(database, silentLog, [first, second]), {
      level: 3,
      oldestProgram: 2,
      lineage,
    })
    await assert.rejects(migrate(database, silentLog, [first]), ProgramTooOld)
  })
})

it('in the repository runs, and each step names the programs that can use the schema after it', () => {
  const migrations = readMigrations()
  assert.ok(migrations.length > 0)
  for (const [index, { level, oldestProgram }] of migrations.entries()) {
    assert.equal(level, index + 1)
    assert.ok(oldestProgram <= level)
  }
})

describe('a database of another lineage', () => {
  /** The state table as programs wrote it before lineages had names. */
  const unnamed = [
    sql`create table schema_state (only_row boolean primary key default true check (only_row),
      level integer not null, oldest_program integer not null)`,
    sql`insert into schema_state (level, oldest_program) values (11, 1)`,
    sql`create table merchants (id bigint primary key)`,
  ]

  it('is refused with a sentence that names both lineages, and is left unchanged', async () => {
    const { sql: database } = await emptyDatabase()
    for (const statement of unnamed) await database.run(statement)
    for (const start of [() => migrate(database, silentLog), () => assertSchemaMigrated(database)])
      await assert.rejects(start, (error: Error) => {
        assert.ok(error instanceof OtherLineage)
        assert.match(error.message, /lineage unnamed, level 11.*lineage 2026-11.*Nothing was changed/)
        return true
      })
    const tables = await database.many(sql`select from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r'`)
    assert.equal(tables.length, 2)
  })

  it('refuses the programs before it, which know no lineages and had level 11', async () => {
    const { sql: database } = await testDatabase()
    const { oldestProgram } = await schemaState(database)
    assert.ok(oldestProgram > 11)
  })

  it('is refused even if its level is higher', async () => {
    const { sql: database } = await emptyDatabase()
    await migrate(database, silentLog, [first])
    await database.run(sql`update schema_state set lineage = '2020-01', level = 99`)
    await assert.rejects(migrate(database, silentLog, [first]), OtherLineage)
  })
})

/** Level of the baseline. Later steps change neither its digest nor its lineage. */
const baselineLevel = 16

describe('the schema', () => {
  it('is refused under its old name once the baseline is edited: give it a new lineage and write the digest here', () => {
    const digest = createHash('sha256')
    // A comment changes no table.
    for (const { text } of readMigrations().slice(0, baselineLevel))
      digest.update(text.replaceAll(/^ *--.*\n/gm, ''))
    assert.deepEqual([lineage, digest.digest('hex').slice(0, 16)], ['2026-11', 'ea188875e6c55f3f'])
  })

  it('has a comment on every table', async () => {
    const { sql: database } = await testDatabase()
    const bare =
      await database.many(sql`select relname from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and obj_description(oid, 'pg_class') is null
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') and relname !~ '_[0-9]{6}$'`)
    assert.deepEqual(bare, [])
  })
})
