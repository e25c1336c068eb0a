import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { accessibilityViolations } from './accessibility.ts'
import { answerChallenge, bankFrame } from './bank.ts'
import type { WindowOptions } from './browser.ts'
import { closeBrowser, openContext } from './browser.ts'
import { agePayment } from './database.ts'
import { goToPayment, paymentPage, payWithCard } from './demo-shop.ts'
import { demoUrl, pageUrl } from './shop.ts'
import { goBack, refocusWindow } from './visit.ts'
import { ignoreShifts, watchWindow } from './watch.ts'

after(closeBrowser)

const asking = '5200000000002151'
const approved = '5200000000002235'
const declined = '4111111111111129'

const phone: WindowOptions = { width: 375, height: 740, touch: true }
const paid = { tr: 'Ödendi ve sunucuda kontrol edildi', en: 'Paid and checked on the server' }

/** Opens the demo shop in a new window. The test fails if the browser reports an unexpected error. */
async function openShop(t: TestContext, seat: WindowOptions, expected: RegExp[] = []): Promise<Page> {
  const context = await openContext(seat)
  const watched = await watchWindow(context, expected)
  t.after(async () => {
    const cookies = await context.cookies()
    await context.close()
    const wrong = (await watched()).wrong.filter((each) => !each.startsWith(`a cookie is set by ${demoUrl}/`))
    assert.deepEqual(wrong, [])
    // Only the shop sets a cookie, and no script can read it.
    const name = `demo-shop-${new URL(demoUrl).port}`
    const set = cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))
    assert.deepEqual(set, [{ name, httpOnly: true, sameSite: 'Lax' }])
  })
  const page = await context.newPage()
  await page.goto(demoUrl)
  return page
}

/** Requests that start the payment, as the feed shows them. */
const requests = {
  here: [
    ['browser', 'POST /orders'],
    ['browser', 'POST /v1/payment/3ds'],
  ],
  there: [
    ['browser', 'POST /checkout'],
    ['server', 'POST /v1/payment/3ds'],
  ],
} as const

/**
 * Asserts that the shop found the payment paid, and that the feed shows each step with the transaction and the
 * amount.
 */
async function assertPaid(page: Page, title: string, where: 'here' | 'there'): Promise<void> {
  await page.locator('#result h1', { hasText: title }).waitFor()
  assert.equal(await page.locator('.compared .sign[data-tone=good]').count(), 4)
  await page.locator('#told[data-tone=good]').waitFor()
  for (const [kind, text] of [
    ...requests[where],
    ['server', 'GET /v1/transaction/'],
    ['event', 'payment.succeeded'],
    ['webhook', 'payment.succeeded'],
  ] as const)
    await page.locator(`.entry[data-kind=${kind}]`, { hasText: text }).first().waitFor({ state: 'attached' })
  const [webhook = ''] = await page.locator('.entry[data-kind=webhook] summary').allTextContents()
  assert.match(webhook, /\d{14} · (₺839\.70|839,70\u00a0₺)/)
  assert.match(webhook, /signature valid|imza doğru/)
}

/** Asserts that the beginning of the result is on the screen. */
async function assertResultOnScreen(page: Page): Promise<void> {
  const [top, height] = (await page.evaluate(
    `[document.querySelector('#result h1').getBoundingClientRect().top, innerHeight]`,
  )) as [number, number]
  assert.ok(top >= 0 && top < height / 2, `the result is at ${top} of ${height} pixels`)
}

describe('the demo shop with the payment in a frame', () => {
  it('wide, in Turkish: the bank asks for a code, and the feed shows the sent webhook', async (t) => {
    const page = await openShop(t, { language: 'tr' })
    await goToPayment(page, 'here')
    const frame = await paymentPage(page)
    const id = await frame.locator('#copy-id').getAttribute('data-id')
    await payWithCard(frame, asking)
    await answerChallenge(await bankFrame(page))
    await assertPaid(page, paid.tr, 'here')
    const webhook = page.locator('.entry[data-kind=webhook]')
    await webhook.locator('summary').click()
    const sent = await webhook.locator('pre').innerText()
    assert.ok(sent.includes(`"transaction_id": ${id}`) && sent.includes('"amount": 83970'))
    assert.match(await page.locator('#live-said').innerText(), /payment\.succeeded, \d{14} · .*, imza doğru/)
    await page.locator('.entry[data-kind=event] summary').first().hover()
    assert.deepEqual(await accessibilityViolations(page), [])
    await page.click('#live-clear')
    assert.deepEqual([await page.locator('.entry').count(), await page.isVisible('#live-empty')], [0, true])
    await page.locator('#result button').click()
    await page.locator('#basket-empty').waitFor()
  })

  it('on a phone, in English: another card pays after a declined card', async (t) => {
    const page = await openShop(t, { language: 'en', ...phone })
    await goToPayment(page, 'here')
    const frame = await paymentPage(page)
    await payWithCard(frame, declined)
    await frame.locator('#notice[data-tone=danger]:not([hidden])').waitFor()
    // Not every browser keeps its place in a page that becomes shorter above it. WebKit does not.
    await page.evaluate(`document.documentElement.style.overflowAnchor = 'none'`)
    await payWithCard(frame, approved)
    await assertPaid(page, paid.en, 'here')
    await assertResultOnScreen(page)
    await page.click('#live-toggle')
    await page.locator('.entry[data-kind=webhook]').first().waitFor()
  })

  it('on a phone, in Turkish: the loss and the return of the connection are shown, and an unpaid payment expires', async (t) => {
    const page = await openShop(t, { language: 'tr', ...phone }, [/ERR_INTERNET|ERR_FAILED/])
    await goToPayment(page, 'here')
    const frame = await paymentPage(page)
    // The notice pushes the form down, because the payer is not typing.
    await ignoreShifts(page)
    const notice = frame.locator('#notice:not([hidden])')
    await frame.locator('#number').waitFor()
    await page.context().setOffline(true)
    await notice.filter({ hasText: /bağlantı/i }).waitFor()
    await page.context().setOffline(false)
    await notice.waitFor({ state: 'hidden' })
    await payWithCard(frame, declined)
    await notice.waitFor()
    await agePayment(Number(await frame.locator('#copy-id').getAttribute('data-id')), 31)
    await refocusWindow(frame)
    await page.locator('#result h1', { hasText: 'süresi doldu' }).waitFor()
    await page
      .locator('.entry[data-kind=element]', { hasText: 'expired' })
      .first()
      .waitFor({ state: 'attached' })
  })

  it('a manipulated amount is paid, and the server notices', async (t) => {
    const page = await openShop(t, { language: 'en' })
    await page.click('.good[data-good=cezve] .more')
    await page.check('#cheat')
    await page.click('#pay-here')
    await payWithCard(await paymentPage(page), approved)
    await page.locator('#result h1', { hasText: 'This payment is not for this order' }).waitFor()
    await page.locator('.compared tr', { hasText: '₺689.00' }).locator('.sign[data-tone=bad]').waitFor()
  })
})

describe('the demo shop with the payment page in the whole window', () => {
  for (const { language, name, seat } of [
    { language: 'tr', name: 'on a phone, in Turkish', seat: phone },
    { language: 'en', name: 'wide, in English', seat: {} },
  ] as const) {
    it(`${name}: one press leads there, the payer returns, and the server checks the payment`, async (t) => {
      // The page after the return must have the chosen language, not the browser's.
      const page = await openShop(t, { language: language === 'tr' ? 'en' : 'tr', ...seat })
      await page.click(`#languages [hreflang=${language}]`)
      await goToPayment(page, 'there')
      await page.waitForURL(`${pageUrl}/p/**`)
      await payWithCard(page.mainFrame(), approved)
      await page.waitForURL(`${demoUrl}/thanks?**`)
      await assertPaid(page, paid[language], 'there')
    })
  }

  it('a payer who goes back can pay again, here or there', async (t) => {
    const page = await openShop(t, { language: 'en' })
    await goToPayment(page, 'there')
    await page.waitForURL(`${pageUrl}/p/**`)
    await goBack(page)
    await page.click('#pay-there')
    await page.waitForURL(`${pageUrl}/p/**`)
    await goBack(page)
    await page.click('#pay-here')
    await paymentPage(page)
  })
})

describe('two visitors', () => {
  it('each see only their own payments', async (t) => {
    const page = await openShop(t, { language: 'en' })
    const other = await openShop(t, { language: 'en' })
    await other.locator('#live[data-open]').waitFor()
    await goToPayment(page, 'here')
    const frame = await paymentPage(page)
    const id = await frame.locator('#copy-id').getAttribute('data-id')
    await payWithCard(frame, approved)
    await assertPaid(page, paid.en, 'here')
    await other.goto(`${demoUrl}/thanks?transaction_id=${id}`)
    await other.locator('#result h1', { hasText: 'This payment is not for this order' }).waitFor()
    await other.locator('#live[data-open]').waitFor()
    assert.equal(await other.locator('.entry').count(), 0)
  })
})

describe('without a script', () => {
  it('the shop shows what it sells, says what is missing, and offers nothing that does not work', async (t) => {
    const page = await openShop(t, { language: 'en', script: false })
    await page.locator('.notice', { hasText: 'need JavaScript' }).waitFor()
    assert.equal(await page.locator('.good .price:visible').count(), 4)
    assert.equal(await page.locator('button:visible:enabled, input:visible').count(), 0)
    assert.equal(await page.locator('.stepper:visible, #basket:visible, #live:visible').count(), 0)
    await page.locator('.copy code', { hasText: '5200 0000 0000 2235' }).waitFor()
  })
})
