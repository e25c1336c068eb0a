import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Sql } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { testApi } from '../../testing/harness/api.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { changeMerchant } from './change-merchant.ts'
import { MerchantCache } from './merchant-cache.ts'
import { newKeyText } from './merchant-key.ts'

const api = await testApi()
const { sql } = api.services
const { clock } = api

/** The database with a count of its queries and a gate that holds back responses. */
function watched(): Sql & { queryCount: number; gate: Promise<void> } {
  const counted = {
    ...sql,
    queryCount: 0,
    gate: Promise.resolve(),
    maybe: async <Row extends object>(query: Parameters<Sql['maybe']>[0]) => {
      counted.queryCount += 1
      const row = await sql.maybe<Row>(query)
      await counted.gate
      return row
    },
    one: <Row extends object>(query: Parameters<Sql['one']>[0]) => sql.one<Row>(query),
    many: <Row extends object>(query: Parameters<Sql['many']>[0]) => sql.many<Row>(query),
  }
  return counted
}

it('a repeated lookup is answered from memory until any change anywhere', async () => {
  const database = watched()
  const cache = new MerchantCache(database, database, clock, silentLog)
  await cache.refresh()
  assert.equal((await cache.key(api.secretKey))?.merchantId, api.merchant.id)
  assert.equal((await cache.merchant(api.merchant.id))?.name, 'Test Mağaza')
  const queryCount = database.queryCount
  for (let round = 0; round < 10; round++) {
    await cache.refresh()
    await cache.merchant(api.merchant.id)
    await cache.key(api.secretKey)
  }
  assert.equal(database.queryCount, queryCount)
  await changeMerchant(api.services, { merchant: api.merchant.id, name: 'Yeni Ad' })
  await cache.refresh()
  assert.equal((await cache.merchant(api.merchant.id))?.name, 'Yeni Ad')
})

it('data read before a change and received after it is not cached', async () => {
  const database = watched()
  const cache = new MerchantCache(database, database, clock, silentLog)
  await cache.refresh()
  const late = Promise.withResolvers<void>()
  database.gate = late.promise
  const old = cache.merchant(api.merchant.id)
  await changeMerchant(api.services, { merchant: api.merchant.id, name: 'Daha Yeni' })
  await cache.refresh()
  late.resolve()
  await old
  assert.equal((await cache.merchant(api.merchant.id))?.name, 'Daha Yeni')
})

it('texts that are not keys are not cached, so they cannot fill the memory', async () => {
  const database = watched()
  const cache = new MerchantCache(database, database, clock, silentLog)
  await cache.refresh()
  const nobodys = newKeyText('secret', false, systemRandom)
  assert.equal(await cache.key(nobodys), undefined)
  assert.equal(await cache.key(nobodys), undefined)
  assert.equal(database.queryCount, 2)
  assert.equal(cache.key('sk_test_nobody'), undefined)
  assert.equal(database.queryCount, 2, 'what cannot be a key is not even looked for')
})

it('after more than four seconds without a check nothing is answered from memory', async () => {
  const cache = new MerchantCache(sql, sql, clock, silentLog)
  assert.throws(() => cache.isRevoked(1), DatabaseUnavailable)
  await cache.refresh()
  clock.advance(4_000)
  assert.equal(cache.isRevoked(1), false)
  clock.advance(1)
  assert.throws(() => cache.isRevoked(1), DatabaseUnavailable)
})
