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
const paid = { tr: 'Ödendi ve sunucuda kontrol edildi', en: 'Paid and checked on the server' }

/** Opens the demo shop in a new window. The test fails if the browser reports an unexpected error. */
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

/**
 * Unfolds webhooks of the feed until one has this text, and returns it. The feed shows all payments of the
 * demo merchant.
 */
async function unfoldWebhook(page: Page, text: string): Promise<string> {
  const webhooks = page.locator('.entry[data-kind=webhook]')
  const found = webhooks.locator('pre', { hasText: text })
  while ((await found.count()) === 0) await webhooks.locator('details:not([open]) summary').first().click()
  return found.first().innerText()
}

describe('the demo shop with the payment in a frame', () => {
  it('wide, in Turkish: the bank asks for a code, and the feed shows the sent webhook', async (t) => {
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
    // Marked as old, because entries of other tests may follow.
    await page.evaluate(`document.querySelectorAll('.entry').forEach((each) => each.classList.add('old'))`)
    await page.click('#live-clear')
    assert.equal(await page.locator('.entry.old').count(), 0)
    await page.locator('#result button').click()
    await page.locator('#basket-empty').waitFor()
  })

  it('on a phone, in English: another card pays after a declined card', async (t) => {
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

  it('on a phone, in Turkish: the loss and the return of the connection are shown, and an unpaid payment expires', async (t) => {
    const page = await openShop(t, { language: 'tr', ...phone }, [/ERR_INTERNET|ERR_FAILED/])
    await goToPayment(page, 'frame')
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
    await page.click('#go')
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
    it(`${name}: the payer returns, and the server checks the payment`, async (t) => {
      // The page after the return must have the chosen language, not the browser's.
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
