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
import { refocusWindow } from './visit.ts'
import { ignoreShifts, watchWindow } from './watch.ts'

after(closeBrowser)

const asking = '5200000000002151'
const approved = '5200000000002235'
const declined = '4111111111111129'

const phone: WindowOptions = { width: 375, height: 740, touch: true }
const paid = { tr: 'Ödendi, sunucuda denetlendi', en: 'Paid, and checked on the server' }

/** The demo shop in a window that has never been anywhere. The browser may have nothing to complain about. */
async function openShop(t: TestContext, seat: WindowOptions, expected: RegExp[] = []): Promise<Page> {
  const context = await openContext(seat)
  const watched = await watchWindow(context, expected)
  t.after(async () => {
    const cookies = await context.cookies()
    await context.close()
    assert.deepEqual([(await watched()).wrong, cookies], [[], []])
  })
  const page = await context.newPage()
  await page.goto(demoUrl)
  return page
}

/** Asserts that the shop found the payment paid, and that the feed shows each step. */
async function assertPaid(page: Page, title: string): Promise<void> {
  await page.locator('#result h1', { hasText: title }).waitFor()
  assert.equal(await page.locator('.compared .sign[data-tone=good]').count(), 4)
  await page.locator('#told[data-tone=good]').waitFor()
  for (const [kind, text] of [
    ['browser', 'POST /orders'],
    ['browser', 'POST /v1/payment/3ds'],
    ['server', 'GET /v1/transaction/'],
    ['event', 'payment.succeeded'],
    ['webhook', 'payment.succeeded'],
  ] as const)
    await page.locator(`.entry[data-kind=${kind}]`, { hasText: text }).first().waitFor({ state: 'attached' })
}

/** The feed shows the webhooks of every payment of the demo merchant: unfolds them until one has this text, and answers it. */
async function unfoldWebhook(page: Page, text: string): Promise<string> {
  const webhooks = page.locator('.entry[data-kind=webhook]')
  const found = webhooks.locator('pre', { hasText: text })
  while ((await found.count()) === 0) await webhooks.locator('details:not([open]) summary').first().click()
  return found.first().innerText()
}

describe('in a frame', () => {
  it('wide, in Turkish: the bank asks for a code, and the feed unfolds to what was sent', async (t) => {
    const page = await openShop(t, { language: 'tr' })
    await goToPayment(page, 'frame')
    const frame = await paymentPage(page)
    const id = await frame.locator('#copy-id').getAttribute('data-id')
    await payWithCard(frame, asking)
    await answerChallenge(await bankFrame(page))
    await assertPaid(page, paid.tr)
    const sent = await unfoldWebhook(page, `"transaction_id": ${id}`)
    assert.match(sent, /"amount": 83970/)
    await page.locator('.entry[data-kind=event] summary').first().hover()
    assert.deepEqual(await accessibilityViolations(page), [])
    // Entries of other tests may come right after it.
    await page.evaluate(`document.querySelectorAll('.entry').forEach((each) => each.classList.add('old'))`)
    await page.click('#live-clear')
    assert.equal(await page.locator('.entry.old').count(), 0)
    await page.locator('#result button').click()
    await page.locator('#basket-empty').waitFor()
  })

  it('on a phone, in English: a declined card can be followed by another', async (t) => {
    const page = await openShop(t, { language: 'en', ...phone })
    await goToPayment(page, 'frame')
    const frame = await paymentPage(page)
    await payWithCard(frame, declined)
    await frame.locator('#notice[data-tone=danger]:not([hidden])').waitFor()
    await payWithCard(frame, approved)
    await assertPaid(page, paid.en)
    await page.click('#live-toggle')
    await page.locator('.entry[data-kind=webhook]').first().waitFor()
  })

  it('on a phone, in Turkish: a lost line is announced and comes back, and what is not paid in time is not paid', async (t) => {
    const page = await openShop(t, { language: 'tr', ...phone }, [/ERR_INTERNET|ERR_FAILED/])
    await goToPayment(page, 'frame')
    const frame = await paymentPage(page)
    // What is said of the line pushes the form down, in a page where nobody is typing.
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

  it('a browser that says another amount pays, and the server notices', async (t) => {
    const page = await openShop(t, { language: 'en' })
    await page.click('.good[data-good=cezve] .more')
    await page.check('#cheat')
    await page.click('#go')
    await payWithCard(await paymentPage(page), approved)
    await page.locator('#result h1', { hasText: 'Not the payment of this order' }).waitFor()
    await page.locator('.compared tr', { hasText: '₺689.00' }).locator('.sign[data-tone=bad]').waitFor()
  })
})

describe('on the payment page', () => {
  for (const { language, name, seat } of [
    { language: 'tr', name: 'on a phone, in Turkish', seat: phone },
    { language: 'en', name: 'wide, in English', seat: {} },
  ] as const) {
    it(`${name}: the payer comes back, and the server checks`, async (t) => {
      // The language that was chosen, and not the browser's own, is that of the page that they come back to.
      const page = await openShop(t, { language: language === 'tr' ? 'en' : 'tr', ...seat })
      await page.click(`#languages [hreflang=${language}]`)
      await goToPayment(page, 'redirect')
      await page.locator('#pay button').click()
      await page.waitForURL(`${pageUrl}/p/**`)
      await payWithCard(page.mainFrame(), approved)
      await page.waitForURL(`${demoUrl}/thanks?**`)
      await assertPaid(page, paid[language])
    })
  }
})
