import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agePayment } from './database.ts'
import { payer } from './payer.ts'
import { until } from './until.ts'
import { refocusWindow } from './visit.ts'

describe('the expiry of a payment page', { concurrency: 2 }, () => {
  it('is not mentioned before the last five minutes, then the remaining time is shown', async (t) => {
    const { id, page } = await payer(t)
    const left = page.locator('#time-left')
    assert.equal(await left.isVisible(), false)
    await agePayment(id, 26)
    await refocusWindow(page)
    await left.waitFor()
    const first = await left.innerText()
    assert.match(first, /süresinin dolmasına (3:\d\d|4:00) kaldı/)
    assert.match(await page.locator('#time-said').innerText(), /dakika kaldı/)
    await left.filter({ hasNotText: first }).waitFor()
    await page.locator('#pay').scrollIntoViewIfNeeded()
    assert.ok(((await left.boundingBox())?.y ?? -1) >= 0, 'it stays in sight')
  })

  it('is shown without a reload, with what to do next', async (t) => {
    const { id, page, sees, result } = await payer(t, { language: 'en' })
    await agePayment(id, 29.9)
    await refocusWindow(page)
    await sees('expired')
    await page.getByRole('heading', { name: 'This payment page has expired' }).waitFor()
    assert.equal(await page.locator('#pay').isVisible(), false)
    assert.equal(await page.locator('#time-said').textContent(), '')
    // The page expires by its clock; the merchant sees it when the due payment is processed.
    await until(
      async () => (await result()).transaction_status_text !== 'pending',
      () => 'the expired payment is not processed',
    )
    assert.equal((await result()).transaction_status_text, 'expired')
  })

  it('offers the way back to the shop, with only the transaction id in the address', async (t) => {
    const visit = await payer(t, { form: { redirect_url: 'http://shop.example/cart' } })
    const { id, page, sees } = visit
    await page.route('http://shop.example/**', (route) => route.fulfill({ body: 'The cart' }))
    await agePayment(id, 31)
    await page.reload()
    await sees('expired')
    await page.click('#return')
    await page.waitForURL(`http://shop.example/cart?transaction_id=${id}`)
  })

  it('refuses a card that is sent afterwards', async (t) => {
    const { id, page, type, sees, attempts } = await payer(t)
    await type('5200000000002235')
    await agePayment(id, 31)
    await page.click('#pay')
    await sees('expired')
    assert.deepEqual(await attempts(), [])
  })

  it('during the bank’s step charges nothing', async (t) => {
    const { id, pay, bank, sees, result } = await payer(t)
    await pay('5200000000002151')
    await bank()
    await agePayment(id, 31)
    await sees('expired')
    assert.equal((await result()).transaction_status_text, 'expired')
  })

  it('an unknown address explains in the browser’s language what to do', async (t) => {
    const { page, url } = await payer(t, { language: 'en', expected: /status of 404/ })
    await page.goto(`${url.slice(0, -3)}AAA`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})
