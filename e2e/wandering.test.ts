import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answerChallenge, payer } from './payer.ts'
import { goBack } from './visit.ts'

const asking = '5200000000002151'

describe('a payment is charged at most once', { concurrency: 2 }, () => {
  it('a double click is one attempt', async (t) => {
    const { type, page, answers, sees, attempts } = await payer(t)
    await type(asking)
    await page.locator('button[type=submit]').dblclick({ delay: 5 })
    await answers()
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('a payer who reloads the page during the challenge continues it', async (t) => {
    const { pay, page, bank, answers, seesNotice, sees, attempts } = await payer(t)
    await pay(asking)
    await bank()
    await page.reload()
    await seesNotice(/Bankanız doğrulamanızı bekliyor/)
    await page.click('#go-on')
    await answers()
    await sees('paid')
    await page.reload()
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('a second tab shows the state of the payment and follows the first tab', async (t) => {
    const { pay, bank, context, url, seesNotice, sees, attempts } = await payer(t)
    await pay(asking)
    const frame = await bank()
    const second = await context.newPage()
    await second.goto(url)
    await seesNotice(/Bankanız doğrulamanızı bekliyor/, second)
    await answerChallenge(frame)
    await sees('paid')
    await sees('paid', second)
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('a challenge open in two tabs is answered once', async (t) => {
    const { pay, bank, context, url, sees, attempts } = await payer(t)
    await pay(asking)
    const first = await bank()
    const second = await context.newPage()
    await second.goto(url)
    await second.click('#go-on')
    await answerChallenge(await bank(second))
    await sees('paid', second)
    await sees('paid')
    assert.ok(first.isDetached())
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('a payer who closes the tab during the challenge finds it again', async (t) => {
    const { pay, page, bank, context, url, answers, sees, attempts } = await payer(t)
    await pay(asking)
    await bank()
    await page.close()
    const later = await context.newPage()
    await later.goto(url)
    await later.click('#go-on')
    await answers('right', later)
    await sees('paid', later)
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('a payer who closes the tab right after the code has paid', async (t) => {
    const { pay, page, bank, context, url, sees, attempts } = await payer(t)
    await pay(asking)
    await answerChallenge(await bank())
    await page.close()
    const later = await context.newPage()
    await later.goto(url)
    await sees('paid', later)
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('another card pays instead of the challenge, and the first attempt is abandoned', async (t) => {
    const { pay, page, bank, seesNotice, sees, attempts } = await payer(t)
    await pay(asking)
    await bank()
    await page.click('#other-card')
    await seesNotice(/Bankanız doğrulamanızı bekliyor/)
    await pay('5200000000002235')
    await sees('paid')
    assert.deepEqual(await attempts(), ['abandoned', 'approved'])
  })

  it('a payer who leaves and returns sees the new state', async (t) => {
    const { pay, page, context, url, answers, sees } = await payer(t)
    await page.goto('about:blank')
    const second = await context.newPage()
    await second.goto(url)
    await goBack(page)
    await pay(asking)
    await answers()
    await sees('paid')
    await sees('paid', second)
    await page.goto('about:blank')
    await goBack(page)
    await sees('paid')
  })

  it('a card sent from two tabs at the same time is charged once', async (t) => {
    const { type, page, context, url, sees, attempts } = await payer(t)
    await type('5200000000002235')
    const second = await context.newPage()
    await second.goto(url)
    await type('5200000000002235', {}, second)
    await Promise.all([page.click('#pay'), second.click('#pay')])
    await sees('paid')
    await sees('paid', second)
    assert.equal((await attempts()).filter((state) => state === 'approved').length, 1)
  })

  it('the bank’s page in the full window pays, and going back from it shows the payment page', async (t) => {
    const { pay, page, url, bank, answers, seesNotice, sees, attempts } = await payer(t)
    await pay(asking)
    await bank()
    const link = page.frameLocator('iframe.bank').getByRole('link')
    await link.click()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
    await goBack(page)
    await page.waitForURL(url)
    await seesNotice(/Bankanız doğrulamanızı bekliyor/)
    await page.click('#go-on')
    await link.click()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
    await answers()
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })
})
