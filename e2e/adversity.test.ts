import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageScenarios } from './page-scenarios.ts'
import { payer } from './payer.ts'
import { ignoreShifts, interceptionShift } from './watch.ts'

const quick = '5200000000002235'
const twoThings = {
  amount: '20490',
  products: JSON.stringify([
    { product_name: 'Türk kahvesi, 250 g', price: 18_990, description: 'Orta kavrulmuş.' },
    { product_name: 'Kargo', price: 1_500 },
  ]),
}

describe('the payment page under bad conditions', { concurrency: 2 }, () => {
  for (const [language, words] of [
    ['tr', /JavaScript’i açın/],
    ['en', /turn JavaScript on/],
  ] as const)
    it(`without scripts the page explains what to do and shows no form: ${language}`, async (t) => {
      const { page } = await payer(t, { script: false, language })
      await page.getByText(words).waitFor()
      assert.equal(await page.locator('#pay').isVisible(), false)
      assert.equal(await page.locator('#number').isVisible(), false)
      assert.equal(await page.locator('.merchant').first().innerText(), 'Köşe Kahve')
    })

  it('a picture that does not arrive leaves the letter, and moves nothing', async (t) => {
    const scenario = pageScenarios.find(({ name }) => name === 'pictures')
    const { page } = await payer(t, { ...(await scenario?.options?.()), expected: /ERR_FAILED/ })
    await page.locator('.head img').waitFor()
    const before = await page.locator('.order').boundingBox()
    await page.route('**/tiles/**', (route) => route.abort())
    await page.reload()
    await page.locator('.mark img').first().waitFor({ state: 'detached' })
    assert.equal(await page.locator('.head .mark').innerText(), 'K')
    assert.deepEqual(await page.locator('.order').boundingBox(), before)
  })

  it('a payer who is offline when sending the card is told so and pays once after the connection returns', async (t) => {
    const { page, context, type, seesNotice, sees, attempts } = await payer(t, {
      expected: [/ERR_|Failed to load/, interceptionShift],
    })
    await type(quick)
    const holder = page.locator('#holder')
    const before = await holder.boundingBox()
    await context.setOffline(true)
    await seesNotice(/Bağlantı/)
    assert.deepEqual(await holder.boundingBox(), before)
    await page.click('#pay')
    await seesNotice(/Bağlantı/)
    await context.setOffline(false)
    await page.locator('#outcome[data-view=paid], #notice:has-text("bize ulaşmadı")').first().waitFor()
    if (await page.locator('#pay').isVisible()) {
      await type(quick)
      await page.click('#pay')
    }
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('a lost response is requested again, and one attempt is made', async (t) => {
    const { page, pay, sees, attempts } = await payer(t, {
      expected: [/ERR_|Failed to load/, interceptionShift],
    })
    let lost = 0
    await page.route(/\/card$/, async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await pay(quick)
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })

  for (const width of [320, 375, 760, 1280])
    it(`a page that arrives slowly appears when it is complete and does not shift: ${width}`, async (t) => {
      const { page, context } = await payer(t, { width })
      const session = await context.newCDPSession(page)
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: 3_000,
        uploadThroughput: -1,
      })
      await page.reload()
      const seen = await page.evaluate<number>(`new Promise((resolve) =>
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName('first-contentful-paint')
          if (paint) resolve(paint.startTime)
        }).observe({ type: 'paint', buffered: true }))`)
      const [begin, end] = await page.evaluate<[number, number]>(`(() => {
        const [{ responseStart, responseEnd }] = performance.getEntriesByType('navigation')
        return [responseStart, responseEnd]
      })()`)
      assert.ok(end - begin > 1_000, `it takes ${end - begin} ms to arrive`)
      assert.ok(seen - begin > 0.8 * (end - begin), `something is seen ${end - seen} ms before`)
    })

  it('a slow connection to the bank’s step shows progress', async (t) => {
    const { page, pay, answers, sees } = await payer(t, { expected: interceptionShift })
    const script = Promise.withResolvers<void>()
    await page.route(/\/assets\/bridge-/, async (route) => {
      await script.promise
      await route.continue()
    })
    const turning = () =>
      page.evaluate('getComputedStyle(document.querySelector("#bank-place"), "::before").animationName')
    await pay('5200000000002151')
    await page.locator('iframe.bank').waitFor()
    assert.equal(await turning(), 'turn')
    assert.equal(await page.locator('iframe.bank:not(.loaded)').count(), 1)
    script.resolve()
    await page.locator('iframe.bank.loaded').waitFor()
    await answers()
    await sees('paid')
  })

  it('a slow connection shows progress, and a second click has no effect', async (t) => {
    const { page, type, sees, attempts } = await payer(t, { expected: interceptionShift })
    await page.route(/\/card$/, async (route) => {
      await page.locator('#pay[aria-busy=true]').waitFor()
      await route.continue()
    })
    await type(quick)
    await page.click('#pay')
    await page
      .locator('#pay')
      .click({ force: true, noWaitAfter: true })
      .catch(() => undefined)
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  })

  it('the printed page shows the receipt and the order, and no buttons', async (t) => {
    const { page, pay, sees } = await payer(t, { width: 375, form: twoThings })
    await pay(quick)
    await sees('paid')
    await page.locator('#receipt').waitFor()
    await ignoreShifts(page)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('#receipt').isVisible(), true)
    assert.equal(await page.getByText('Kargo').isVisible(), true)
    assert.equal(await page.getByText('Gerçek para çekilmez').isVisible(), true)
    for (const each of ['#print', '#copy-id', '#languages', '#return'])
      assert.equal(await page.locator(each).isVisible(), false, each)
    const colours = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    assert.match(colours, /rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\)/)
  })
})
