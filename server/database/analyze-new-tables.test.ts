import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { analyzeNewTables } from './analyze-new-tables.ts'

const { sql: database } = await testDatabase()

const grow = (first: number, last: number) =>
  database.run(sql`insert into fruit select generate_series(${first}::int, ${last}::int)`)

const statistics = () => database.run(sql`select from pg_stats where tablename = 'fruit'`)

it('a table gets its first statistics once, when the planner would use its indexes with them', async () => {
  await database.run(sql`create table fruit (id bigint primary key)`)
  await grow(1, 1_000)
  assert.deepEqual([await analyzeNewTables(database), await statistics()], [0, 0])
  await grow(1_001, 10_000)
  assert.deepEqual([await analyzeNewTables(database), await statistics()], [1, 1])
  const [{ 'QUERY PLAN': plan } = { 'QUERY PLAN': '' }] = await database.many<{ 'QUERY PLAN': string }>(
    sql`explain select from fruit where id = 5`,
  )
  assert.match(plan, /Index/)
  await grow(10_001, 20_000)
  assert.equal(await analyzeNewTables(database), 0)
})
