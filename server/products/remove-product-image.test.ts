import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { png } from '../../testing/pictures/sample-pictures.ts'
import { missingUrls, openResourceFixture, testCredentials } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'

const fixture = await openResourceFixture(products)
const { api, backend, create } = fixture

/** A product with an image. */
async function withImage() {
  const { url } = await create()
  const headers = { 'content-type': 'image/png' }
  const { json } = await backend.send({ method: 'POST', url: `${url}/image`, body: await png(8, 8), headers })
  assert.notEqual(json.product_image, null)
  return { url, record: json }
}

describe('200', () => {
  it('the image is removed, and the whole product is returned', async () => {
    const { url, record } = await withImage()
    api.clock.advance(60_000)
    const { status, json } = await backend.delete(`${url}/image`)
    const { updated_at, timeline } = json
    assert.equal(status, 200)
    assert.deepEqual(json, { ...record, product_image: null, updated_at, timeline })
    assert.deepEqual([timeline.length, (await backend.get(url)).json], [3, json])
  })

  it('a product without an image stays as it is', async () => {
    const { url, record } = await create()
    api.clock.advance(60_000)
    assert.deepEqual((await backend.delete(`${url}/image`)).json, record)
  })
})

testCredentials(fixture, async () => {
  const { record, url } = await withImage()
  return {
    request: { method: 'DELETE', url: `${url}/image` },
    assertIntact: async () => assert.deepEqual((await backend.get(url)).json, record),
  }
})

describe('404', () => {
  it('an unused id, a deleted product and another merchant’s product get the same answer', async () => {
    const { addresses, assertIntact } = await missingUrls(fixture)
    for (const url of addresses) {
      const answer = await backend.delete(`${url}/image`)
      assert.deepEqual([answer.status, answer.json.error_code], [404, 920], url)
    }
    await assertIntact()
  })
})
