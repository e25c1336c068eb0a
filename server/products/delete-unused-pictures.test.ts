import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { png } from '../../testing/pictures/sample-pictures.ts'
import { anotherBackend, openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'
import { deleteUnusedPictures } from './delete-unused-pictures.ts'
import { setProductImage } from './set-product-image.ts'

const { api, backend, create } = await openResourceFixture(products)
const { services, clock } = api
const hourMs = 60 * 60 * 1000

type Created = Awaited<ReturnType<typeof create>>

/** Gives a product the picture with this letter, without an encoding. Returns the address of the picture. */
async function show({ record }: Pick<Created, 'record'>, letter: string): Promise<string> {
  const bytes = Buffer.from(letter)
  const picture = { digest: letter.repeat(43), whole: bytes, tile: bytes }
  const merchant = { ...api.merchant, id: record.merchant_id }
  const shown = await setProductImage(services, merchant, { id: record.id, language: 'en' }, picture)
  return shown.product_image ?? ''
}

const run = () => deleteUnusedPictures(services, new AbortController().signal)
const statusOf = async (address: string) => (await api.call({ url: new URL(address).pathname })).status

it('a picture is deleted two days after it was sent, if nothing shows it any more', async () => {
  const [kept, replaced, removed, deleted] = [await create(), await create(), await create(), await create()]
  const stranger = await anotherBackend(api)
  const theirs = { record: (await stranger.json(products.path, products.least)).json }
  const inUse = [await show(kept, 'a'), await show(theirs, 'b')]
  const unused = [await show(replaced, 'b'), await show(removed, 'c'), await show(deleted, 'd')]
  inUse.push(await show(replaced, 'e'))
  await backend.delete(`${removed.url}/image`)
  await backend.delete(deleted.url)
  const logo = await show(await create(), 'f')
  await services.sql.run(sql`update merchants set logo = ${'f'.repeat(43)} where id = ${api.merchant.id}`)

  clock.advance(47 * hourMs)
  assert.equal(await run(), 0)
  const again = await create()
  inUse.push(await show(again, 'c'))
  clock.advance(2 * hourMs)
  assert.equal(await run(), 2, 'the third was sent again')
  for (const address of inUse) assert.equal(await statusOf(address), 200, address)
  assert.deepEqual(await Promise.all(unused.map(statusOf)), [404, 200, 404])
  await backend.delete(again.url)
  clock.advance(49 * hourMs)
  assert.equal(await run(), 1)
  assert.equal(await statusOf(logo), 200)
})

it('a picture that was used for long stays for two days after it was replaced, removed, or its product deleted', async () => {
  const [replaced, removed, deleted] = [await create(), await create(), await create()]
  const file = join(mkdtempSync(join(tmpdir(), 'logo-')), 'a.png')
  writeFileSync(file, await png(24, 24))
  const logo = (...words: string[]) =>
    runTypedCommand(services, ['merchant', 'logo', String(api.merchant.id), ...words])
  const [address = ''] = /http\S+/.exec(await logo(file)) ?? []
  const unused = [await show(replaced, 'g'), await show(removed, 'h'), await show(deleted, 'i'), address]
  const statuses = async () => {
    await run()
    return Promise.all(unused.map(statusOf))
  }

  clock.advance(49 * hourMs)
  const successor = await show(replaced, 'j')
  await backend.delete(`${removed.url}/image`)
  await backend.delete(deleted.url)
  await logo('--remove')
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  clock.advance(47 * hourMs)
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  clock.advance(2 * hourMs)
  assert.deepEqual(await statuses(), [404, 404, 404, 404])
  assert.equal(await statusOf(successor), 200)
})
