import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testPages } from '../../testing/till/page.ts'
import { maxCachedTiles } from './mount-stored-pictures.ts'

const page = await testPages()
const { services, merchant, clock } = page

it('a full cache of tiles serves all of them from memory, again and again', async () => {
  const digests = Array.from({ length: maxCachedTiles + 1 }, (_, index) => String(index).padStart(43, 'A'))
  await services.sql.run(sql`insert into pictures (merchant_id, digest, whole, tile, stored_at)
    select ${merchant.id}, digest, 'whole', 'tile', ${clock.now()} from unnest(${digests}::text[]) as digest`)
  const statusOf = async (digest = '') => (await page.get(`/tiles/${merchant.id}/${digest}.webp`)).status
  const late = digests.pop()
  for (const digest of digests) assert.equal(await statusOf(digest), 200)
  await services.sql.run(sql`delete from pictures where merchant_id = ${merchant.id} and digest <> ${late}`)
  for (const digest of [...digests, ...digests]) assert.equal(await statusOf(digest), 200)
  assert.equal(await statusOf(late), 200)
  assert.equal(await statusOf(digests[0]), 404, 'one more tile empties the cache')
})
