import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import type { Query, Sql } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { testDatabase } from './database.ts'
import { onCitusOnly } from './environment.ts'
import { root, startProcess } from './process.ts'
import { throwIfQueriesWereSplit } from './split-queries.ts'
import { longIt } from './tier.ts'

const { sql: database } = await testDatabase()
/** A query of its own text, because a connection plans a query without values once. */
const ofAll = (column: string) => sql`select count(${raw(column)}) as id from payments`
const ofOne = sql`select count(*) as id from payments where merchant_id = ${10_000_000_000_001}`

/** A function that runs a query, at the place of another function of the service. */
function atPlaceOf(path: string, name: string): (sql: Sql, query: Query) => Promise<unknown[]> {
  const file = join(root, path)
  const lineOffset = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(`function ${name}(`))
  return runInThisContext('(sql, query) => sql.many(query)', {
    filename: pathToFileURL(file).href,
    lineOffset,
  })
}

describe('a query of the service over all merchants', onCitusOnly(), () => {
  it('is found with its file, its function and its text', async () => {
    const run = atPlaceOf('server/cards/store.ts', 'storedHourKey')
    await run(database, ofOne)
    throwIfQueriesWereSplit()
    await run(database, ofAll('id'))
    assert.throws(
      throwIfQueriesWereSplit,
      /server\/cards\/store\.ts: storedHourKey: select count\(id\) as id from payments\n/,
    )
    throwIfQueriesWereSplit()
  })

  it('is found in a transaction, in a part of a query, and in a change', async () => {
    const run = atPlaceOf('server/cards/store.ts', 'storedHourKey')
    const parts = sql`with all_of_them as (select id from refunds order by id limit 1)
      select id from payments where merchant_id = ${10_000_000_000_001} and id in (select id from all_of_them)`
    const change = sql`update payments set version = version where id = ${1}`
    for (const query of [ofAll('version'), parts, change]) {
      await database.transaction((transaction) => run(transaction, query))
      assert.throws(throwIfQueriesWereSplit, /storedHourKey/)
    }
  })

  it('is not a change of one merchant that PostgreSQL plans for all values after five repetitions', async () => {
    const run = atPlaceOf('server/cards/store.ts', 'storedHourKey')
    await database.transaction(async (transaction) => {
      for (let repetition = 0; repetition < 8; repetition++)
        await run(
          transaction,
          sql`update payments p set version = given.version from unnest(${[1]}::bigint[], ${[1]}::integer[])
            as given (id, version) where p.merchant_id = ${10_000_000_000_001} and p.id = given.id`,
        )
    })
    throwIfQueriesWereSplit()
  })

  it('is found in a batch, which has no function', async () => {
    await database.batch(() => ofAll('merchant_id'), { merchantId: 1, id: 1 })
    assert.throws(throwIfQueriesWereSplit, /batch: of several requests/)
  })

  it('is allowed in a function on the list, and in a test', async () => {
    await database.many(ofAll('amount'))
    await atPlaceOf('server/cards/store.ts', 'deleteCardsBefore')(database, ofAll('state'))
    throwIfQueriesWereSplit()
  })
})

/** A test file with a query over all merchants. */
const splits = `
import { it } from 'node:test'
import { sql } from './kit/runtime/sql.ts'
import { testDatabase } from './testing/harness/database.ts'
const { sql: database } = await testDatabase()
it('passes', () => database.batch(() => sql\`select count(*) as id from payments\`, { merchantId: 1, id: 1 }))
`

longIt(
  'a test file in which the service sends a query over all merchants fails, although each test passes',
  async (t) => {
    const words = [process.execPath, '--input-type=module', '--eval', splits]
    const child = startProcess(t, words, { NODE_TEST_CONTEXT: undefined })
    assert.equal(await child.ended, 1, child.output())
    assert.match(child.output(), /Citus split queries over all merchants/)
    assert.match(child.output(), /pass 1\b/)
  },
  onCitusOnly(),
)
