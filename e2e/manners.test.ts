import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { payer } from './payer.ts'
import { refocusWindow } from './visit.ts'
import { interceptionShift } from './watch.ts'

const asking = '5200000000002151'
const world = '5451030000000109'

/** Records every visible text of the notice from now on. */
async function notices(page: Page): Promise<() => Promise<string[]>> {
  const announced = await page.locator('#notice').evaluateHandle((notice) => {
    const all: string[] = []
    const { MutationObserver } = notice.ownerDocument.defaultView
    const note = () => {
      if (!notice.hidden && notice.innerText !== '') all.push(notice.innerText)
    }
    new MutationObserver(note).observe(notice, { childList: true, attributes: true, subtree: true })
    return all
  })
  return () => announced.jsonValue()
}

describe('the page shows the state and directs the payer to it', { concurrency: 2 }, () => {
  for (const number of ['4000000000002925', '4000000000002990', '4000000000002446']) {
    it(`a refusal is shown immediately, and no other notice before it: ${number}`, async (t) => {
      const { pay, page, seesNotice } = await payer(t)
      const announced = await notices(page)
      await pay(number)
      await seesNotice(/4 deneme hakkınız kaldı/)
      for (const text of await announced()) assert.match(text, /4 deneme hakkınız kaldı/)
    })
  }

  it('a payer who could not reach the service learns that nothing was charged as soon as it responds', async (t) => {
    const { pay, page, seesNotice, sees } = await payer(t, { expected: [/ERR_/, interceptionShift] })
    await page.route(/\/card$/, (route) => route.abort())
    await page.route(/\/status$/, (route) => route.abort())
    await pay('5200000000002235')
    await seesNotice(/Bağlantı kurulamadı/)
    await page.unroute(/\/status$/)
    await seesNotice(/Ödemeniz bize ulaşmadı, kartınızdan para çekilmedi/)
    await page.unroute(/\/card$/)
    await pay('5200000000002235')
    await sees('paid')
  })

  it('a card whose response is lost is sent again automatically, as one attempt', async (t) => {
    const { pay, page, sees, attempts } = await payer(t, { expected: [/ERR_/, interceptionShift] })
    const sent: string[] = []
    await page.route(/\/card$/, async (route) => {
      sent.push(String(route.request().postDataJSON().submission))
      if (sent.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await pay('5200000000002235')
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
    assert.deepEqual(sent, [sent[0], sent[0]])
  })

  it('an old status response does not replace a newer state', async (t) => {
    const { pay, page, sees } = await payer(t, { expected: interceptionShift })
    const late = Promise.withResolvers<void>()
    const asked = page.waitForRequest(/\/status$/)
    await page.route(
      /\/status$/,
      async (route) => {
        const answer = await route.fetch()
        await late.promise
        await route.fulfill({ response: answer })
      },
      { times: 1 },
    )
    await refocusWindow(page)
    const old = (await asked).response()
    await pay('5200000000002235')
    await sees('paid')
    late.resolve()
    await (await old)?.finished()
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
    assert.equal(await page.locator('#outcome').getAttribute('data-view'), 'paid')
  })

  it('on a phone the page scrolls to the challenge and then to its outcome', async (t) => {
    const { pay, page, bank, answers, seesNotice } = await payer(t, { width: 375 })
    await page.setViewportSize({ width: 375, height: 560 })
    await pay(asking)
    await bank()
    const top = await page.locator('#bank-part').evaluate((part) => part.getBoundingClientRect().top)
    assert.ok(top < 280, `the bank's step begins ${top} pixels below`)
    await answers('cancel')
    await seesNotice(/4 deneme hakkınız kaldı/)
    const box = await page.locator('#notice:focus').boundingBox()
    assert.ok(box && box.y >= 0 && box.y + box.height <= 560, 'the notice is in sight')
  })

  it('a change in another tab neither takes the focus from a typing payer nor moves the field', async (t) => {
    const { pay, page, bank, context, url, seesNotice } = await payer(t)
    const second = await context.newPage()
    await second.goto(url)
    await second.focus('#number')
    const before = await second.locator('#number').boundingBox()
    await pay(asking)
    await bank()
    await second.bringToFront()
    await seesNotice(/Bankanız doğrulamanızı bekliyor/, second)
    assert.equal(await second.locator('#number:focus').count(), 1)
    assert.deepEqual(await second.locator('#number').boundingBox(), before)
    await page.close()
  })

  it('the bank’s page can be reloaded and answered', async (t) => {
    const { pay, page, bank, answers, sees, attempts } = await payer(t)
    await pay(asking)
    const first = await bank()
    await page.frameLocator('iframe.bank').locator('#reload').click()
    assert.ok(first.isDetached())
    await answers()
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('the order shows the chosen plan, and the result shows the charged amount', async (t) => {
    const { type, page, answers, sees } = await payer(t, { form: { amount: '125000' }, language: 'en' })
    assert.equal(await page.locator('#extra').isVisible(), false)
    await type(world)
    await page.check('input[name=installment][value="6"]')
    const shown = async () => [
      await page.locator('#extra-amount').innerText(),
      await page.locator('#total').innerText(),
    ]
    const [extra, total] = await shown()
    assert.match(total ?? '', /^₺1,3\d\d\.\d\d$/)
    const minor = (text = '') => Number(text.replaceAll(/\D/g, ''))
    assert.equal(minor(total) - minor(extra), 125_000)
    await page.check('input[name=installment][value="1"]')
    assert.equal(await page.locator('#extra').isVisible(), false)
    await page.check('input[name=installment][value="6"]')
    await page.click('#pay')
    await answers()
    await sees('paid')
    assert.deepEqual(await shown(), [extra, total])
  })
})
