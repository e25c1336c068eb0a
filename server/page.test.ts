import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { encodeAsset } from '../kit/http/bundle.ts'
import { testPages } from '../testing/till/page.ts'
import { allAssets } from './checkout/files/assets.ts'
import { allowedFramers } from './checkout/guard/content-security-policy.ts'
import { RequestDeadlines } from './database/request-deadlines.ts'
import { pageApp, pageRoutes } from './page.ts'

const pages = await testPages()
const page = {
  ...pages,
  used: (await pages.open()).page,
}

/** Asserts the headers that every response must have. */
function assertGuarded(headers: Record<string, unknown>, what: string): void {
  assert.equal(headers['cache-control'], 'no-store', what)
  assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin', what)
  assert.equal(headers['x-content-type-options'], 'nosniff', what)
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin', what)
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', what)
  assert.equal(headers['cross-origin-embedder-policy'], undefined, what)
  assert.equal(headers['reporting-endpoints'], 'reports="/reports"', what)
  assert.match(
    String(headers['permissions-policy']),
    /camera=\(\).*payment=\*, publickey-credentials-get=\*$/,
    what,
  )
  const policy = String(headers['content-security-policy'])
  assert.match(
    policy,
    /^default-src 'none'; base-uri 'none'; .*; report-uri \/reports; report-to reports$/,
    what,
  )
  assert.doesNotMatch(policy, /unsafe|data:|\*/, what)
  assert.equal(headers['x-frame-options'] === 'DENY', policy.includes("frame-ancestors 'none'"), what)
  const hashes = policy.includes('script-src')
    ? 'blocked-destinations=(script), endpoints=(reports)'
    : undefined
  assert.equal(headers['integrity-policy'], hashes, what)
}

describe('200', () => {
  it('health checks report alive and ready', async () => {
    assert.deepEqual((await page.get('/livez')).json, { status: 'alive' })
    assert.deepEqual((await page.get('/readyz')).json, { status: 'ready' })
  })

  it('asset names change with their contents, and every asset that a page names exists', async () => {
    const { path } = await page.open()
    const { text } = await page.get(path)
    const named = text.matchAll(/(?:src=|href=|data-list=|url\()"(\/assets\/[^"]+)"/g)
    const addresses = [...named].map(([, address]) => address ?? '')
    assert.equal(new Set(addresses).size, 4)
    for (const address of addresses) {
      assert.match(address, /^\/assets\/[\w-]+-\w{8}\.(js|json|svg)$/)
      const asset = await page.get(address)
      assert.equal(asset.status, 200, address)
      assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(asset.headers['x-content-type-options'], 'nosniff')
    }
  })
})

describe('404 and 405', () => {
  it('an unknown address gives a page in the browser’s language', async () => {
    for (const url of ['/', '/p', '/p/x/y/z', '/assets/page.js', '/docs']) {
      const turkish = await page.get(url)
      assert.equal(turkish.status, 404, url)
      assert.match(turkish.text, /<html lang="tr">[\s\S]*Sayfa bulunamadı/)
      assert.match((await page.get(url, { 'accept-language': 'en' })).text, /Page not found/)
    }
  })

  it('a program gets the API’s envelope instead of a page', async () => {
    const { status, json } = await page.get('/nowhere', { accept: '*/*' })
    assert.deepEqual([status, json.error_code], [404, 921])
  })

  it('a known address refuses every other method and lists the allowed ones', async () => {
    const other = { GET: 'POST', POST: 'GET' } as const
    for (const { url, method } of pageRoutes) {
      const answer = await page.pages.inject({ method: other[method], url: url.replaceAll(/:\w+/g, 'x') })
      assert.deepEqual(
        [answer.statusCode, answer.headers['allow']],
        [405, method === 'GET' ? 'GET, HEAD' : method],
      )
    }
  })
})

describe('every response', () => {
  it('has the same headers on every route and with every outcome, and is never cached', async () => {
    for (const { method, url } of pageRoutes) {
      for (const end of ['x', page.used]) {
        const headers = { accept: 'text/html', 'content-type': 'application/json' }
        const path = url.replace(':token', end).replaceAll(/:\w+/g, 'x')
        const answer = await page.pages.inject({
          method,
          url: path,
          headers,
          ...(method === 'POST' ? { payload: '{}' } : {}),
        })
        assert.ok(answer.statusCode < 500, path)
        assertGuarded(answer.headers, path)
      }
    }
    for (const url of ['/nowhere', '/livez', '/readyz']) assertGuarded((await page.get(url)).headers, url)
    const reported = await page.pages.inject({ method: 'POST', url: '/reports', payload: '[]' })
    assertGuarded(reported.headers, '/reports')
  })

  it('forbids framing, except by web origins that the merchant has registered', async () => {
    const framers = async (path: string) => {
      const { headers } = await page.get(path)
      const [, who] = /frame-ancestors ([^;]*);/.exec(String(headers['content-security-policy'])) ?? []
      assert.equal(headers['x-frame-options'], who === "'none'" ? 'DENY' : undefined, path)
      return who
    }
    const { path } = await page.open()
    const { carrier } = (await page.sendCard(path, '5451030000000109')).json
    const all = async () => [await framers(path), await framers(`${path}/bank`), await framers(carrier)]
    assert.deepEqual(await all(), ["'none'", "'self'", "'self'"])
    const registered = ['https://shop.example', 'http://localhost:3000']
    await page.setMerchant({ origins: registered })
    // Includes our own origin: the bank's page leads back to ours inside our frame.
    const each = Array(3).fill(`'self' ${registered.join(' ')}`)
    assert.deepEqual(await all(), each)
    assert.deepEqual(
      allowedFramers({ live: true, origins: registered }),
      ['https://shop.example'],
      'real cards',
    )
    // Origins like these cannot be registered. If one is stored anyway, it has no effect.
    await page.setMerchant({
      origins: [
        'https://a.example; script-src *',
        'https://b.example\r\nx-evil: 1',
        "'self'",
        '*',
        'https:',
        'https://*',
      ],
    })
    assert.deepEqual(await all(), ["'none'", "'self'", "'self'"])
    await page.setMerchant({ origins: [] })
    assert.equal(await framers('/nowhere'), "'none'")
  })

  it('behind a proxy path names the proxy’s path for policy reports', async () => {
    const { path } = await page.open()
    const before = page.services.config
    page.services.config = { ...before, pageUrl: 'https://pay.example/vezne' }
    const { headers, text } = await page.get(path)
    page.services.config = before
    assert.match(
      String(headers['content-security-policy']),
      /; report-uri \/vezne\/reports; report-to reports$/,
    )
    assert.match(text, /src="\/vezne\/assets\/page-\w+\.js"/)
  })

  it('is logged and counted by its route pattern: page tokens never appear in the log', async () => {
    const { path, page: end } = await page.open()
    await page.get(`${path}/status`)
    assert.match(page.lines.at(-1) ?? '', /"route":"\/p\/:token\/status","status":200/)
    assert.equal(
      page.lines.some((line) => line.includes(end)),
      false,
    )
  })
})

describe('compression', () => {
  const raw = (url: string, headers: Record<string, string>, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    page.pages.inject({ method, url, headers: { accept: 'text/html', ...headers } })

  it('pages and assets are compressed as the browser accepts and decode to the original', async () => {
    const plain = await page.get(`/p/${page.used}`)
    const zipped = await raw(`/p/${page.used}`, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(zipped.headers['vary'], 'accept-encoding, accept-language')
    assert.equal(Number(zipped.headers['content-length']), zipped.rawPayload.length)
    assert.equal(withoutTime(gunzipSync(zipped.rawPayload).toString()), withoutTime(plain.text))
    const [, asset = ''] = /src="([^"]+)"/.exec(plain.text) ?? []
    const script = await page.get(asset)
    const brotli = await raw(asset, { 'accept-encoding': 'gzip, deflate, br' })
    assert.deepEqual([brotli.headers['content-encoding'], brotli.headers['vary']], ['br', 'accept-encoding'])
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), script.text)
    const gzip = await raw(asset, { 'accept-encoding': 'gzip' })
    assert.equal(gunzipSync(gzip.rawPayload).toString(), script.text)
    assert.equal(script.headers['content-encoding'], undefined)
  })

  it('all scripts take at most 40 kB, and everything that a page can load at most 90 kB', async () => {
    const { text } = await page.get(`/p/${page.used}`)
    let [scripts, all] = [0, gzipSync(text).length]
    for (const asset of allAssets()) {
      const { length } = await encodeAsset(asset, 'br')
      all += length
      if (asset.name.endsWith('.js')) scripts += length
    }
    assert.ok(scripts <= 40_000, `the scripts take ${scripts} bytes`)
    assert.ok(all <= 90_000, `a page with all that it can load takes ${all} bytes`)
  })

  it('HEAD has the headers of GET', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const [get, head] = [await raw('/p/x', headers), await raw('/p/x', headers, 'HEAD')]
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
      assert.equal(head.headers[name], get.headers[name], name)
    assert.equal(head.payload, '')
  })

  it('a response to a POST is not compressed: it may hold a card on its way to the bank', async () => {
    const { path } = await page.open()
    const headers = { 'accept-encoding': 'gzip, identity;q=0' }
    const answer = await page.post(`${path}/card`, {}, headers)
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [422, undefined])
  })
})

describe('429', () => {
  it('a sender over the limit gets a Retry-After; banks, assets and health checks are not limited', async () => {
    const { path } = await page.open()
    const before = page.services.config
    page.services.config = { ...before, pageRateLimitPerSecond: 1, pageRateLimitBurst: 2 }
    const app = pageApp(page.services, {
      readiness: async () => undefined,
      isClosing: () => false,
      deadlines: new RequestDeadlines('page', page.services),
    })
    page.services.config = before
    const ask = (url: string, more: { method?: 'POST'; accept?: string; from?: string } = {}) =>
      app.inject({
        method: more.method ?? 'GET',
        url,
        remoteAddress: more.from ?? '203.0.113.7',
        headers: { accept: more.accept ?? 'text/html' },
      })
    assert.equal((await ask(path)).statusCode, 200)
    assert.equal((await ask(`${path}/status`)).statusCode, 200)
    const limited = await ask(path)
    assert.deepEqual([limited.statusCode, limited.headers['retry-after']], [429, '1'])
    assert.match(limited.payload, /<h1[^>]*>Çok fazla istek/)
    assertGuarded(limited.headers, 'limited')
    const script = await ask(`${path}/status`, { accept: '*/*' })
    assert.deepEqual([script.statusCode, script.json()], [429, { next: 'limited', retryAfterS: 1 }])
    assert.equal(script.headers['retry-after'], '1')
    assert.equal((await ask(path, { from: '203.0.113.8' })).statusCode, 200)
    for (const { method, url } of pageRoutes.filter(({ fromBanks }) => fromBanks)) {
      assert.equal(method, 'POST')
      assert.notEqual((await ask(url, { method })).statusCode, 429, url)
    }
    assert.equal((await ask('/livez')).statusCode, 200)
    page.clock.advance(1_000)
    assert.equal((await ask(path)).statusCode, 200)
    await app.close()
  })
})

/** Some time passes between two views of a page, so the clock is removed. */
function withoutTime(text: string): string {
  return text.replaceAll(/expiresInMs&#34;:\d+/g, '')
}

it('the page and the API serve /favicon.ico', async () => {
  for (const answer of [await pages.get('/favicon.ico'), await pages.call({ url: '/favicon.ico' })]) {
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'image/x-icon'])
    assert.ok(Number(answer.headers['content-length']) < 1_000)
  }
})
