import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { drawing, noise, png, svgPicture } from '../../testing/pictures/sample-pictures.ts'
import {
  acceptEnglish,
  anotherBackend,
  missingUrls,
  openResourceFixture,
  testCredentials,
  unusedId,
} from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'

const fixture = await openResourceFixture(products)
const { api, backend, create } = fixture

/** Bytes of a picture, sent as a merchant sends them. */
function upload(url: string, body: Buffer, type = 'image/png', headers: Record<string, string> = {}) {
  return backend.send({
    method: 'POST',
    url: `${url}/image`,
    body,
    headers: { 'content-type': type, ...acceptEnglish, ...headers },
  })
}

const picture = await png()

describe('200', () => {
  it('the product has the address of its image, with which anybody reads it', async () => {
    const { record, url } = await create()
    api.clock.advance(60_000)
    const { status, json } = await upload(url, picture, 'image/png', { 'accept-language': 'tr' })
    assert.equal(status, 200)
    const { product_image, updated_at, timeline } = json
    assert.deepEqual(json, { ...record, product_image, updated_at, timeline })
    assert.match(
      product_image,
      new RegExp(`^${api.services.config.apiUrl}/pictures/${api.merchant.id}/[\\w-]{43}\\.webp$`),
    )
    assert.deepEqual([timeline.length, timeline[1].type], [2, 'updated'])
    assert.deepEqual((await backend.get(url)).json, json)
    const search = await backend.get('/v1/products/search')
    assert.deepEqual(
      search.json.find(({ id }: { id: number }) => id === json.id),
      json,
    )
    const shown = await api.call({ url: new URL(product_image).pathname })
    assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/webp'])
  })

  it('JPEG and WebP are images too; parameters of the content type change nothing', async () => {
    const { url } = await create()
    const jpeg = await upload(url, await drawing().jpeg().toBuffer(), 'image/jpeg')
    const webp = await upload(url, await drawing().webp().toBuffer(), 'Image/WebP; q=1')
    assert.deepEqual([jpeg.status, webp.status], [200, 200])
    assert.notEqual(jpeg.json.product_image, webp.json.product_image)
  })

  it('another image takes the place of the first; the same image again leaves no trace', async () => {
    const { url } = await create()
    const first = (await upload(url, picture)).json
    api.clock.advance(60_000)
    assert.deepEqual((await upload(url, picture)).json, first)
    const second = (await upload(url, await png(40, 40))).json
    assert.notEqual(second.product_image, first.product_image)
    assert.equal(second.timeline.length, 3)
  })

  it('a change of the product keeps its image', async () => {
    const { url } = await create()
    const { product_image } = (await upload(url, picture)).json
    assert.equal(
      (await backend.form(url, { price: '5', product_image: 'x' })).json.product_image,
      product_image,
    )
  })

  it('an Idempotency-Key makes it one image, and gives the first response again', async () => {
    const { url } = await create()
    const key = { 'idempotency-key': 'image-1' }
    const first = await upload(url, picture, 'image/png', key)
    const again = await upload(url, picture, 'image/png', key)
    assert.deepEqual([again.json, again.headers['idempotency-replayed']], [first.json, 'true'])
    const other = await upload(url, await png(30, 30), 'image/png', key)
    assert.deepEqual([other.status, other.json.error_code], [422, 951])
  })
})

testCredentials(fixture, async () => {
  const { record, url } = await create()
  return {
    request: { method: 'POST', url: `${url}/image`, body: picture, headers: { 'content-type': 'image/png' } },
    assertIntact: async () => assert.deepEqual((await backend.get(url)).json, record),
  }
})

describe('404', () => {
  it('an unused id, a deleted product and another merchant’s product get the same answer', async () => {
    const { addresses, assertIntact } = await missingUrls(fixture)
    for (const url of addresses) {
      const answer = await upload(url, await png(8, 8))
      assert.deepEqual([answer.status, answer.json.error_code], [404, 920], url)
    }
    await assertIntact()
  })
})

describe('413', () => {
  it('one byte more than 512 KiB is too large', async () => {
    const { record, url } = await create()
    const large = await noise(400, 400).png().toBuffer()
    const most = Buffer.concat([large, Buffer.alloc(512 * 1024)]).subarray(0, 512 * 1024)
    assert.equal((await upload(url, most)).status, 200)
    const answer = await upload(url, Buffer.concat([most, Buffer.alloc(1)]))
    assert.deepEqual([answer.status, answer.json.error_code], [413, 900])
    assert.equal(answer.json.message, 'The request body is too large.')
    assert.notEqual((await backend.get(url)).json.product_image, record.product_image)
  })

  it('a body of parameters has its own, smaller limit', async () => {
    const { url } = await create()
    const answer = await backend.form(url, { description: 'x'.repeat(257 * 1024) })
    assert.equal(answer.status, 413)
  })
})

describe('415', () => {
  it('a content type other than those of images is refused', async () => {
    const { record, url } = await create()
    for (const type of [
      'image/svg+xml',
      'image/gif',
      'application/json',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await upload(url, picture, type)
      assert.deepEqual([answer.status, answer.json.error_code], [415, 900], type)
      assert.match(answer.json.message, /^The content type of the image is not supported/)
    }
    assert.deepEqual((await backend.get(url)).json, record)
  })
})

describe('422', () => {
  it('bytes that are no image are refused, in both languages', async () => {
    const { record, url } = await create()
    const sentence = 'Must be a readable PNG, JPEG or WebP image.'
    for (const body of [svgPicture, Buffer.from('<html>'), Buffer.alloc(0), picture.subarray(0, 900)]) {
      const answer = await upload(url, body)
      assert.deepEqual([answer.status, answer.json.error_code], [422, 901])
      assert.deepEqual(answer.json.errors, { image: [sentence] })
    }
    const turkish = await upload(url, svgPicture, 'image/png', { 'accept-language': 'tr' })
    assert.deepEqual(turkish.json.errors, {
      image: ['Okunabilir bir PNG, JPEG veya WebP görseli olmalıdır.'],
    })
    assert.deepEqual((await backend.get(url)).json, record)
  })

  it('more than 1024 pixels on a side are refused', async () => {
    const { url } = await create()
    const answer = await upload(url, await png(1025, 2))
    assert.deepEqual(answer.json.errors, { image: ['Must be at most 1024 pixels wide and high.'] })
  })
})

describe('503', () => {
  it('images beyond a number are refused at once; all that wait are refused when the service stops', async () => {
    const stopping = await testApi()
    const token = await stopping.token()
    const request = {
      method: 'POST',
      url: `${products.path}/${unusedId}/image`,
      token,
      body: picture,
    } as const
    const headers = { 'content-type': 'image/png' }
    let answered = 0
    const answers = Array.from({ length: 100 }, async () => {
      const { status, headers: shown } = await stopping.callAtOnce({ ...request, headers })
      if (++answered === 84) stopping.services.tasks.end()
      return `${status} ${shown['retry-after']}`
    })
    const statuses = await Promise.all(answers)
    const count = (text: string) => statuses.filter((each) => each === text).length
    assert.deepEqual([count('503 2'), count('503 1')], [84, 16])
  })
})

it('the image of another merchant with the same bytes is another picture', async () => {
  const stranger = await anotherBackend(api)
  const { json } = await stranger.json(products.path, products.least)
  const theirs = await stranger.send({
    method: 'POST',
    url: `${products.path}/${json.id}/image`,
    body: picture,
    headers: { 'content-type': 'image/png' },
  })
  const { url } = await create()
  const ours = (await upload(url, picture)).json.product_image
  assert.notEqual(ours, theirs.json.product_image)
  const [, , merchant = '', file = ''] = new URL(ours).pathname.split('/')
  assert.equal(merchant, String(api.merchant.id))
  assert.ok(theirs.json.product_image.endsWith(file))
})
