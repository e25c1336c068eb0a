import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { payer } from './payer.ts'

describe('with a question to the payer', () => {
  for (const [number, what] of [
    ['4000000000002503', 'after a look at the browser'],
    ['5200000000002151', 'without one'],
    ['9792030394440796', 'by a card of TROY'],
    ['4000000000003519', 'after a look at the browser that never ends'],
    ['4000000000003105', 'by results that come five seconds late'],
    ['4000000000003121', 'by results that come twice'],
    ['4000000000003139', 'by results that come after those of another transaction'],
    ['4000000000003154', 'by results alone, for the bank never sends the browser back'],
  ] as const) {
    it(`the right code pays: ${what}`, async (t) => {
      const { pay, answers, sees, result } = await payer(t)
      await pay(number)
      await answers()
      await sees('paid')
      assert.equal((await result()).payment_status_text, 'success')
    })
  }

  for (const [number, what] of [
    ['4000000000002370', 'the bank says no all the same'],
    ['4000000000002420', 'the bank says that it cannot tell'],
    ['4000000000002644', 'the bank says that something is broken'],
    ['4000000000003147', 'the browser brings a yes, and the results are a no'],
    ['4000000000003113', 'the results never come'],
  ] as const) {
    it(`the right code does not pay: ${what}`, async (t) => {
      const { pay, answers, isTold, result } = await payer(t)
      await pay(number)
      await answers()
      await isTold(/4 deneme hakkınız kaldı/)
      assert.equal((await result()).payment_status_text, 'waiting')
    })
  }

  it('a wrong code may be typed twice, and then the right one pays', async (t) => {
    const { pay, answers, sees } = await payer(t, { width: 375 })
    await pay('5200000000002151')
    await answers('wrong')
    await answers('wrong')
    await answers('right')
    await sees('paid')
  })

  it('three wrong codes do not pay', async (t) => {
    const { pay, answers, isTold, result } = await payer(t)
    await pay('5200000000002151')
    for (let tries = 0; tries < 3; tries++) await answers('wrong')
    await isTold(/4 deneme hakkınız kaldı/)
    assert.equal((await result()).payment_status_text, 'waiting')
  })

  it('who gives up at the bank may try again, with the same card too', async (t) => {
    const { pay, answers, isTold, sees } = await payer(t, { language: 'en' })
    await pay('5200000000002151')
    await answers('cancel')
    await isTold(/Attempts left: 4/)
    await pay('5200000000002151')
    await answers('right')
    await sees('paid')
  })

  it('who does not answer in time is told so, and may try again', async (t) => {
    const { pay, bank, isTold, result } = await payer(t)
    await pay('5200000000002151')
    await bank()
    await isTold(/4 deneme hakkınız kaldı/, { timeout: 60_000 })
    assert.equal((await result()).payment_status_text, 'waiting')
  })

  it('a bank whose page never opens has not proven anything', async (t) => {
    const { pay, page, isTold } = await payer(t)
    await pay('4000000000003188')
    await page.frameLocator('iframe.bank').locator('#ways').waitFor({ timeout: 15_000 })
    await isTold(/4 deneme hakkınız kaldı/, { timeout: 60_000 })
  })

  it('a bank that refuses to be framed is answered in the full window', async (t) => {
    const { pay, page, answers, sees, result } = await payer(t, {
      expected: /frame-ancestors|X-Frame-Options/,
    })
    await pay('4000000000003196')
    await page.frameLocator('iframe.bank').getByRole('link').click({ timeout: 15_000 })
    await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
    await answers()
    await sees('paid')
    assert.match(page.url(), /\/p\/[\w-]{38}$/)
    assert.equal((await result()).payment_status_text, 'success')
  })
})
