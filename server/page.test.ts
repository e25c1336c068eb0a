import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageRoutes } from './page.ts'
import { testPages } from './testing/page.ts'

const page = await testPages()

describe('200', () => {
  it('says that it lives, and that it can serve', async () => {
    assert.deepEqual((await page.get('/livez')).json, { status: 'alive' })
    assert.deepEqual((await page.get('/readyz')).json, { status: 'ready' })
  })

  it('what browsers load has a name that changes with its contents, and all that it names is there', async () => {
    const { path } = await page.open()
    const { text } = await page.get(path)
    const addresses = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, address]) => address ?? '',
    )
    assert.equal(addresses.length, 4)
    for (const address of addresses) {
      assert.match(address, /^\/assets\/[\w-]+-[0-9a-f]{16}\.(js|css|svg)$/)
      const asset = await page.get(address)
      assert.equal(asset.status, 200, address)
      assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(asset.headers['x-content-type-options'], 'nosniff')
      for (const [, imported] of asset.text.matchAll(/from '\.\/([^']+)'/g)) {
        const url = `/assets/${imported}`
        if (!addresses.includes(url)) addresses.push(url)
      }
    }
    assert.ok(addresses.length > 8, 'the modules were followed')
  })
})

describe('404 and 405', () => {
  it('an address that is none answers a page in the language of the browser', async () => {
    for (const url of ['/', '/p', '/p/x/y/z', '/assets/page.js', '/docs']) {
      const turkish = await page.get(url)
      assert.equal(turkish.status, 404, url)
      assert.match(turkish.text, /<html lang="tr">[\s\S]*Sayfa bulunamadı/)
      assert.match((await page.get(url, { 'accept-language': 'en' })).text, /Page not found/)
    }
  })

  it('programs get the envelope of the API instead of a page', async () => {
    const { status, json } = await page.get('/nowhere', { accept: '*/*' })
    assert.deepEqual([status, json.error_code], [404, 921])
  })

  it('every other method of a known address is refused, with the ones that it takes', async () => {
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

describe('every answer', () => {
  it('is kept by nobody, says no more than its origin to others, and is what it says it is', async () => {
    const { path } = await page.open()
    for (const url of [path, `${path}/status`, `${path}/bank`, `${path}/step`, '/nowhere', '/livez']) {
      const { headers } = await page.get(url)
      assert.equal(headers['cache-control'], 'no-store', url)
      assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['cross-origin-embedder-policy'], undefined)
      assert.ok(headers['content-security-policy'])
    }
  })

  it('is logged and counted by its pattern: what pages end in is nowhere in the log', async () => {
    const { path, page: end } = await page.open()
    await page.get(`${path}/status`)
    assert.match(page.lines.at(-1) ?? '', /"route":"\/p\/:token\/status","status":200/)
    assert.equal(
      page.lines.some((line) => line.includes(end)),
      false,
    )
  })
})
