import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { payer } from './payer.ts'

/** Cards whose holders are not asked, and what comes of paying with them. */
const paying = [
  ['4000000000002701', 'authenticated, after a look at the browser'],
  ['5200000000002235', 'authenticated'],
  ['340000000002708', 'authenticated, on a card of fifteen digits'],
  ['4000000000002719', 'attempted'],
  ['4000000000003501', 'authenticated, although the look at the browser never ends'],
] as const

const refused = [
  ['4000000000002925', 'not authenticated'],
  ['4000000000002313', 'could not be authenticated'],
  ['4000000000002537', 'rejected'],
  ['4000000000002990', 'not enrolled'],
  ['4000000000002446', 'an error'],
  ['4000000000003162', 'an answer with a broken field'],
  ['4000000000003170', 'the answer of another transaction'],
] as const

describe('without a question to the payer', () => {
  for (const [number, what] of paying) {
    it(`is paid: ${what}`, async (t) => {
      const { pay, sees, result } = await payer(t)
      await pay(number)
      await sees('paid')
      assert.equal((await result()).payment_status_text, 'success')
    })
  }

  for (const [number, what] of refused) {
    it(`is not paid, and may be tried again: ${what}`, async (t) => {
      const { pay, isTold, page, result } = await payer(t)
      await pay(number)
      await isTold(/4 deneme hakkınız kaldı/)
      assert.equal(await page.locator('#pay').isVisible(), true)
      assert.equal(await page.locator('#cvc').inputValue(), '')
      assert.equal((await result()).payment_status_text, 'waiting')
    })
  }

  it('who is declined can pay with another card on the same page', async (t) => {
    const { pay, isTold, sees, result } = await payer(t, { language: 'en' })
    await pay('4111111111111129')
    await isTold(/not have enough balance or limit.*Attempts left: 4/)
    await pay('5200000000002235')
    await sees('paid')
    assert.equal((await result()).payment_status_text, 'success')
  })

  it('what would help a thief is a refusal like any other', async (t) => {
    const { pay, isTold } = await payer(t)
    await pay('4126111111111114')
    await isTold(/Bankanız bu kartla ödemeyi onaylamadı/)
  })

  it('after five attempts the payment has failed, and the payer is led back', async (t) => {
    const { pay, isTold, sees, page, result, id } = await payer(t, {
      form: { redirect_url: 'http://localhost:9/shop' },
    })
    for (const left of [4, 3, 2, 1]) {
      await pay('4129111111111111')
      await isTold(new RegExp(`${left} deneme hakkınız kaldı`))
    }
    await pay('4129111111111111')
    await sees('failed')
    const back = await page.locator('#return').getAttribute('href')
    assert.equal(back, `http://localhost:9/shop?transaction_id=${id}`)
    assert.equal((await result()).payment_status_text, 'failed')
  })

  it('who has paid is taken back to the shop, and going back does not lead here again', async (t) => {
    const { pay, page, id } = await payer(t, { form: { redirect_url: 'http://shop.example/thanks' } })
    await page.route('http://shop.example/**', (route) => route.fulfill({ body: 'Thank you' }))
    await pay('5200000000002235')
    await page.waitForURL(`http://shop.example/thanks?transaction_id=${id}`)
    await page.goBack({ timeout: 2_000 }).catch(() => undefined)
    assert.ok(!page.url().includes('/p/'), page.url())
  })

  it('a hold is told from a charge', async (t) => {
    const { pay, sees, result } = await payer(t, { form: { pre_auth: 'true' } })
    await pay('5200000000002235')
    await sees('held')
    assert.equal((await result()).payment_status_text, 'pre_authorized')
  })

  it('who chooses installments pays in installments', async (t) => {
    const { type, page, answers, sees, result } = await payer(t, { form: { amount: '125000' } })
    await type('5400360000000003')
    await page.check('input[name=installment][value="6"]')
    await page.click('button[type=submit]')
    await answers()
    await sees('paid')
    assert.equal((await result()).installment_count, 6)
  })
})
