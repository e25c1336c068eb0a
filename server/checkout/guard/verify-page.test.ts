import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HttpClient, HttpResponse } from '../../../kit/outbound/http-client.ts'
import { networkHttpClient } from '../../../kit/outbound/http-client.ts'
import { systemClock } from '../../../kit/runtime/clock.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { runVezne } from '../../../testing/harness/command-line.ts'
import { png } from '../../../testing/pictures/sample-pictures.ts'
import { testPages } from '../../../testing/till/page.ts'
import { assetByName } from '../files/assets.ts'
import { verifyPublishedPage } from './verify-page.ts'

const page = await testPages()
const { path } = await page.open()
const { config } = page.services
const address = `${config.pageUrl}${path}`
const network = networkHttpClient(systemClock)

/** A product with an image. */
async function product(): Promise<number> {
  const backend = backendOf(page)
  const { id } = (await backend.json('/v1/products', { product_name: 'Kahve', price: 500 })).json
  const headers = { 'content-type': 'image/png' }
  await backend.send({ method: 'POST', url: `/v1/products/${id}/image`, body: await png(60, 60), headers })
  return id
}

type Change = (url: string, answer: HttpResponse) => Partial<HttpResponse> | undefined

/** Differences found if someone between the service and the payer changes the responses. */
async function differencesWith(change: Change): Promise<string[]> {
  const http: HttpClient = {
    send: async (request) => {
      // Requests uncompressed responses, so that they can be changed.
      const answer = await network.send({
        ...request,
        headers: { ...request.headers, 'accept-encoding': 'identity' },
      })
      return { ...answer, ...change(request.url, answer) }
    },
  }
  const all = await verifyPublishedPage({ config, http }, address)
  return all.flatMap(({ what, differences }) => differences.map((each) => `${what}: ${each.what}`))
}

const onPage =
  (change: (html: string) => string): Change =>
  (url, { body }) =>
    url === address ? { body: Buffer.from(change(body.toString())) } : undefined
const withHead = (answer: HttpResponse, name: string, value: string | undefined) => {
  const headers = new Headers(answer.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
  return { headers }
}

describe('no difference is found', () => {
  it('in an unchanged running service, over HTTP and by the command', async () => {
    assert.deepEqual(await differencesWith(() => undefined), [])
    const { code, output } = await runVezne(
      ['verify-page', '--url', `${config.pageUrl}/`, '--page', address],
      {},
    )
    assert.equal(code, 0, output)
    assert.match(output, /^as released {2}the payment page \(may be framed by: no other origin\)$/m)
    assert.match(output, /matches release \d+\.\d+\.\d+\.$/)
  })

  it('in a page in its merchant’s colour', async () => {
    await page.setMerchant({ colour: '#E30A17' })
    const verifications = await differencesWith(() => undefined)
    const changed = await differencesWith(
      onPage((html) => html.replace('<style data-colour="#e30a17">', '$&b{}')),
    )
    await page.setMerchant({})
    assert.deepEqual(verifications, [])
    assert.deepEqual([...new Set(changed)], ['the payment page: a style inside the page'])
  })

  it('in a page with the pictures of its merchant, one of them as the icon', async () => {
    const { path: withImage } = await page.open(`amount=500&currency=TRY&product_ids[0]=${await product()}`)
    await page.setMerchant({ logo: 'L'.repeat(43), whiteLabel: true })
    const all = await verifyPublishedPage({ config, http: network }, `${config.pageUrl}${withImage}`)
    const html = (await page.get(withImage)).text
    await page.setMerchant({})
    assert.deepEqual(
      all.flatMap(({ differences }) => differences),
      [],
    )
    assert.equal(html.match(/"\/tiles\//g)?.length, 3)
  })

  it('in a page that its merchant may frame; the allowed origins are listed', async () => {
    await page.setMerchant({ origins: ['https://shop.example'] })
    const all = await verifyPublishedPage({ config, http: network }, address)
    await page.setMerchant({})
    assert.deepEqual(
      all.flatMap(({ differences }) => differences),
      [],
    )
    assert.match(all.at(-1)?.note ?? '', /framed by: https:\/\/shop\.example$/)
  })
})

describe('a difference is found', () => {
  const script = `/assets/${assetByName('page.js').name}`

  it('for one changed byte in a script, in every encoding', async () => {
    for (const each of [script, '/element.js']) {
      const verifications = await differencesWith((url, { body }) =>
        url.endsWith(each) ? { body: Buffer.concat([body, Buffer.from(' ')]) } : undefined,
      )
      assert.deepEqual(verifications, [`${each}: contents`])
    }
  })

  it('for a missing header and for an additional one', async () => {
    const verifications = await differencesWith((url, answer) =>
      url === address
        ? withHead(answer, 'x-content-type-options', undefined)
        : withHead(answer, 'set-cookie', 'a=1'),
    )
    assert.ok(verifications.includes('the payment page: x-content-type-options'))
    assert.ok(verifications.includes('the not-found page: set-cookie'))
  })

  it('for a looser policy', async () => {
    for (const [from, to] of [
      ["script-src 'self'", "script-src 'self' https://cdn.example"],
      ["frame-ancestors 'none'", 'frame-ancestors *'],
      ["frame-ancestors 'none'; ", ''],
      ["; trusted-types 'none'", ''],
    ] as const) {
      const verifications = await differencesWith((url, answer) => {
        const policy = answer.headers.get('content-security-policy') ?? ''
        return url === address
          ? withHead(answer, 'content-security-policy', policy.replace(from, to))
          : undefined
      })
      assert.ok(verifications.includes('the payment page: content-security-policy'), to)
    }
  })

  for (const [what, markup, named] of [
    ['a script of another site', '<script src="https://evil.example/x.js"></script>', 'script'],
    ['our own script without its hash', `<script type="module" src="${script}"></script>`, 'script'],
    ['an inline script', '<script>steal()</script>', 'script'],
    ['a script tag in another syntax', '<script/src=//evil.example/x.js></script>', 'markup'],
    ['a stylesheet of another site', '<link rel="stylesheet" href="//evil.example/x.css">', 'stylesheet'],
    ['a style inside the page', '<style>b{}</style>', 'a style inside the page'],
    ['a style in another syntax', '<STYLE/x>b{}</STYLE>', 'a style inside the page'],
    ['an inline style', '<p style="display:none">x</p>', 'the attribute style'],
    ['an inline handler', '<b onclick="steal()">x</b>', 'an inline handler'],
    ['a picture of another site', '<img src="https://evil.example/x.gif">', 'something loaded'],
    [
      'a picture of ours at another site',
      `<img src="https://evil.example/tiles/1/${'a'.repeat(43)}.webp">`,
      'something loaded',
    ],
    ['another file below the pictures', '<img src="/tiles/1/../../p/x.webp">', 'something loaded'],
    ['a picture without a merchant', '<img src="/tiles/NaN/.webp">', 'something loaded'],
    [
      'a picture of another site for large screens',
      '<img src="#" srcset="#a 1x, https://evil.example/x.gif 2x">',
      'the attribute srcset',
    ],
    [
      'a drawing that loads a file of another site',
      '<svg><rect mask="URL(https://evil.example/x.svg#a)"></rect></svg>',
      'something loaded',
    ],
    ['a tag that turns markup into text', '<textarea></textarea>', 'a tag'],
    ['a form that posts to another site', '<form action="https://evil.example/">', 'the attribute action'],
    ['a frame', '<iframe src="https://evil.example/"></iframe>', 'a tag'],
    ['a base tag', '<base href="https://evil.example/">', 'a tag'],
    ['a link that runs a script', '<a href="javascript:steal()">x</a>', 'a link'],
    ['an encoded link that runs a script', '<a href="javascript&colon;steal()">x</a>', 'a link'],
    ['a link to another site', '<a href="https://evil.example/">Pay</a>', 'a link'],
    ['a link to another site without a protocol', '<a href="//evil.example/">Pay</a>', 'a link'],
    ['an encoded link to another site', '<a href="/&sol;evil.example/">Pay</a>', 'a link'],
    [
      'a second return link',
      '<a id="return" href="https://shop.example/"></a><a id="return" href="https://evil.example/">x</a>',
      'a second return link',
    ],
    [
      'a redirect by a meta tag',
      '<meta http-equiv="refresh" content="0;url=//evil.example">',
      'the attribute http-equiv',
    ],
    ['a referrer policy in a meta tag', '<meta name="referrer" content="unsafe-url">', 'a tag'],
    [
      'a referrer policy on a link',
      '<a href="/" referrerpolicy="unsafe-url">x</a>',
      'the attribute referrerpolicy',
    ],
    ['a comment that hides something', '<!--><b onclick="steal()">x</b>-->', 'markup'],
  ] as const) {
    it(`for ${what}`, async () => {
      const verifications = await differencesWith(
        onPage((html) => html.replace('</body>', `${markup}</body>`)),
      )
      assert.ok(verifications.includes(`the payment page: ${named}`), verifications.join(', '))
    })
  }

  it('for an address of another site that our script would use', async () => {
    for (const [from, to] of [
      [/ data-page="[^"]*"/, ' data-page="https://evil.example/p/x"'],
      [/ data-list="[^"]*"/, ' data-list="https://evil.example/x.json"'],
      [/<body /, '<body data-framers="https://evil.example" '],
    ] as const)
      assert.deepEqual(
        await differencesWith(onPage((html) => html.replace(from, to))),
        ['the payment page: an address for our script'],
        to,
      )
    const onBridge: Change = (url, { body }) =>
      url === `${address}/bank`
        ? {
            body: Buffer.from(
              body.toString().replace(/ data-page="[^"]*"/, ' data-page="//evil.example" data-full="true"'),
            ),
          }
        : undefined
    assert.deepEqual(await differencesWith(onBridge), ['the bridge to the bank: an address for our script'])
  })

  it('for a tag that looks like ours and that a browser reads differently', async () => {
    // One value that looks like several attributes: a browser loads that address without an integrity hash.
    const oneValue = (html: string) =>
      html.replace(
        /(<script[^>]* src="[^"]+)" integrity="([^"]+)" crossorigin="/,
        (_tag, before, integrity) => `${before}&#34; integrity=&#34;${integrity}&#34; crossorigin=&#34;`,
      )
    // Not a space to a browser, but the first letter of another attribute name.
    const otherSpace = (html: string) => html.replace(/(<script[^>]*) integrity/, '$1\u00a0integrity')
    for (const [change, named] of [
      [oneValue, 'script'],
      [otherSpace, 'markup'],
    ] as const) {
      const verifications = await differencesWith(onPage(change))
      assert.ok(verifications.includes(`the payment page: ${named}`), verifications.join(', '))
    }
  })

  it('for a content encoding that a browser may decode differently', async () => {
    for (const encoding of ['x-gzip', 'GZIP', 'zstd', 'deflate', 'gzip, gzip']) {
      const verifications = await differencesWith((url, answer) =>
        url === address ? withHead(answer, 'content-encoding', encoding) : undefined,
      )
      assert.deepEqual(verifications, ['the payment page: answer'], encoding)
    }
  })

  it('for any change in the not-found page, another status, or a missing response', async () => {
    assert.deepEqual(
      await differencesWith((url, { body }) =>
        url.endsWith('/p/x')
          ? { status: 200, body: Buffer.from(body.toString().replace('not found', 'found')) }
          : undefined,
      ),
      ['the not-found page: status', 'the not-found page: contents'],
    )
    const nobody = { ...config, pageUrl: 'http://127.0.0.1:1' }
    const all = await verifyPublishedPage({ config: nobody, http: network })
    assert.ok(all.slice(1).every(({ differences }) => differences[0]?.what === 'answer'))
  })

  it('by the command, which names each difference, also in JSON, and exits with 1', async () => {
    const words = ['verify-page', '--url', 'http://127.0.0.1:1']
    const { code, output } = await runVezne(words, {})
    assert.equal(code, 1)
    assert.match(
      output,
      /^DIFFERS {6}the not-found page\n {2}answer\n {4}expected .*\n {4}received ECONNREFUSED$/m,
    )
    assert.match(output, /could not be reached\. Nothing was compared\.$/m)
    const json = await runVezne([...words, '--json'], {})
    assert.equal(json.code, 1)
    const { differences, verified } = JSON.parse(json.output.split('\n')[0] ?? '')
    assert.equal(differences, verified.length - 1)
    assert.equal((await runVezne([...words, '--page', 'https://other.example/p/x'], {})).code, 2)
  })

  it('for a page without https', async () => {
    const http: HttpClient = { send: () => Promise.reject(new Error('it is not asked')) }
    const [connection] = await verifyPublishedPage({
      config: { ...config, pageUrl: 'http://pay.example' },
      http,
    })
    assert.deepEqual(connection?.differences, [{ what: 'protocol', expected: 'https', received: 'http' }])
  })
})

describe('an expired page', () => {
  it('is as released with its return link, whose origin is listed', async () => {
    const { path: over } = await page.open(
      'amount=10000&currency=TRY&redirect_url=https%3A%2F%2Fshop.example%2Freturn',
    )
    page.clock.advance(31 * 60_000)
    const all = await verifyPublishedPage({ config, http: network }, `${config.pageUrl}${over}`)
    assert.deepEqual(
      all.flatMap(({ differences }) => differences),
      [],
    )
    assert.match(all.at(-2)?.note ?? '', /returns to: https:\/\/shop\.example$/)
  })

  it('lists an origin to which only its script would return the payer', async () => {
    const standing = JSON.stringify({ returnUrl: 'https://evil.example/' }).replaceAll('"', '&#34;')
    const http: HttpClient = {
      send: async (request) => {
        const headers = { ...request.headers, 'accept-encoding': 'identity' }
        const answer = await network.send({ ...request, headers })
        const text = answer.body.toString().replace(/ data-standing="[^"]*"/, ` data-standing="${standing}"`)
        return { ...answer, body: request.url === address ? Buffer.from(text) : answer.body }
      },
    }
    const all = await verifyPublishedPage({ config, http }, address)
    assert.match(all.at(-2)?.note ?? '', /returns to: https:\/\/evil\.example$/)
  })
})
