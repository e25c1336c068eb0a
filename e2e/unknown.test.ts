import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { agePayment, untilBankAnswered } from './database.ts'
import { payer } from './payer.ts'
import { makeShop } from './shop.ts'

const lost = '4190000000000101'
const lostUndone = '4190000000000119'

describe('while the outcome is unknown', { concurrency: 2 }, () => {
  it('the page says so and offers no second payment, and later shows the approval', async (t) => {
    const { id, page, pay, sees, attempts } = await payer(t, { language: 'en' })
    await pay(lost)
    await sees('asking')
    await page.getByRole('heading', { name: 'Waiting for your bank’s approval' }).waitFor()
    assert.equal(await page.locator('#pay').isVisible(), false)
    await page.reload()
    await sees('asking')
    assert.equal(await page.locator('#pay').isVisible(), false)
    await untilBankAnswered(id)
    await agePayment(id, 2)
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('the page later shows that nothing was charged, and another card pays', async (t) => {
    const shop = await makeShop('--name', 'Sabırlı Mağaza', '--page-lifetime-minutes', '1440')
    const { id, page, pay, sees, seesNotice, attempts } = await payer(t, { shop })
    await pay(lostUndone)
    await sees('asking')
    await untilBankAnswered(id)
    await agePayment(id, 61)
    await sees('form')
    await seesNotice(/4 deneme hakkınız kaldı/)
    assert.equal(await page.locator('#pay').isVisible(), true)
    await pay('5200000000002235')
    await sees('paid')
    assert.deepEqual(await attempts(), ['reversed', 'approved'])
  })

  it('two windows both show the final outcome', async (t) => {
    const { id, url, context, pay, sees } = await payer(t)
    await pay(lost)
    await sees('asking')
    const second = await context.newPage()
    await second.goto(url)
    await sees('asking', second)
    await untilBankAnswered(id)
    await agePayment(id, 2)
    await sees('paid')
    await sees('paid', second)
  })
})
