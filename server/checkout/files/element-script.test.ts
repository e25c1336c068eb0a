import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { encodeAsset } from '../../../kit/http/bundle.ts'
import { testPages } from '../../../testing/till/page.ts'
import { elementScriptAsset, elementScriptUrl } from './element-script.ts'

const page = await testPages()

const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  page.pages.inject({ method, url: elementScriptUrl, headers })

describe('the script of the payment element', () => {
  it('can be loaded by any web page, in every encoding, and is revalidated after five minutes', async () => {
    const plain = await get()
    assert.equal(plain.statusCode, 200)
    assert.ok(plain.payload.startsWith('(()=>{'), 'it leaves no name of its own on the page')
    const { headers } = plain
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(headers['cache-control'], 'public, max-age=300')
    const brotli = await get({ 'accept-encoding': 'gzip, br' })
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.payload)
    const gzip = await get({ 'accept-encoding': 'gzip' })
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.payload)
    const head = await get({}, 'HEAD')
    assert.deepEqual([head.statusCode, head.payload, head.headers['etag']], [200, '', headers['etag']])
  })

  it('is 304 for a client that has it', async () => {
    const etag = String((await get()).headers['etag'])
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const again = await get({ 'if-none-match': known })
      assert.deepEqual([again.statusCode, again.payload, again.headers['etag']], [304, '', etag])
      assert.equal(again.headers['cache-control'], 'public, max-age=300')
    }
    assert.equal((await get({ 'if-none-match': '"other"' })).statusCode, 200)
  })

  it('is served for GET and HEAD only', async () => {
    const { statusCode, headers } = await get({}, 'POST')
    assert.deepEqual([statusCode, headers['allow']], [405, 'GET, HEAD'])
  })

  it('has at most 8 kB, compressed', async () => {
    const { length } = await encodeAsset(elementScriptAsset(), 'br')
    assert.ok(length <= 8_000, `it takes ${length} bytes`)
  })
})
