import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { after, before, describe, it } from 'node:test'
import type { Frame, Page, Route } from 'playwright-core'
import { agePayment } from './database.ts'
import type { FramingShop, PageMessage } from './framing.ts'
import { framingShop, pageMessagesTo } from './framing.ts'
import { payer } from './payer.ts'
import { pageUrl } from './shop.ts'
import { until } from './until.ts'
import type { PayerVisit, VisitOptions } from './visit.ts'
import { refocusWindow } from './visit.ts'
import { ignoreShifts } from './watch.ts'

/** Cards with a challenge: in our own 3-D Secure, and on the bank's own page. */
const asking = '5200000000002151'
const askingThere = '5451030000000109'

let framing: FramingShop
let close: () => void
before(async () => {
  framing = await framingShop({
    after: (call) => {
      close = call
    },
  })
})
after(() => close())

interface Framed extends PayerVisit {
  /** Payment page in its frame. */
  frame: Frame
  /** Types a card into the framed page and presses the button. */
  pays(number: string): Promise<void>
  /** Waits for this notice above the form of the framed page. */
  seesFrameNotice(words: RegExp): Promise<void>
  ends(view: 'paid' | 'expired'): Promise<void>
}

async function framed(t: TestContext, options: VisitOptions = {}, more = {}): Promise<Framed> {
  const visit = await payer(t, { ...options, shop: framing.shop })
  const frame = await framing.open(visit.page, visit.url, more)
  const { type, seesNotice, sees } = visit
  return {
    ...visit,
    frame,
    pays: async (number) => {
      await type(number, {}, frame)
      await frame.click('#pay')
    },
    seesFrameNotice: (words) => seesNotice(words, frame),
    ends: (view) => sees(view, frame),
  }
}

const stepsIn = (messages: readonly PageMessage[]) => messages.flatMap(({ step }) => step ?? [])

/** Guarantee: the framing page gets the agreed messages only, and no data of card, payer or order. */
function assertDiscreet(messages: readonly PageMessage[], id: number): void {
  const names = new Set(messages.flatMap((each) => Object.keys(each)))
  for (const name of ['vezne', 'type', 'step', 'transaction_id', 'height', 'top', 'bottom', 'url'])
    names.delete(name)
  assert.deepEqual([...names], [])
  const text = JSON.stringify(messages).replaceAll(String(id), '')
  assert.doesNotMatch(text, /\d{6}|5200|5451|Işık|Öztürk|example\.com"|TRY|₺/)
}

/**
 * Waits until the frame is as tall as the page, which then has nothing to scroll and requests no other size.
 */
async function assertFits(page: Page, frame: Frame): Promise<void> {
  let last: unknown
  const fits = async () => {
    const count = (await pageMessagesTo(page)).length
    await frame.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    const heights = await frame.evaluate<number[]>(
      '[innerHeight, Math.ceil(document.body.getBoundingClientRect().height), document.documentElement.scrollHeight]',
    )
    const askedFor = (await pageMessagesTo(page)).length - count
    last = { heights, askedFor }
    return new Set(heights).size === 1 && askedFor === 0
  }
  await until(fits, () => `the frame does not come to fit: ${JSON.stringify(last)}`)
}

/**
 * Sends forged messages: to the page, messages that only its bridge may send; to the bridge, messages that
 * only our page may send.
 */
async function forge(page: Page, frame: Frame): Promise<void> {
  const words = [
    { vezne: 'return' },
    { vezne: 'bridge', step: 'over' },
    { vezne: 'bridge', step: 'room', name: '_top' },
  ]
  const messages = JSON.stringify(words)
  // Senders: the shop's page, another window of our origin, and the right window with another origin.
  await page.evaluate(`for (const word of ${messages}) {
    const ours = document.querySelector('iframe').contentWindow
    for (const each of [ours, ours.frames[0]]) each.postMessage(word, '*')
  }`)
  await frame.evaluate(`for (const word of ${messages}) {
    for (const each of [window, frames[0]]) each.postMessage(word, '*')
    const origin = 'https://other.example'
    for (const [each, source] of [[window, frames[0]], [frames[0], frames[0].frames[0]]])
      each.dispatchEvent(new each.MessageEvent('message', { source, origin, data: word }))
  }`)
}

/**
 * Asserts that the bank's frame cannot navigate the payer's window and has an unguessable name. Returns the
 * name.
 */
async function roomOf(bank: Frame): Promise<string> {
  const room = await bank.frameElement()
  assert.doesNotMatch((await room.getAttribute('sandbox')) ?? 'allow-top-navigation', /allow-top-navigation/)
  const name = (await room.getAttribute('name')) ?? ''
  assert.match(name, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  return name
}

describe('the payment page in a frame of the shop’s page', { concurrency: 2 }, () => {
  it('pays by our own 3-D Secure under the strictest policy, reports its steps to the shop, and navigates the shop’s window back', async (t) => {
    const redirect = { redirect_url: 'http://shop.example/thanks' }
    const { page, frame, pays, bank, answers, ends, id } = await framed(t, { form: redirect })
    await page.route('http://shop.example/**', (route) => route.fulfill({ body: 'Thanks' }))
    assert.equal(
      await page.evaluate('document.activeElement.localName'),
      'textarea',
      'the focus is not taken',
    )
    await assertFits(page, frame)
    await pays(asking)
    await bank()
    await assertFits(page, frame)
    const { y = -1, height = 0 } = (await frame.locator('#bank-part').boundingBox()) ?? {}
    assert.ok(y >= 0 && height > 600 && height <= 768, `the sheet is in sight: ${y} ${height}`)
    await answers('right')
    await ends('paid')
    await assertFits(page, frame)
    assert.equal(await frame.locator('#return').getAttribute('target'), '_top')
    const messages = await pageMessagesTo(page)
    assert.deepEqual(
      stepsIn(messages).filter((step) => step !== 'asking'),
      ['form', 'bank', 'paid'],
    )
    for (const each of messages) if (each.step) assert.equal(each.transaction_id, id)
    assertDiscreet(messages, id)
    await page.waitForURL(`http://shop.example/thanks?transaction_id=${id}`)
  })

  it('shows the bank’s own page in the sheet, and a payer who leaves it or cancels there can try again', async (t) => {
    const { page, frame, pays, bank, answers, seesFrameNotice, ends, id, attempts } = await framed(t, {
      width: 375,
    })
    await pays(askingThere)
    const first = await bank()
    assert.equal(first.parentFrame()?.parentFrame(), frame)
    const name = await roomOf(first)
    await page.waitForTimeout(300)
    await forge(page, frame)
    // A forged message that was believed would show at the next status request.
    const statusResponse = page.waitForResponse(/\/status$/)
    await refocusWindow(frame)
    await (await statusResponse).finished()
    await page.waitForTimeout(100)
    assert.ok(!first.isDetached(), 'the bank’s page stays')
    await frame.click('#other-card')
    await seesFrameNotice(/henüz tamamlanmadı/)
    await pays(askingThere)
    assert.notEqual(await roomOf(await bank()), name)
    await answers('cancel')
    await seesFrameNotice(/3 deneme hakkınız kaldı/)
    assert.ok(((await frame.locator('#notice').boundingBox())?.y ?? -1) >= 0, 'the notice is in sight')
    await assertFits(page, frame)
    await pays(askingThere)
    await answers('right')
    await ends('paid')
    const messages = await pageMessagesTo(page)
    assert.equal(stepsIn(messages).join(' ').replace(' asking', ''), 'form bank form bank form bank paid')
    assertDiscreet(messages, id)
    assert.deepEqual(await attempts(), ['abandoned', 'declined', 'approved'])
  })

  for (const [which, frames] of [
    ['the frame for the bank’s page', 'frames[0].frames[0]'],
    ['the card posting frame', 'frames[1]'],
  ] as const)
    it(`sends the card to nobody if the shop navigates ${which} elsewhere`, async (t) => {
      const { page, frame, pays, url } = await framed(t)
      await ignoreShifts(page)
      const posted: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && !request.url().startsWith(pageUrl)) posted.push(request.url())
      })
      const asked = Promise.withResolvers<Route>()
      await page.route('**/carrier/*', (route) => asked.resolve(route))
      await pays(askingThere)
      const carrier = await asked.promise
      const elsewhere = `${url}/bank?elsewhere`
      const isThere = page.waitForEvent('framenavigated', (each) => each.url() === elsewhere)
      const inside = `document.querySelector('iframe').contentWindow.${frames}`
      await page.evaluate(`${inside}.location = '${elsewhere}'`)
      await isThere
      await carrier.continue().catch(() => undefined)
      await frame.locator('#bank-part').waitFor({ state: 'hidden' })
      assert.deepEqual(posted, [])
    })

  it('is as tall as its content at every width and after every change', async (t) => {
    const { page, frame, type } = await framed(t, { form: { amount: '125000' }, width: 1000 })
    await ignoreShifts(page)
    for (const width of [320, 375, 600, 900]) {
      await page.evaluate(`document.querySelector('iframe').width = ${width}`)
      await assertFits(page, frame)
    }
    await frame.click('#pay')
    await frame.click('#cvc-where')
    await assertFits(page, frame)
    await type('5400360000000003', {}, frame)
    await frame.locator('#plans[data-state=offered]').waitFor()
    await assertFits(page, frame)
  })

  it('shows the loss and the return of the connection without moving the field in use, and shows the expiry', async (t) => {
    const { id, page, context, frame, seesFrameNotice, ends } = await framed(t, {
      expected: /ERR_INTERNET|ERR_FAILED/,
    })
    // Browsers count some scrolled content as a shift, so the position of the field is checked here.
    await ignoreShifts(page)
    await frame.click('#number')
    const top = async () => (await frame.locator('#number').boundingBox())?.y
    const before = await top()
    await context.setOffline(true)
    await seesFrameNotice(/bağlantı/i)
    assert.equal(await top(), before)
    await context.setOffline(false)
    await frame.locator('#notice').waitFor({ state: 'hidden' })
    assert.equal(await top(), before)
    await agePayment(id, 31)
    await refocusWindow(frame)
    await ends('expired')
    assert.deepEqual(stepsIn(await pageMessagesTo(page)), ['form', 'expired'])
  })

  it('sends no message to an origin that is not on its list', async (t) => {
    // Equivalent of `interceptionShift` of watch.ts for the page itself, because its response is changed on
    // the way.
    const unstyled = /:token shifts by [\d.]+: body \(7 16 /
    const { page, url } = await payer(t, { shop: framing.shop, expected: unstyled })
    await ignoreShifts(page)
    await page.route(`${url}*`, async (route) => {
      const response = await route.fetch()
      const others = 'data-framers="https://other.example"'
      await route.fulfill({
        response,
        body: (await response.text()).replace(/data-framers="[^"]*"/, others),
      })
    })
    await page.goto(`${framing.origin}/?${new URLSearchParams({ frame: url })}`)
    const frame = await (await page.waitForSelector('iframe')).contentFrame()
    await frame?.locator('body[data-framed=alone]').waitFor()
    assert.deepEqual(await pageMessagesTo(page), [{ vezne: 'page', type: 'here' }])
  })

  it('sends no message to another window than its parent, and none after a wrong greeting', async (t) => {
    const { page, frame } = await framed(t, {}, { deaf: '1' })
    // Other windows that know the frame: one with the shop's origin, one with another origin.
    for (const origin of [framing.origin, framing.origin.replace('127.0.0.1', 'localhost')]) {
      const opened = page.waitForEvent('popup')
      await page.evaluate(`void window.open(${JSON.stringify(origin)})`)
      const other = await opened
      await other.waitForLoadState()
      await other.evaluate(
        `opener.frames[0].postMessage({ vezne: 'element', type: 'greet', version: 1 }, '*')`,
      )
      await other.close()
    }
    const greet = (words: string) =>
      page.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${words}, '*')`)
    for (const words of [
      `{ vezne: 'element', type: 'greet', version: 2 }`,
      `{ vezne: 'page', type: 'greet', version: 1 }`,
      `'greet'`,
      'null',
    ])
      await greet(words)
    await frame.evaluate('new Promise((resolve) => setTimeout(resolve))')
    assert.deepEqual(await pageMessagesTo(page), [{ vezne: 'page', type: 'here' }])
    // The frame becomes as tall as the page, and the scroll bar disappears without a shift.
    await greet(`{ vezne: 'element', type: 'greet', version: 1 }`)
    // The shop's policy forbids Playwright's own waiting.
    await until(
      async () => (await pageMessagesTo(page)).length > 2,
      () => 'the page sends no message to who greets it',
    )
    assert.deepEqual(
      (await pageMessagesTo(page)).map(({ type }) => type),
      ['here', 'standing', 'size'],
    )
  })
})
