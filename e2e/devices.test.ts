import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { horizontalOverflow } from './accessibility.ts'
import { payer } from './payer.ts'

const phone = { width: 375, height: 667, touch: true }
const asking = '5200000000002151'

describe('on a phone', { concurrency: 2 }, () => {
  it('the form is visible immediately, and the order opens and closes by touch', async (t) => {
    const products = JSON.stringify([
      { product_name: 'Türk kahvesi, 250 g', price: 8_500, description: 'Taze kavrulmuş' },
      { product_name: 'Kargo', price: 1_500 },
    ])
    const { page } = await payer(t, { ...phone, form: { products } })
    const box = await page.locator('#form').boundingBox()
    assert.ok(box && box.y < 300, `the form begins at ${box?.y}`)
    assert.equal(await page.locator('#order-details').isVisible(), false)
    assert.match(await page.locator('#total-folded').innerText(), /100,00/)
    await page.tap('#order-toggle')
    await page.getByText('Türk kahvesi, 250 g').waitFor()
    assert.equal(await page.locator('#order-toggle').getAttribute('aria-expanded'), 'true')
    await page.tap('#order-toggle')
    await page.locator('#order-details').waitFor({ state: 'hidden' })
  })

  it('the bank’s step fills the screen, and the page never scrolls sideways', async (t) => {
    const { page, type, bank, answers, sees } = await payer(t, phone)
    await type(asking)
    await page.tap('#pay')
    await bank()
    const sheet = await page.locator('#bank-part').boundingBox()
    assert.ok(sheet && sheet.width >= 375 && sheet.height >= 660, JSON.stringify(sheet))
    assert.equal(await horizontalOverflow(page), '')
    await answers()
    await sees('paid')
    assert.equal(await horizontalOverflow(page), '')
  })

  for (const way of ['portrait', 'landscape'] as const)
    it(`the typed data stays when the phone is turned: from ${way}`, async (t) => {
      const { page, type } = await payer(
        t,
        way === 'portrait' ? phone : { ...phone, width: 667, height: 375 },
      )
      await type(asking)
      await page.setViewportSize(
        way === 'portrait' ? { width: 667, height: 375 } : { width: 375, height: 667 },
      )
      assert.equal(await page.locator('#number').inputValue(), '5200 0000 0000 2151')
      assert.equal(await horizontalOverflow(page), '')
    })
})

describe('the bank’s sheet', { concurrency: 2 }, () => {
  for (const [width, height, code, size] of [
    [1280, 800, '03', '500 600'],
    [1366, 640, '04', '600 400'],
    [640, 450, '05', undefined],
    [375, 812, '05', undefined],
    [375, 667, '05', undefined],
    [320, 568, '05', undefined],
  ] as const)
    it(`is filled by the bank’s page, which knows its size and shows its field: ${width} by ${height}`, async (t) => {
      const { page, pay, bank } = await payer(t, { width, height, touch: width < 640 })
      const challenge = page.waitForRequest((request) => request.postData()?.startsWith('creq=') ?? false)
      await pay(asking)
      const creq = new URLSearchParams((await challenge).postData() ?? '').get('creq') ?? ''
      const message = JSON.parse(Buffer.from(creq, 'base64url').toString())
      assert.equal(message.challengeWindowSize, code)
      const frame = await bank()
      const sheet = await page.locator('#bank-part').boundingBox()
      const challengeFrame = await (await frame.frameElement()).boundingBox()
      const field = await frame.locator('input[type=text], input:not([type])').boundingBox()
      assert.ok(sheet && challengeFrame && field)
      assert.equal(challengeFrame.width, sheet.width)
      if (size !== undefined) assert.equal(`${challengeFrame.width} ${challengeFrame.height}`, size)
      const end = challengeFrame.y + challengeFrame.height
      assert.ok(sheet.y + sheet.height - end <= 90, 'below the bank’s page are only our two lines')
      assert.ok(field.y >= challengeFrame.y && field.y + field.height <= Math.min(end, height), `${field.y}`)
    })
})

describe('in the payer’s language', { concurrency: 2 }, () => {
  for (const number of [asking, '5451030000000109'])
    it(`the chosen language stays during and after the bank’s step: ${number}`, async (t) => {
      const { page, pay, bank, answers, seesNotice, sees, url } = await payer(t)
      await page.getByRole('link', { name: 'English' }).click()
      await page.getByRole('button', { name: 'Pay ₺100.00' }).waitFor()
      assert.equal(new URL(page.url()).pathname, new URL(url).pathname)
      assert.equal(await page.locator('html').getAttribute('lang'), 'en')
      await pay(number)
      assert.equal(await (await bank()).locator('html').getAttribute('lang'), 'en')
      await answers('cancel')
      await seesNotice(/Attempts left: 4/)
      await pay(number)
      await answers()
      await sees('paid')
      await page.getByRole('heading', { name: 'Your payment is complete' }).waitFor()
      await page.goto(url)
      await page.getByRole('heading', { name: 'Your payment is complete' }).waitFor()
    })

  it('switching the language keeps the typed data except the card', async (t) => {
    const { page, type, seesNotice } = await payer(t)
    await type(asking)
    const typed = (ids: string[]) => Promise.all(ids.map((id) => page.locator(`#${id}`).inputValue()))
    const payerFields = ['name', 'lastname', 'email', 'country', 'phone']
    const before = await typed(payerFields)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Pay ₺100.00' }).waitFor()
    await seesNotice(/Please enter your card again/)
    assert.deepEqual(await typed(payerFields), before)
    assert.deepEqual(await typed(['number', 'expiry', 'cvc', 'holder']), ['', '', '', ''])
    await page.getByRole('link', { name: 'Türkçe' }).click()
    await page.getByRole('button', { name: '100,00 ₺ öde' }).waitFor()
    assert.equal(await page.locator('#notice').isVisible(), false)
  })
})
