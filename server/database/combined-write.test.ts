import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CombinedWrite, Sql } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { emptyDatabase, silentLog } from '../../testing/harness/database.ts'
import { onOneServerOnly } from '../../testing/harness/environment.ts'
import { openDatabase } from './pool.ts'

const { sql: setUp, url } = await emptyDatabase()
await setUp.run(sql`create table lines (id integer primary key)`)
await setUp.run(raw(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`))

/** Inserts a line, and returns how its transaction commits. */
async function insertLine(database: Sql, id: number, commitsAsynchronously?: boolean): Promise<string> {
  const write: CombinedWrite = {
    steps: [['line', sql`insert into lines values (${id}) returning id`]],
    gate: 'line',
    inserts: [],
    result: sql`current_setting('synchronous_commit') as commits`,
    commitsAsynchronously,
  }
  const written = await database.write<{ commits: string }>(write)
  assert.ok(written)
  return written.commits
}

it(
  'only a write that says so, outside a transaction, does not wait for the disk',
  onOneServerOnly(),
  async () => {
    const database = openDatabase({ url }, 1, silentLog)
    assert.equal(await insertLine(database.sql, 1), 'on')
    assert.equal(await insertLine(database.sql, 2, true), 'off')
    // Later writes of its connection wait again.
    assert.equal(await insertLine(database.sql, 3), 'on')
    const inside = await database.sql.transaction(async (transaction) => [
      await insertLine(transaction, 4, true),
      await insertLine(transaction, 5),
    ])
    assert.deepEqual(inside, ['on', 'on'])
    assert.equal((await database.sql.many(sql`select from lines`)).length, 5)
    await database.close()
  },
)
