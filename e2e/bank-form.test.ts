import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ageChallenge } from './database.ts'
import { answerChallenge, payer } from './payer.ts'
import { sandboxUrl } from './shop.ts'
import { goBack } from './visit.ts'

describe('on the bank’s own page', { concurrency: 2 }, () => {
  it('the right code pays in the payer’s window and returns to the payment page', async (t) => {
    const { pay, page, bank, sees, result } = await payer(t, { width: 375 })
    await pay('5451030000000109')
    const frame = await bank()
    assert.equal(frame, page.mainFrame())
    assert.ok(page.url().startsWith(sandboxUrl))
    await answerChallenge(frame)
    await sees('paid')
    await page.waitForURL(/\/p\/[\w-]{38}$/)
    assert.equal((await result()).payment_status_text, 'success')
  })

  it('a hold and installments with extra cost work too', async (t) => {
    const { type, page, sees, result } = await payer(t, { form: { amount: '125000', pre_auth: 'true' } })
    await type('5451030000000018')
    await page.check('input[name=installment][value="3"]')
    await page.click('button[type=submit]')
    await sees('held')
    const { payment_status_text: status, installment_count: count } = await result()
    assert.deepEqual([status, count], ['pre_authorized', 3])
  })

  it('the right code after two wrong codes pays', async (t) => {
    const { pay, answers, sees } = await payer(t)
    await pay('5451030000000109')
    await answers('wrong')
    await answers('wrong')
    await answers('right')
    await sees('paid')
  })

  it('three wrong codes do not pay', async (t) => {
    const { pay, answers, seesNotice } = await payer(t)
    await pay('5451030000000109')
    for (let tries = 0; tries < 3; tries++) await answers('wrong')
    await seesNotice(/4 deneme hakkınız kaldı/)
  })

  it('a payer who cancels at the bank can try again', async (t) => {
    const { pay, answers, seesNotice, sees } = await payer(t, { language: 'en' })
    await pay('5451030000000109')
    await answers('cancel')
    await seesNotice(/Attempts left: 4/)
    await pay('5451030000000018')
    await sees('paid')
  })

  it('a payer who does not answer in time is returned by the bank’s page and can try again', async (t) => {
    const { id, pay, bank, seesNotice } = await payer(t)
    await pay('5451030000000109')
    const refresh = (await bank()).locator('meta[http-equiv=refresh]')
    const seconds = Number.parseInt((await refresh.getAttribute('content')) ?? '', 10)
    assert.equal(seconds, 601)
    await ageChallenge(id, seconds)
    // The refresh happens now instead of after so many seconds.
    await refresh.evaluate((meta) => {
      const now = meta.cloneNode()
      now.content = meta.content.replace(/^\d+/, '0')
      meta.replaceWith(now)
    })
    await seesNotice(/4 deneme hakkınız kaldı/)
  })

  it('going back from the bank shows the form without the card, and another card pays', async (t) => {
    const { pay, page, bank, seesNotice, sees, attempts } = await payer(t)
    await pay('5451030000000109')
    await bank()
    await goBack(page)
    await seesNotice(/henüz tamamlanmadı/)
    for (const name of ['number', 'expiry', 'cvc', 'holder'])
      assert.equal(await page.locator(`#${name}`).inputValue(), '', name)
    await pay('5451030000000018')
    await sees('paid')
    assert.deepEqual(await attempts(), ['abandoned', 'approved'])
  })

  it('going back from the bank scrolls to the notice and selects a single payment again', async (t) => {
    const { type, page, bank, seesNotice } = await payer(t, {
      width: 375,
      touch: true,
      form: { amount: '125000' },
    })
    await type('5451030000000109')
    await page.check('input[name=installment][value="6"]')
    await page.click('#pay')
    await bank()
    await goBack(page)
    await seesNotice(/henüz tamamlanmadı/)
    assert.ok(((await page.locator('#notice:focus').boundingBox())?.y ?? -1) >= 0)
    assert.ok(await page.locator('input[name=installment][value="1"]').isChecked())
  })
})
