import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemRandom } from '../kit/random.ts'
import type { Sql } from '../kit/sql.ts'
import { DatabaseUnavailable } from '../kit/sql.ts'
import { testApi } from '../testing/api.ts'
import { silentLog } from '../testing/database.ts'
import { changeMerchant } from './change-merchant.ts'
import { Directory } from './directory.ts'
import { newKeyText } from './key.ts'

const api = await testApi()
const { sql } = api.services
const { clock } = api

/** The same database, counting how often it is asked, and letting a test hold back an answer. */
function watched(): Sql & { asked: number; gate: Promise<void> } {
  const counted = {
    ...sql,
    asked: 0,
    gate: Promise.resolve(),
    maybe: async <Row extends object>(statement: Parameters<Sql['maybe']>[0]) => {
      counted.asked += 1
      const row = await sql.maybe<Row>(statement)
      await counted.gate
      return row
    },
    one: <Row extends object>(statement: Parameters<Sql['one']>[0]) => sql.one<Row>(statement),
    many: <Row extends object>(statement: Parameters<Sql['many']>[0]) => sql.many<Row>(statement),
  }
  return counted
}

it('what was asked once is answered from memory, until anything changes anywhere', async () => {
  const database = watched()
  const directory = new Directory(database, database, clock, silentLog)
  await directory.refresh()
  assert.equal((await directory.key(api.secretKey))?.merchantId, api.merchant.id)
  assert.equal((await directory.merchant(api.merchant.id))?.name, 'Test Mağaza')
  const asked = database.asked
  for (let round = 0; round < 10; round++) {
    await directory.refresh()
    await directory.merchant(api.merchant.id)
    await directory.key(api.secretKey)
  }
  assert.equal(database.asked, asked)
  await changeMerchant(api.services, { merchant: api.merchant.id, name: 'Yeni Ad' })
  await directory.refresh()
  assert.equal((await directory.merchant(api.merchant.id))?.name, 'Yeni Ad')
})

it('what was read before a change and arrives after it is not kept', async () => {
  const database = watched()
  const directory = new Directory(database, database, clock, silentLog)
  await directory.refresh()
  const late = Promise.withResolvers<void>()
  database.gate = late.promise
  const old = directory.merchant(api.merchant.id)
  await changeMerchant(api.services, { merchant: api.merchant.id, name: 'Daha Yeni' })
  await directory.refresh()
  late.resolve()
  await old
  assert.equal((await directory.merchant(api.merchant.id))?.name, 'Daha Yeni')
})

it('texts that are no key of anybody are not remembered, so nobody can fill the memory with them', async () => {
  const database = watched()
  const directory = new Directory(database, database, clock, silentLog)
  await directory.refresh()
  const nobodys = newKeyText('secret', false, systemRandom)
  assert.equal(await directory.key(nobodys), undefined)
  assert.equal(await directory.key(nobodys), undefined)
  assert.equal(database.asked, 2)
  assert.equal(directory.key('sk_test_nobody'), undefined)
  assert.equal(database.asked, 2, 'what cannot be a key is not even looked for')
})

it('after more than four seconds without a look nothing is answered from memory', async () => {
  const directory = new Directory(sql, sql, clock, silentLog)
  assert.throws(() => directory.isRevoked(1), DatabaseUnavailable)
  await directory.refresh()
  clock.advance(4_000)
  assert.equal(directory.isRevoked(1), false)
  clock.advance(1)
  assert.throws(() => directory.isRevoked(1), DatabaseUnavailable)
})
