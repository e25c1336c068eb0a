import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { testApi } from '../../testing/harness/api.ts'

const assets = [
  ['/docs/tokens.css', 'text/css; charset=utf-8'],
  ['/docs/style.css', 'text/css; charset=utf-8'],
  ['/docs/mark.svg', 'image/svg+xml; charset=utf-8'],
  ['/docs/script.js', 'text/javascript; charset=utf-8'],
  ['/docs/announce.js', 'text/javascript; charset=utf-8'],
  ['/docs/answer.js', 'text/javascript; charset=utf-8'],
  ['/docs/key.js', 'text/javascript; charset=utf-8'],
  ['/docs/run.js', 'text/javascript; charset=utf-8'],
  ['/docs/search.js', 'text/javascript; charset=utf-8'],
  ['/docs/find.js', 'text/javascript; charset=utf-8'],
  ['/docs/request.js', 'text/javascript; charset=utf-8'],
  ['/docs/samples.js', 'text/javascript; charset=utf-8'],
] as const

const api = await testApi({ env: { API_URL: 'https://pay.example' } })

describe('200', () => {
  it('the page is in the address’s language, else the browser’s, else Turkish', async () => {
    const languageOf = async (url: string, preferred?: string) => {
      const { text, headers } = await api.call({
        url,
        headers: preferred === undefined ? {} : { 'accept-language': preferred },
      })
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['vary'], 'accept-language, accept-encoding')
      return /<html lang="(\w+)">/.exec(text)?.[1]
    }
    assert.equal(await languageOf('/docs'), 'tr')
    assert.equal(await languageOf('/docs', 'de, en;q=0.5'), 'en')
    assert.equal(await languageOf('/docs?lang=tr', 'en'), 'tr')
    assert.equal(await languageOf('/docs?lang=en', 'tr'), 'en')
    assert.equal(await languageOf('/docs?lang=xx&lang=en', 'en'), 'en')
    assert.equal(await languageOf('/docs?%zz'), 'tr')
  })

  it('the document has this service’s address, and is in English by default', async () => {
    const { json, headers } = await api.call({ url: '/openapi.json' })
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['vary'], 'accept-language, accept-encoding')
    assert.deepEqual(json.servers, [{ url: 'https://pay.example' }])
    const summary = (document: typeof json) => document.paths['/v1/token/get-token'].post.summary
    assert.equal(summary(json), 'Create access token')
    assert.equal(summary((await api.call({ url: '/openapi.json?lang=tr' })).json), 'Erişim belirteci al')
    const asked = await api.call({ url: '/openapi.json', headers: { 'accept-language': 'tr' } })
    assert.equal(summary(asked.json), 'Erişim belirteci al')
  })

  it('an example of wrong parameters names a parameter of the operation', async () => {
    const { json } = await api.call({ url: '/openapi.json' })
    const named = (method: string, path: string) =>
      json.paths[path][method].responses['422'].content['application/json'].examples['901'].value.errors
    assert.deepEqual(named('post', '/v1/payment/3ds'), { amount: ['…'] })
    assert.deepEqual(named('post', '/v1/customers'), { name: ['…'] })
    assert.deepEqual(named('get', '/v1/customers/search'), { q: ['…'] })
  })

  it('only required fields have a minimum length: the others may be sent empty', async () => {
    const { json } = await api.call({ url: '/openapi.json' })
    const { requestBody } = json.paths['/v1/payment/3ds'].post
    const { properties } = requestBody.content['application/json'].schema
    assert.equal(properties.currency.minLength, 3)
    assert.equal(properties.redirect_url.minLength, undefined)
    assert.equal(properties.products.items.properties.product_name.minLength, 1)
  })

  it('a browser may load, run and style only our own files', async () => {
    for (const url of ['/docs', '/openapi.json', ...assets.map(([asset]) => asset)]) {
      const { headers } = await api.call({ url })
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
      assert.ok(headers['x-request-id'])
    }
  })

  it('each file has its type, and every file that the page and its files name exists', async () => {
    for (const [url, type] of assets) {
      const { status, headers, text } = await api.call({ url })
      assert.deepEqual([status, headers['content-type']], [200, type], url)
      for (const [, name] of text.matchAll(/(?:from|import) '\.\/([^']+)'/g)) {
        assert.ok(
          assets.some(([asset]) => asset === `/docs/${name}`),
          `${url} loads ${name}`,
        )
      }
    }
    const { text: page } = await api.call({ url: '/docs' })
    for (const [, name] of page.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)) {
      assert.ok(
        assets.some(([asset]) => asset === `/${name}`),
        `the page loads ${name}`,
      )
    }
  })

  it('each text travels compressed, the page and the document in a tenth of their size', async () => {
    const unpackers = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const url of ['/docs', '/openapi.json', '/docs/style.css', '/docs/search.js']) {
      const { text, headers } = await api.call({ url })
      for (const [encoding, unpack] of Object.entries(unpackers)) {
        const packed = await api.app.inject({ url, headers: { 'accept-encoding': encoding } })
        const { etag, vary } = packed.headers
        assert.equal(packed.headers['content-encoding'], encoding)
        assert.equal(etag, String(headers['etag']).replace(/"$/, `-${encoding}"`))
        assert.match(String(vary), /accept-encoding/)
        assert.equal(unpack(packed.rawPayload).toString(), text)
        if (!url.startsWith('/docs/')) assert.ok(packed.rawPayload.length * 10 < text.length, url)
      }
    }
  })

  it('HEAD answers the same headers without the body', async () => {
    for (const url of ['/docs', '/openapi.json', '/docs/style.css']) {
      const [got, head] = [await api.call({ url }), await api.call({ method: 'HEAD', url })]
      assert.deepEqual([head.status, head.text], [200, ''])
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
        assert.equal(head.headers[name], got.headers[name], name)
      }
    }
  })

  it('the log and the metrics use the route patterns', async () => {
    await api.call({ url: '/docs?lang=tr&secret=1' })
    assert.match(api.lines.at(-1) ?? '', /"route":"\/docs","status":200/)
  })
})

describe('304', () => {
  it('unchanged content is not sent again', async () => {
    for (const url of ['/docs', '/openapi.json', '/docs/script.js']) {
      const { headers } = await api.call({ url })
      assert.equal(headers['cache-control'], 'no-cache')
      const etag = String(headers['etag'])
      for (const known of [etag, `"other", W/${etag}`]) {
        const again = await api.call({ url, headers: { 'if-none-match': known } })
        assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag])
      }
      const packedTag = etag.replace(/"$/, '-br"')
      for (const [known, status] of [
        [packedTag, 304],
        ['*', 304],
      ] as const) {
        const headers = { 'accept-encoding': 'br', 'if-none-match': known }
        assert.equal((await api.app.inject({ url, headers })).statusCode, status)
      }
      const other = await api.app.inject({ url, headers: { 'if-none-match': packedTag } })
      assert.equal(other.statusCode, 200, 'another encoding is another representation')
      assert.equal((await api.call({ url, headers: { 'if-none-match': '"other"' } })).status, 200)
    }
    const [turkish, english] = ['tr', 'en'].map((language) => api.call({ url: `/docs?lang=${language}` }))
    assert.notEqual((await turkish)?.headers['etag'], (await english)?.headers['etag'])
  })
})

describe('308', () => {
  it('a trailing slash redirects to the page, below any path, with the query', async () => {
    const led = async (url: string) => {
      const { status, headers } = await api.call({ url })
      return [status, headers['location']]
    }
    assert.deepEqual(await led('/docs/'), [308, '../docs'])
    assert.deepEqual(await led('/docs/?lang=en&q=%C3%BC'), [308, '../docs?lang=en&q=%C3%BC'])
  })
})

describe('404 and 405', () => {
  it('an unknown address gives 921, and so does every other method, with the allowed ones', async () => {
    for (const url of ['/docs/x', '/docs//', '/docs/../api.ts', '/docs/%2e%2e/page.ts', '/docs/frame.css']) {
      const answer = await api.call({ url })
      assert.deepEqual([answer.status, answer.json.error_code], [404, 921], url)
    }
    for (const url of ['/docs', '/openapi.json', '/docs/script.js']) {
      for (const method of ['POST', 'DELETE', 'OPTIONS'] as const) {
        const { status, json, headers } = await api.call({ method, url })
        assert.deepEqual([status, json.error_code, headers['allow']], [405, 921, 'GET, HEAD'])
        assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
      }
    }
  })
})
