import assert from 'node:assert/strict'
import { it } from 'node:test'
import { reserveIds } from '../../server/database/store.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { NumericIdAllocator } from './numeric-id-allocator.ts'

it('ids have 14 digits and are unique across instances and simultaneous callers', async () => {
  const { sql } = await testDatabase()
  const instances = [new NumericIdAllocator(reserveIds(sql)), new NumericIdAllocator(reserveIds(sql))]
  const ids = await Promise.all(Array.from({ length: 6000 }, (_, index) => instances[index % 2]?.next()))
  assert.equal(new Set(ids).size, 6000)
  for (const id of ids) assert.match(String(id), /^\d{14}$/)
})

it('a failed reservation of a block is retried', async () => {
  let tries = 0
  const ids = new NumericIdAllocator(async () => {
    if (++tries === 1) throw new Error('away')
    return { first: 10 * tries, count: 10 }
  })
  await assert.rejects(ids.next(), /away/)
  assert.equal(await ids.next(), 20)
})

it('the next block is reserved before the current one is used up', async () => {
  let reserved = 0
  const ids = new NumericIdAllocator(async () => ({ first: 1000 * ++reserved, count: 1000 }))
  for (let count = 0; count < 600; count++) await ids.next()
  assert.equal(reserved, 2)
})
