import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { backendOf } from '../../../testing/harness/backend.ts'
import { png } from '../../../testing/pictures/sample-pictures.ts'
import { testPages } from '../../../testing/till/page.ts'
import { encodePicture, replacePicture } from '../../pictures/index.ts'

const page = await testPages()
const backend = backendOf(page)
const { services, merchant, clock } = page

const encoded = await encodePicture(services, merchant.id, await png(80, 80), 'contain')
await replacePicture(services.sql, { merchantId: merchant.id, digest: null }, encoded, clock.now())
const address = `/tiles/${merchant.id}/${encoded.digest}.webp`

async function product(name: string, image?: Buffer): Promise<number> {
  const { id } = (await backend.json('/v1/products', { product_name: name, price: 500 })).json
  const headers = { 'content-type': 'image/png' }
  if (image) await backend.send({ method: 'POST', url: `/v1/products/${id}/image`, body: image, headers })
  return id
}

const tilesIn = (text: string) =>
  [...text.matchAll(/<span class="mark[^"]*"[^>]*>.*?<\/span>/g)].map(([tag]) => tag)

describe('a tile', () => {
  it('of a merchant without a logo is a letter', async () => {
    const { text } = await page.get((await page.open()).path)
    assert.deepEqual(tilesIn(text), ['<span class="mark" aria-hidden="true">T</span>'])
  })

  it('of a merchant shows its logo from our own origin, over the letter', async () => {
    const { path } = await page.open()
    await page.setMerchant({ logo: encoded.digest })
    const { text } = await page.get(path)
    assert.deepEqual(tilesIn(text), [
      `<span class="mark" aria-hidden="true">T<img src="${address}" alt=""></span>`,
    ])
    assert.match(text, /rel="icon" href="\/assets\/mark/)
    await page.setMerchant({ logo: encoded.digest, whiteLabel: true })
    assert.match((await page.get(path)).text, new RegExp(`rel="icon" href="${address}"`))
    await page.setMerchant({})
  })

  it('stands before every product if one of them has an image', async () => {
    const ids = [await product('Çay <b>'), await product('Kahve', await png(60, 60))]
    const order = ids.map((id, index) => `product_ids[${index}]=${id}`).join('&')
    const started = await page.open(`amount=1000&currency=TRY&${order}`)
    const [, first, second] = tilesIn((await page.get(started.path)).text)
    assert.equal(first, '<span class="mark item" aria-hidden="true">Ç</span>')
    const shown =
      /^<span class="mark item" aria-hidden="true">K<img src="(\/tiles\/\d+\/[\w-]{43}\.webp)" alt="" loading="lazy"><\/span>$/
    const [, source = ''] = shown.exec(second ?? '') ?? []
    assert.equal((await page.get(source)).status, 200)
  })

  it('stands before no product if none has an image', async () => {
    const started = await page.open(`amount=500&currency=TRY&product_ids[0]=${await product('Çay')}`)
    assert.equal(tilesIn((await page.get(started.path)).text).length, 1)
  })

  it('keeps the image that the product had when the payment was started', async () => {
    const id = await product('Kahve', await png(50, 50))
    const started = await page.open(`amount=500&currency=TRY&product_ids[0]=${id}`)
    const before = tilesIn((await page.get(started.path)).text)
    await backend.delete(`/v1/products/${id}/image`)
    assert.deepEqual(tilesIn((await page.get(started.path)).text), before)
  })
})

describe('the address of a tile', () => {
  it('may be cached for ever, is only for our own pages, and runs nothing', async () => {
    const { status, headers } = await page.get(address)
    assert.equal(status, 200)
    assert.deepEqual(
      ['content-type', 'cache-control', 'x-content-type-options', 'cross-origin-resource-policy'].map(
        (name) => headers[name],
      ),
      ['image/webp', 'public, max-age=31536000, immutable', 'nosniff', 'same-origin'],
    )
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.equal(headers['content-length'], String(encoded.tile.length))
  })

  it('of the whole picture is on the API, for every site', async () => {
    const { status, headers } = await page.call({ url: address.replace('/tiles/', '/pictures/') })
    assert.deepEqual(
      [status, headers['cross-origin-resource-policy'], headers['access-control-allow-origin']],
      [200, 'cross-origin', '*'],
    )
    assert.equal(headers['content-length'], String(encoded.whole.length))
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  })

  it('of an unknown picture, of another merchant, and a malformed one are not found', async () => {
    const { digest } = encoded
    for (const path of [
      `/tiles/${merchant.id}/${'A'.repeat(43)}.webp`,
      `/tiles/${merchant.id + 1}/${digest}.webp`,
      `/tiles/0/${digest}.webp`,
      `/tiles/0${merchant.id}/${digest}.webp`,
      `/tiles/${'9'.repeat(30)}/${digest}.webp`,
      `/tiles/${merchant.id}/${digest}`,
      `/tiles/${merchant.id}/${digest}.png`,
      `/tiles/${merchant.id}/..%2f${digest}.webp`,
      `/tiles/x/${digest}.webp`,
    ]) {
      const { status, headers } = await page.get(path)
      assert.deepEqual([status, headers['cache-control']], [404, 'no-store'], path)
    }
  })
})
