import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { png } from '../../testing/pictures/sample-pictures.ts'
import { anotherBackend, openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'
import { deleteUnusedPictures } from './delete-unused-pictures.ts'

const { api, backend, create } = await openResourceFixture(products)
const { services, clock } = api
const hourMs = 60 * 60 * 1000
const headers = { 'content-type': 'image/png' }

const upload = async (url: string, size: number, by = backend) =>
  (await by.send({ method: 'POST', url: `${url}/image`, body: await png(size, size), headers })).json
    .product_image as string
const run = () => deleteUnusedPictures(services, new AbortController().signal)
const statusOf = async (address: string) => (await api.call({ url: new URL(address).pathname })).status

it('a picture is deleted two days after it was sent, if nothing shows it any more', async () => {
  const [kept, replaced, removed, deleted] = [await create(), await create(), await create(), await create()]
  const stranger = await anotherBackend(api)
  const theirs = (await stranger.json(products.path, products.least)).json
  const inUse = [await upload(kept.url, 10), await upload(`${products.path}/${theirs.id}`, 11, stranger)]
  const unused = [
    await upload(replaced.url, 11),
    await upload(removed.url, 12),
    await upload(deleted.url, 13),
  ]
  inUse.push(await upload(replaced.url, 14))
  await backend.delete(`${removed.url}/image`)
  await backend.delete(deleted.url)
  const [, logo = ''] = /(\S{43})\.webp$/.exec(await upload((await create()).url, 15)) ?? []
  await services.sql.run(sql`update merchants set logo = ${logo} where id = ${api.merchant.id}`)

  clock.advance(47 * hourMs)
  assert.equal(await run(), 0)
  const again = await create()
  inUse.push(await upload(again.url, 12))
  clock.advance(2 * hourMs)
  assert.equal(await run(), 2, 'the third was sent again')
  for (const address of inUse) assert.equal(await statusOf(address), 200, address)
  assert.deepEqual(await Promise.all(unused.map(statusOf)), [404, 200, 404])
  await backend.delete(again.url)
  clock.advance(49 * hourMs)
  assert.equal(await run(), 1)
  assert.equal(await statusOf(`http://x/pictures/${api.merchant.id}/${logo}.webp`), 200)
})
