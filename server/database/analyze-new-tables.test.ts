import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { analyzeNewTables } from './analyze-new-tables.ts'

const { sql: database } = await testDatabase()

it('a table gets its first statistics once, when it has grown', async () => {
  await database.run(sql`create table fruit (id bigint primary key)`)
  await grow(database, 1, 40)
  assert.deepEqual([await analyzeNewTables(database), await statisticsOf(database)], [0, 0])
  await grow(database, 41, 100)
  assert.deepEqual([await analyzeNewTables(database), await statisticsOf(database)], [1, 1])
  await grow(database, 101, 1000)
  assert.equal(await analyzeNewTables(database), 0)
})

/** Rows are counted when the statistics of the connection are sent, which the transaction waits for. */
async function grow(on: Sql, first: number, last: number): Promise<void> {
  await on.transaction(async (connection) => {
    await connection.run(sql`insert into fruit select generate_series(${first}::int, ${last}::int)`)
    await connection.one(sql`select pg_stat_force_next_flush()::text as flushed`)
  })
}

async function statisticsOf(on: Sql): Promise<number> {
  return on.run(sql`select from pg_stats where tablename = 'fruit'`)
}
