import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openLog } from '../../kit/runtime/log.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { emptyDatabase, silentLog } from '../../testing/harness/database.ts'
import type { Migration } from './migrate.ts'
import { migrate, ProgramTooOld, readMigrations, schemaState } from './migrate.ts'

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
    assert.deepEqual(await migrate(database, silentLog, [first, second]), { level: 2, oldestProgram: 1 })
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
    assert.deepEqual(await schemaState(database), { level: 1, oldestProgram: 1 })
    assert.equal(await rowsOf(database), 1)
    assert.equal((await migrate(database, silentLog, [first, second])).level, 2)
  })

  it('keeps a program one step older working; a program older than the schema allows is refused', async () => {
    const { sql: database } = await emptyDatabase()
    await migrate(database, silentLog, [first, second, breaking])
    assert.deepEqual(await migrate(database, silentLog, [first, second]), { level: 3, oldestProgram: 2 })
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
