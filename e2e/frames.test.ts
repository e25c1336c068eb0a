import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { serveSite } from './merchant-site.ts'
import { payer } from './payer.ts'
import { pageUrl, setOrigins } from './shop.ts'
import { until } from './until.ts'
import { emailOf, payerDetails } from './visit.ts'

const asking = '5200000000002151'

/** Serves a page that frames the payment page. */
function framing(t: TestContext, url: string): Promise<string> {
  return serveSite(t, (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title><iframe src="${url}" width="900" height="700"></iframe>`)
  })
}

/** Waits until the bridge allows this origin. It reads its merchant from the cache. */
async function bridgeOf(url: string, origin: string): Promise<void> {
  await until(
    async () => (await fetch(`${url}/bank`)).headers.get('content-security-policy')?.includes(origin),
    () => `the bridge does not allow ${origin} yet`,
  )
}

describe('a frame without the payment element', () => {
  it('of the merchant’s registered origin pays, challenge included; other origins cannot frame the page', async (t) => {
    const { id, url, context, answers, result } = await payer(t, { expected: /frame-ancestors/ })
    const page = await context.newPage()
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(await framing(t, url))
    await refused
    const shop = await framing(t, url)
    await setOrigins([shop])
    t.after(() => setOrigins([]))
    await bridgeOf(url, shop)
    await page.goto(shop)
    const inside = page.frameLocator('iframe')
    const card = { number: asking, expiry: '12/30', cvc: '123', holder: 'Işık Öztürk' }
    for (const [name, value] of Object.entries({ ...payerDetails, email: emailOf({ id }), ...card }))
      await inside.locator(`#${name}`).fill(value)
    await inside.locator('button[type=submit]').click()
    await answers('right', page)
    await inside.locator('#outcome[data-view=paid]').waitFor({ state: 'attached' })
    assert.equal((await result()).payment_status_text, 'success')
  })
})

describe('the bank’s frame', () => {
  it('cannot navigate the payer’s window, and may use passkeys', async (t) => {
    const { pay, page, bank, url } = await payer(t, { expected: /sandboxed/ })
    await pay(asking)
    const frame = await bank()
    // Without the sandbox, a frame with user activation could navigate the window.
    await frame.locator('input[type=text], input:not([type])').click()
    const refused = page.waitForEvent('console', (message) => message.text().includes('sandboxed'))
    const may = await frame.evaluate(`(() => {
      try { window.top.location.href = 'https://elsewhere.example/' } catch {}
      return document.featurePolicy.allowsFeature('publickey-credentials-get')
    })()`)
    await refused
    assert.equal(may, true)
    assert.equal(page.url(), url)
  })
})

describe('a manipulated response', () => {
  /** Serves the page through a proxy that adds code to the script. Returns `run` if the added code has run. */
  async function ranBy(
    t: TestContext,
    changes: { keepsHashes: boolean; keepsPolicy: boolean },
  ): Promise<unknown> {
    const { url, context } = await payer(t, { expected: /integrity/i })
    const between = await serveSite(t, async (request, response) => {
      const answer = await fetch(`${pageUrl}${request.url}`, {
        headers: { accept: String(request.headers.accept) },
      })
      const text = await answer.text()
      for (const [name, value] of answer.headers) {
        const isKept = changes.keepsPolicy || name !== 'integrity-policy'
        if (isKept && !/^(content-length|content-encoding|transfer-encoding)$/.test(name))
          response.setHeader(name, value)
      }
      const isScript = request.url?.endsWith('.js')
      const page = changes.keepsHashes ? text : text.replace(/(<script[^>]*?) integrity="[^"]*"/, '$1')
      response.writeHead(answer.status).end(isScript ? `document.body.dataset.changed = 'run';${text}` : page)
    })
    const page = await context.newPage()
    await page.goto(between + new URL(url).pathname)
    return page.evaluate('document.body.dataset.changed')
  }

  it('does not run a script that was changed or has lost its hash', async (t) => {
    assert.equal(await ranBy(t, { keepsHashes: false, keepsPolicy: false }), 'run')
    assert.notEqual(await ranBy(t, { keepsHashes: true, keepsPolicy: false }), 'run')
    assert.notEqual(await ranBy(t, { keepsHashes: false, keepsPolicy: true }), 'run')
  })
})
