import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answer, payer } from './payer.ts'
import { sandboxUrl } from './shop.ts'

describe('by the bank’s own page', { concurrency: 2 }, () => {
  for (const [number, what] of [
    ['5451030000000018', 'the bank knows the payer without asking'],
    ['5451030000003012', 'the bank’s page comes back twice'],
    ['5451030000003046', 'the bank’s page comes back in an old character set'],
  ] as const) {
    it(`is paid: ${what}`, async (t) => {
      const { pay, sees, result } = await payer(t)
      await pay(number)
      await sees('paid')
      assert.equal((await result()).payment_status_text, 'success')
    })
  }

  it('the right code pays, in the payer’s own window, and leads back to the page', async (t) => {
    const { pay, page, bank, sees, result } = await payer(t, { width: 375 })
    await pay('5451030000000109')
    const frame = await bank()
    assert.equal(frame, page.mainFrame())
    assert.ok(page.url().startsWith(sandboxUrl))
    await answer(frame)
    await sees('paid')
    assert.match(page.url(), /\/p\/[\w-]{38}$/)
    assert.equal((await result()).payment_status_text, 'success')
  })

  it('a hold, and installments with what they cost, go the same way', async (t) => {
    const { type, page, sees, result } = await payer(t, { form: { amount: '125000', pre_auth: 'true' } })
    await type('5451030000000018')
    await page.check('input[name=installment][value="3"]')
    await page.click('button[type=submit]')
    await sees('held')
    const { payment_status_text: status, installment_count: count } = await result()
    assert.deepEqual([status, count], ['pre_authorized', 3])
  })

  for (const [number, what] of [
    ['5451030000001008', 'the payer is somebody else'],
    ['5451030000001024', 'the card takes no part'],
    ['5451030000001032', 'its bank takes no part'],
    ['5451030000001040', 'it was only attempted'],
    ['5451030000001057', 'it is not possible'],
    ['5451030000001065', 'an error'],
    ['5451030000001073', 'a system error'],
    ['5451030000001081', 'an unknown card'],
    ['5451030000003020', 'the bank does not say what came of it'],
  ] as const) {
    it(`is not paid, and may be tried again: ${what}`, async (t) => {
      const { pay, isTold, page, result } = await payer(t)
      await pay(number)
      await isTold(/4 deneme hakkınız kaldı/)
      assert.equal(await page.locator('#number').inputValue(), '')
      assert.equal((await result()).payment_status_text, 'waiting')
    })
  }

  for (const [number, what] of [
    ['5451030000002014', 'it is not the bank’s'],
    ['5451030000002022', 'it is about another amount'],
    ['5451030000002030', 'it is about another order'],
    ['5451030000002048', 'it is about another currency'],
    ['5451030000002055', 'it is about other installments'],
  ] as const) {
    it(`what comes back is not believed, and another card pays: ${what}`, async (t) => {
      const { pay, isTold, sees, result } = await payer(t)
      await pay(number)
      await isTold(/henüz tamamlanmadı/)
      assert.equal((await result()).payment_status_text, 'waiting')
      await pay('5200000000002235')
      await sees('paid')
    })
  }

  it('a bank that says that it has charged this before is asked, and nothing is charged meanwhile', async (t) => {
    const { pay, sees, page, result } = await payer(t)
    await pay('5451030000003053')
    await sees('asking')
    assert.equal(await page.locator('#pay').isVisible(), false)
    assert.equal((await result()).payment_status_text, 'waiting')
  })

  it('a wrong code may be typed twice, and then the right one pays', async (t) => {
    const { pay, answers, sees } = await payer(t)
    await pay('5451030000000109')
    await answers('wrong')
    await answers('wrong')
    await answers('right')
    await sees('paid')
  })

  it('three wrong codes do not pay', async (t) => {
    const { pay, answers, isTold } = await payer(t)
    await pay('5451030000000109')
    for (let tries = 0; tries < 3; tries++) await answers('wrong')
    await isTold(/4 deneme hakkınız kaldı/)
  })

  it('who gives up at the bank may try again', async (t) => {
    const { pay, answers, isTold, sees } = await payer(t, { language: 'en' })
    await pay('5451030000000109')
    await answers('cancel')
    await isTold(/Attempts left: 4/)
    await pay('5451030000000018')
    await sees('paid')
  })

  it('who does not answer in time comes back by the bank’s own page, and may try again', async (t) => {
    const { pay, bank, isTold } = await payer(t)
    await pay('5451030000000109')
    await bank()
    await isTold(/4 deneme hakkınız kaldı/, { timeout: 60_000 })
  })

  it('a bank that never comes back leaves a page on which another card pays', async (t) => {
    const { pay, page, isTold, sees, url } = await payer(t)
    await pay('5451030000003038')
    await page.waitForURL(`${sandboxUrl}/**`)
    await page.goto(url)
    await isTold(/henüz tamamlanmadı/)
    await pay('5451030000000018')
    await sees('paid')
  })

  it('going back from the bank leads to a page without the card, on which one can pay', async (t) => {
    const { pay, page, bank, isTold, sees, attempts } = await payer(t)
    await pay('5451030000000109')
    await bank()
    await page.goBack()
    await isTold(/henüz tamamlanmadı/)
    for (const name of ['number', 'expiry', 'cvc', 'holder'])
      assert.equal(await page.locator(`#${name}`).inputValue(), '', name)
    await pay('5451030000000018')
    await sees('paid')
    assert.deepEqual(await attempts(), ['abandoned', 'approved'])
  })
})
