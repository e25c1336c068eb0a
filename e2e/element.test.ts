import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { after, describe, it } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { accessibilityViolations } from './accessibility.ts'
import { closeBrowser, openContext } from './browser.ts'
import { closeDatabase } from './database.ts'
import { merchantSite, serveSite } from './merchant-site.ts'
import { apiUrl, publicKey, startPayment } from './shop.ts'
import { until } from './until.ts'
import { payerDetails } from './visit.ts'
import { watchWindow } from './watch.ts'

after(async () => {
  await closeBrowser()
  await closeDatabase()
})

/** Card without a challenge. */
const unasked = '5200000000002235'

/** Beginning of every shop's script in these tests: it records every event of a payment. */
const shop = `
const heard = []
const vezne = Vezne('${publicKey}', { apiUrl: '${apiUrl}' })
function made(options) {
  const payment = vezne.payment(options)
  for (const name of ['ready', 'change', 'success', 'failure', 'expired', 'error'])
    payment.on(name, (event) => heard.push([name, event]))
  return payment
}
const thrown = (act) => { try { act() } catch (error) { return [error.name, error.code, error.message] } }
`

interface Visitor {
  page: Page
  /** Paths of the requests to the API. */
  apiPaths: string[]
  elementEvents(): Promise<[string, Record<string, unknown>][]>
  /** Waits for an event with this name and returns the last one. */
  waitForElementEvent(name: string): Promise<Record<string, unknown>>
}

interface SiteOptions {
  expected?: RegExp[]
  framed?: string
  /** Prepares the window before the site is opened. */
  before?(page: Page): Promise<void>
}

/**
 * Opens a merchant's web page with this script. The test fails if the browser reports an unexpected error.
 */
async function visitor(t: TestContext, script: string, options: SiteOptions = {}): Promise<Visitor> {
  const site = await merchantSite(t, shop + script, options.framed)
  const context = await openContext({})
  const watched = await watchWindow(context, options.expected ?? [])
  t.after(async () => {
    await context.close()
    assert.deepEqual((await watched()).wrong, [])
  })
  const page = await context.newPage()
  const apiPaths: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(apiUrl)) apiPaths.push(new URL(request.url()).pathname)
  })
  await options.before?.(page)
  await page.goto(site)
  const elementEvents = () => page.evaluate<[string, Record<string, unknown>][]>('heard')
  const waitForElementEvent = async (name: string) => {
    await isTrue(page, `heard.some(([name]) => name === '${name}')`)
    return (await elementEvents()).findLast(([each]) => each === name)?.[1] ?? {}
  }
  return { page, apiPaths, elementEvents, waitForElementEvent }
}

describe('the payment element', () => {
  it('emits the API’s refusal, shows the payer a message, and throws for a developer’s mistake', async (t) => {
    const mistakes = `
      const mistakes = [
        thrown(() => Vezne('sk_test_x', { apiUrl: '${apiUrl}' })),
        thrown(() => vezne.payment({ amount: 0 })),
        thrown(() => vezne.payment({ amount: 1 }).mount('#nowhere')),
        thrown(() => vezne.payment({ amount: 1 }).mount('#')),
      ]`
    const script = `${mistakes}
      made({ amount: 18990, currency: 'GBP' }).mount('#pay')
      vezne.payment({ amount: 18990, currency: 'GBP', display: 'redirect' }).mount('#other')`
    const { page, waitForElementEvent } = await visitor(t, script, { expected: [/^Vezne:/] })
    const { errors, ...error } = await waitForElementEvent('error')
    assert.deepEqual(error, { code: 'refused', message: 'Doğrulama hataları oluştu.', error_code: 901 })
    assert.deepEqual(Object.keys(errors as object), ['currency'])
    assert.match((await page.locator('#pay [role=alert]').textContent()) ?? '', /Ödeme başlatılamadı/)
    const complaint = page.waitForEvent('console', (message) => message.text().startsWith('Vezne:'))
    await page.locator('#other button').click()
    await complaint
    await page.locator('#other [role=alert]').waitFor()
    assert.deepEqual(await accessibilityViolations(page), [])
    const codes = await page.evaluate<string[]>('mistakes.map(([name, code]) => name + " " + code)')
    const expectedCodes = ['secret_key', 'invalid_options', 'no_container', 'no_container']
    assert.deepEqual(
      codes,
      expectedCodes.map((code) => `VezneError ${code}`),
    )
  })

  it('opens the payment page with its button, and again after the payer returns, for the same payment', async (t) => {
    const script = `made({ amount: 18990, display: 'redirect' }).mount('#pay')`
    const { page, apiPaths } = await visitor(t, script)
    const button = page.locator('#pay button')
    // A 204 response keeps the window where it is, as for a payer who stops loading or returns.
    await page.route(/\/p\//, (route) => route.fulfill({ status: 204 }))
    const left = page.waitForRequest(/\/p\//)
    await button.dblclick()
    const address = (await left).url()
    assert.ok(address.endsWith('?lang=tr'), address)
    assert.equal(await button.getAttribute('aria-disabled'), 'true')
    await page.evaluate('window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
    await page.unroute(/\/p\//)
    await button.click()
    await page.waitForURL(address)
    assert.equal(apiPaths.filter((path) => path === '/v1/payment/3ds').length, 1)
    const card = { number: unasked, expiry: '12/30', cvc: '123', holder: 'Işık Öztürk' }
    for (const [name, value] of Object.entries({ ...payerDetails, email: 'isik@example.com', ...card }))
      await page.locator(`#${name}`).fill(value)
    await page.locator('button[type=submit]').click()
    await page.locator('#outcome[data-view=paid]').waitFor({ state: 'attached' })
  })

  it('reports that its frame is empty because the origin is not registered, and how to fix it', async (t) => {
    const { url } = await startPayment()
    // The first timeout waits for the frame to load, the second for a message from the loaded page.
    const script = `
      const waits = []
      const wait = window.setTimeout
      window.setTimeout = (call, ms) => { waits.push(ms); return wait(call, ms) }
      made({ payment_page_url: '${url}' }).mount('#pay')`
    const expected = [/frame-ancestors/, /^Vezne: Ödeme sayfası çerçevede/]
    const { page, elementEvents, apiPaths } = await visitor(t, script, {
      expected,
      before: (each) => each.clock.install(),
    })
    const warning = page.waitForEvent('console', (message) => message.text().startsWith('Vezne:'))
    await isTrue(page, 'waits.length === 2')
    await page.clock.runFor(11_000)
    // Checked immediately, because the clock continues to run.
    assert.deepEqual(
      (await elementEvents()).map(([name, { code }]) => [name, code]),
      [['error', 'not_shown']],
    )
    const origin = new URL(page.url()).origin
    assert.ok((await warning).text().includes(`./vezne merchant change <id> --add-origins ${origin}`))
    assert.equal(await page.locator('#pay iframe').count(), 0)
    assert.deepEqual(await accessibilityViolations(page), [])
    assert.deepEqual(apiPaths, [])
    await page.locator('#pay button', { hasText: 'Tam pencerede aç' }).click()
    await page.waitForURL(`${url}?lang=tr`)
  })

  it('shows one payment in one place: mounting it again shows the same payment, unmounting removes it', async (t) => {
    const script = `
      const [one, other] = [made({ amount: 100 }), made({ amount: 200 })]
      one.mount('#pay')
      other.mount(document.getElementById('other'))`
    const { page, apiPaths } = await visitor(t, script, { expected: [/frame-ancestors/] })
    const addressIn = (selector: string) => page.locator(`${selector} iframe`).getAttribute('src')
    const [first, second] = [await addressIn('#pay'), await addressIn('#other')]
    assert.notEqual(first, second)
    for (const act of [`one.mount('#pay')`, `one.mount('#other')`, `made({ amount: 1 }).mount('#other')`])
      assert.equal((await page.evaluate<string[]>(`thrown(() => ${act})`))[1], 'already_mounted', act)
    await page.evaluate('one.unmount(), other.unmount()')
    assert.equal(await page.evaluate('document.querySelectorAll("vezne-payment").length'), 0)
    await page.evaluate(`one.mount('#other')`)
    assert.equal(await addressIn('#other'), first)
    // Removing the container unmounts the payment.
    await page.evaluate(`document.getElementById('other').remove(), one.mount('#pay')`)
    assert.equal(await addressIn('#pay'), first)
    assert.equal(apiPaths.filter((path) => path === '/v1/payment/3ds').length, 2)
    const called = `made({ amount: 300 }).mount(document.body.appendChild(document.createElement('div'))).unmount()`
    await page.evaluate(called)
    assert.deepEqual(await page.evaluate('heard'), [])
  })

  it('emits nothing and listens to nothing after it is unmounted', async (t) => {
    const { url } = await startPayment()
    const script = `
      const ends = []
      const add = window.addEventListener
      window.addEventListener = (name, call, options) => { ends.push(options.signal); add(name, call, options) }
      const [one, other] = [made({ payment_page_url: '${url}' }), made({ amount: 100, display: 'redirect' })]
      one.mount('#pay')
      other.mount('#other')
      delete window.addEventListener`
    const { page, elementEvents } = await visitor(t, script, {
      expected: [/frame-ancestors/],
      before: (each) => each.clock.install(),
    })
    await page.locator('#pay iframe').waitFor({ state: 'attached' })
    const ended = () => page.evaluate('ends.map((signal) => signal.aborted)')
    assert.deepEqual(await ended(), [false, false])
    await page.evaluate('one.unmount(), other.unmount()')
    assert.deepEqual(await ended(), [true, true])
    await page.clock.runFor(31_000)
    assert.deepEqual(await elementEvents(), [])
  })
})

describe('a message of the payment page', () => {
  /** Serves a page that sends messages as the payment page does, and lets the test send any message. */
  async function speaking(t: TestContext, script = '') {
    const page = `<!doctype html><title>Page</title><script>
      const greetings = []
      addEventListener('message', ({ data, origin }) => greetings.push([data, origin]))
      const say = (message) => parent.postMessage({ vezne: 'page', ...message }, '*')
      say({ type: 'here' })
    </script>`
    const framed = await serveSite(t, (_request, response) =>
      response.setHeader('content-type', 'text/html').end(page),
    )
    const mounted = `const payment = made({ payment_page_url: '${framed}/p/x' }); payment.mount('#pay');${script}`
    const elsewhere = framed.replace('127.0.0.1', 'localhost')
    const visit = await visitor(t, mounted, { framed: `${framed} ${elsewhere}` })
    await visit.page.locator('#pay iframe').waitFor()
    const inside = visit.page.frames().find((frame) => frame.url().startsWith(framed)) as Frame
    await isTrue(inside, 'greetings.length > 0')
    const say = (message: object) => inside.evaluate(`say(${JSON.stringify(message)})`)
    return { ...visit, inside, framed, elsewhere, say }
  }

  const id = 10000000000123
  const stateMessage = (step: string) => ({ type: 'standing', step, transaction_id: id })

  it('becomes an event, sets the height of the frame or leaves; the page is greeted after every load', async (t) => {
    const { page, inside, say, elementEvents, waitForElementEvent } = await speaking(t)
    assert.deepEqual(await inside.evaluate('greetings'), [
      [{ vezne: 'element', type: 'greet', version: 1 }, new URL(page.url()).origin],
    ])
    for (const step of ['form', 'form', 'bank', 'paid']) await say(stateMessage(step))
    await waitForElementEvent('success')
    await say({ type: 'size', height: 812 })
    await isTrue(page, `document.querySelector('vezne-payment').offsetHeight === 812`)
    await inside.evaluate('greetings.push(1), location.reload()')
    await isTrue(inside, 'greetings.length === 1')
    await say(stateMessage('paid'))
    await say({ type: 'look', top: 700, bottom: 760 })
    await isTrue(page, 'scrollY > 0')
    const transaction_id = id
    assert.deepEqual(await elementEvents(), [
      ['ready', { transaction_id }],
      ...['form', 'bank', 'paid'].map((step) => ['change', { step, transaction_id }]),
      ['success', { transaction_id, status: 'success' }],
    ])
    const goes = page.waitForURL(/\/return/)
    const origin = new URL(page.url()).origin
    await say({ type: 'leave', url: `${origin}/return?transaction_id=${id}` })
    await goes
  })

  it('counts for one transaction, which succeeds once and is shown in one place', async (t) => {
    const { page, say, elementEvents } = await speaking(t)
    const elsewhere = await page.evaluate<string[]>(`thrown(() => payment.mount('#other'))`)
    assert.equal(elsewhere?.[1], 'already_mounted')
    await say(stateMessage('form'))
    await say({ ...stateMessage('paid'), transaction_id: id + 1 })
    // A hold is captured before the page is shown again.
    for (const step of ['held', 'asking', 'paid']) await say(stateMessage(step))
    await isTrue(page, `heard.some(([, { step }]) => step === 'paid')`)
    const transaction_id = id
    assert.deepEqual(await elementEvents(), [
      ['ready', { transaction_id }],
      ['change', { step: 'form', transaction_id }],
      ['change', { step: 'held', transaction_id }],
      ['success', { transaction_id, status: 'pre_authorized' }],
      ['change', { step: 'asking', transaction_id }],
      ['change', { step: 'paid', transaction_id }],
    ])
  })

  it('counts only from the element’s own frame and origin, and only with valid content', async (t) => {
    const other = `const frame = document.createElement('iframe'); document.getElementById('other').append(frame)`
    const { page, inside, framed, elsewhere, say, elementEvents } = await speaking(t, other)
    // Senders: the shop itself, another frame of the page's origin, and the right frame with invalid content.
    await page.evaluate(
      `postMessage({ vezne: 'page', type: 'standing', step: 'paid', transaction_id: ${id} }, '*')`,
    )
    await page.evaluate(`frame.src = '${framed}/p/y'`)
    const stranger = await waitForFrame(page, `${framed}/p/y`)
    await stranger.evaluate(`say(${JSON.stringify(stateMessage('paid'))})`)
    await stranger.evaluate(`say({ type: 'leave', url: 'https://elsewhere.example/' })`)
    const nonsense = [
      { type: 'leave', url: 'javascript:document.title="taken"' },
      { type: 'standing', step: 'constructor', transaction_id: id },
      { type: 'standing', step: 'paid', transaction_id: 'x' },
      { type: 'size', height: 'calc(100vh * 9)' },
      { type: 'look', top: '0}*{display:none}', bottom: 1 },
      { type: 'size', height: 1e12 },
    ]
    for (const message of nonsense) await say(message)
    await isTrue(page, `document.querySelector('vezne-payment').offsetHeight === 4000`)
    await say(stateMessage('form'))
    await isTrue(page, 'heard.length > 0')
    assert.deepEqual(
      (await elementEvents()).map(([name]) => name),
      ['ready', 'change'],
    )
    assert.deepEqual(await stranger.evaluate('greetings'), [])
    // Another page in the same frame does not count as the payment page.
    await inside.evaluate(`location.href = '${elsewhere}/p/z'`)
    const guest = await waitForFrame(page, `${elsewhere}/p/z`)
    await guest.evaluate(`say(${JSON.stringify(stateMessage('paid'))})`)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))')
    assert.equal((await elementEvents()).length, 2)
    assert.deepEqual(await guest.evaluate('greetings'), [])
    assert.equal(await page.title(), 'Kahveci')
  })
})

/** Waits until the expression is true. The site's policy forbids Playwright's own waiting. */
async function isTrue(target: Page | Frame, expression: string): Promise<void> {
  await until(
    () => target.evaluate<boolean>(expression),
    () => `this does not become true: ${expression}`,
  )
}

async function waitForFrame(page: Page, url: string): Promise<Frame> {
  const found = () => page.frames().find((frame) => frame.url() === url)
  return found() ?? page.waitForEvent('framenavigated', (frame) => frame.url() === url)
}
