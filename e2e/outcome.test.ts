import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { payer } from './payer.ts'
import { makeCustomer } from './shop.ts'
import { until } from './until.ts'
import { goBack, stopTime } from './visit.ts'
import { interceptionShift } from './watch.ts'

/** Longer than the page shows a receipt before it returns the payer to the shop. */
const leavesAfterMs = 3_500

describe('the outcome on the payment page', { concurrency: 2 }, () => {
  it('after a decline another card can pay on the same page', async (t) => {
    const { pay, page, seesNotice, sees, result } = await payer(t, { language: 'en' })
    await pay('4111111111111129')
    await seesNotice(/not have enough balance or limit.*Attempts left: 4/)
    await page.locator('#number:focus').waitFor()
    assert.equal(await page.locator('#number-fault').innerText(), 'Not enough balance. Enter another card.')
    for (const id of ['number', 'expiry', 'cvc'])
      assert.equal(await page.locator(`#${id}`).inputValue(), '', 'the card cannot pay')
    assert.notEqual(await page.locator('#holder').inputValue(), '')
    await pay('5200000000002235')
    await sees('paid')
    assert.equal((await result()).payment_status_text, 'success')
  })

  it('a wrong security code is shown above the form and beside the field, both visible', async (t) => {
    const person = { name: 'Ada', lastname: 'Ay', email: 'ada@example.com', phone: '+905321112233' }
    const form = { customer_id: String((await makeCustomer(person)).id) }
    const { pay, seesNotice, page } = await payer(t, { width: 375, touch: true, form })
    await pay('4124111111111116')
    await seesNotice(/Güvenlik kodu \(CVC\) hatalı.*4 deneme/)
    await page.locator('#cvc:focus').waitFor()
    assert.equal(await page.locator('#cvc-fault').innerText(), 'Bankanız bu kodu kabul etmedi.')
    for (const id of ['notice', 'cvc-fault']) {
      const { y, height } = (await page.locator(`#${id}`).boundingBox()) ?? { y: -1, height: 0 }
      assert.ok(y >= 0 && y + height <= 800, id)
    }
  })

  it('a decline that would help a thief shows the general text', async (t) => {
    const { pay, seesNotice } = await payer(t)
    await pay('4126111111111114')
    await seesNotice(/Bankanız bu kartla ödemeyi onaylamadı/)
  })

  it('after five attempts the payment fails, and the page offers the way back', async (t) => {
    const { pay, seesNotice, sees, page, result, id } = await payer(t, {
      form: { redirect_url: 'http://localhost:9/shop' },
    })
    for (const left of [4, 3, 2, 1]) {
      await pay('4129111111111111')
      await seesNotice(new RegExp(`${left} deneme hakkınız kaldı`))
    }
    await pay('4129111111111111')
    await sees('failed')
    const back = await page.locator('#return').getAttribute('href')
    assert.equal(back, `http://localhost:9/shop?transaction_id=${id}`)
    assert.equal((await result()).payment_status_text, 'failed')
  })

  it('a payer who has paid returns to the shop, and going back does not show the page again', async (t) => {
    const { pay, page, id } = await payer(t, {
      form: { redirect_url: 'http://shop.example/thanks' },
      expected: interceptionShift,
    })
    await page.route('http://shop.example/**', (route) => route.fulfill({ body: 'Thank you' }))
    await pay('5200000000002235')
    await page.waitForURL(`http://shop.example/thanks?transaction_id=${id}`)
    await goBack(page)
    assert.ok(!page.url().includes('/p/'), page.url())
  })

  for (const [how, use] of [
    ['uses the receipt', (page: Page) => page.click('#copy-id')],
    ['presses a key', (page: Page) => page.keyboard.press('Tab')],
    [
      'presses a key after a click beside it',
      async (page: Page) => {
        await page.mouse.click(5, 5)
        await page.keyboard.press('Shift')
      },
    ],
  ] as const)
    it(`a payer who ${how} stays on the outcome and can return by the button`, async (t) => {
      const { pay, page, id, sees } = await payer(t, { form: { redirect_url: 'http://localhost:9/shop' } })
      await stopTime(page)
      await pay('5200000000002235')
      await until(
        async () => {
          await page.clock.runFor(100)
          return (await page.locator('#outcome[data-view=paid]').count()) === 1
        },
        () => 'it is not paid',
      )
      await sees('paid')
      await use(page)
      await page.clock.runFor(leavesAfterMs)
      assert.match(page.url(), /\/p\//)
      assert.equal(await page.locator('#leaving').isVisible(), false)
      const back = await page.locator('#return').getAttribute('href')
      assert.equal(back, `http://localhost:9/shop?transaction_id=${id}`)
    })

  it('opening the page again later shows the receipt without redirecting, with the way back', async (t) => {
    const { pay, page, context, url, sees } = await payer(t, {
      form: { redirect_url: 'http://shop.example/thanks' },
      expected: interceptionShift,
    })
    await page.route('http://shop.example/**', (route) => route.fulfill({ body: 'Thank you' }))
    await pay('5200000000002235')
    await page.waitForURL(/shop\.example/)
    const later = await context.newPage()
    await later.clock.install()
    await later.goto(url)
    await sees('paid', later)
    await later.clock.runFor(leavesAfterMs)
    assert.equal(later.url(), url)
    assert.equal(await later.locator('#leaving').isVisible(), false)
    assert.equal(await later.locator('#return').isVisible(), true)
  })

  it('going back from the shop past the bank’s own page shows the receipt', async (t) => {
    const { pay, page, url, id, answers, sees } = await payer(t, {
      form: { redirect_url: 'http://shop.example/thanks' },
      expected: interceptionShift,
    })
    const seen = Promise.withResolvers<void>()
    await page.route('http://shop.example/**', async (route) => {
      await seen.promise
      await route.fulfill({ body: 'Thank you' })
    })
    await page.clock.install()
    await pay('5451030000000109')
    await answers()
    await sees('paid')
    await page.waitForURL(url)
    await page.locator('#leaving').waitFor()
    seen.resolve()
    await page.waitForURL(`http://shop.example/thanks?transaction_id=${id}`)
    await goBack(page)
    await sees('paid')
    await page.clock.runFor(leavesAfterMs)
    assert.equal(page.url(), url)
    assert.equal(await page.locator('#leaving').isVisible(), false)
  })

  it('a hold is distinguished from a charge', async (t) => {
    const { pay, sees, result } = await payer(t, { form: { pre_auth: 'true' } })
    await pay('5200000000002235')
    await sees('held')
    assert.equal((await result()).payment_status_text, 'pre_authorized')
  })

  it('chosen installments are charged', async (t) => {
    const { type, page, answers, sees, result } = await payer(t, { form: { amount: '125000' } })
    await type('5400360000000003')
    await page.check('input[name=installment][value="6"]')
    await page.click('button[type=submit]')
    await answers()
    await sees('paid')
    assert.equal((await result()).installment_count, 6)
  })
})
