import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { agePayment, untilBankAnswered } from './database.ts'
import { answerChallenge, payer } from './payer.ts'
import { sandboxUrl } from './shop.ts'
import { until } from './until.ts'
import type { PayerVisit, VisitOptions } from './visit.ts'
import { goBack, goForward } from './visit.ts'
import { ignoreShifts } from './watch.ts'

/** What a payer does to the window at whichever step; it ends with a page of the payment in front of them. */
const disturbances = {
  // What was posted to the bank is not posted again by a browser that is not asked to; then the payer opens the page.
  'going back and forth': async ({ page, url }: PayerVisit) => {
    await goBack(page).catch(() => open(page, url))
    await goForward(page).catch(() => open(page, url))
    return page
  },
  'reloading the page': async ({ page }: PayerVisit) => {
    // A window that is just leaving for the bank is reloaded where it arrives.
    await page.reload().catch(() => page.reload())
    return page
  },
  'opening a second tab': async ({ context, page, url }: PayerVisit) => {
    // The first tab may hear of it in time. What it says above its field is scrolled past, which browsers count as moved.
    await ignoreShifts(page).catch(() => undefined)
    const second = await context.newPage()
    await second.goto(url)
    return second
  },
  'clicking twice': async ({ page }: PayerVisit) => {
    await page.mouse.dblclick(640, 400)
    return page
  },
} satisfies Record<string, (visit: PayerVisit) => Promise<Page>>

/** The browser may still be busy with saying that it does not post again. */
async function open(page: Page, url: string): Promise<void> {
  await until(
    async () => (await page.goto(url)) ?? undefined,
    () => `${url} does not open`,
  )
}

/** The two authentication modes, by a card each whose holder is asked. */
const bankPages = {
  'our own 3-D Secure': { number: '5200000000002151', isElsewhere: false },
  'the bank’s own page': { number: '5451030000000109', isElsewhere: true },
}

/** A page that has somewhere to go back to, as every payer comes from a shop. */
async function comeFromShop(visit: PayerVisit): Promise<void> {
  await visit.page.goto('about:blank')
  await visit.page.goto(visit.url)
}

const tolerant: VisitOptions = { expected: /ERR_ABORTED/ }

for (const [bankPage, { number, isElsewhere }] of Object.entries(bankPages)) {
  describe(`one charge, whatever is done at each step, by ${bankPage}`, { concurrency: 3 }, () => {
    for (const [what, disturb] of Object.entries(disturbances)) {
      it(`${what} before a card is sent`, async (t) => {
        const visit = await payer(t, tolerant)
        await comeFromShop(visit)
        await visit.type(number)
        const page = await disturb(visit)
        await visit.type(number, {}, page)
        await page.click('#pay')
        await visit.answers('right', page)
        await visit.sees('paid', page)
        assert.deepEqual(await visit.attempts(), ['approved'])
      })

      it(`${what} while the card is on its way`, async (t) => {
        const visit = await payer(t, { expected: /ERR_|status of/ })
        await comeFromShop(visit)
        const arrived = visit.page.waitForRequest(/\/card$/)
        await visit.pay(number)
        await arrived
        const page = await disturb(visit)
        await finish(visit, page, number)
        const states = await visit.attempts()
        assert.equal(states.filter((state) => state === 'approved').length, 1)
      })

      if (!isElsewhere || what !== 'clicking twice')
        it(`${what} while the bank asks`, async (t) => {
          const visit = await payer(t, tolerant)
          await comeFromShop(visit)
          await visit.pay(number)
          await visit.bank()
          const page = await disturb(visit)
          await finish(visit, page, number)
          const states = await visit.attempts()
          assert.equal(states.filter((state) => state === 'approved').length, 1)
        })

      it(`${what} once it is paid`, async (t) => {
        const visit = await payer(t, tolerant)
        await comeFromShop(visit)
        await visit.pay(number)
        await answerChallenge(await visit.bank())
        await visit.sees('paid')
        const page = await disturb(visit)
        if (page.url() !== visit.url) await open(page, visit.url)
        await visit.sees('paid', page)
        assert.equal(await page.locator('#pay').isVisible(), false)
        assert.deepEqual(await visit.attempts(), ['approved'])
      })
    }
  })
}

describe('one charge, whatever is done while nobody knows the outcome', { concurrency: 3 }, () => {
  for (const [what, disturb] of Object.entries(disturbances))
    it(what, async (t) => {
      const visit = await payer(t, tolerant)
      await comeFromShop(visit)
      await visit.pay('4190000000000101')
      await visit.sees('asking')
      const page = await disturb(visit)
      await visit.sees('asking', page)
      assert.equal(await page.locator('#pay').isVisible(), false)
      await untilBankAnswered(visit.id)
      await agePayment(visit.id, 2)
      await visit.sees('paid', page)
      assert.deepEqual(await visit.attempts(), ['approved'])
    })
})

/** Goes on as a payer would with whatever is in front of them: the bank's question, a way back to it, or the form. */
async function finish(visit: PayerVisit, page: Page, number: string): Promise<void> {
  // What is in front of them may be another thing when they reach for it; then they look again.
  const reach = { timeout: 10_000 }
  await until(
    async () => {
      const shown = page.url().startsWith(sandboxUrl) ? 'bank' : await shownOn(page)
      if (shown === 'go on') await page.click('#go-on', reach)
      if (shown === 'form') {
        await visit.type(number, {}, page)
        await page.click('#pay', reach)
      }
      return shown === 'bank'
    },
    () => `neither the form nor a way to the bank is shown at ${page.url()}`,
  )
  await visit.answers('right', page)
  await visit.sees('paid', page)
}

async function shownOn(page: Page): Promise<string> {
  const look = `(() => {
    const isSeen = (id) => document.getElementById(id)?.checkVisibility()
    if (isSeen('bank-part')) return 'bank'
    if (isSeen('go-on')) return 'go on'
    return isSeen('pay') && document.getElementById('pay').ariaBusy !== 'true' ? 'form' : 'nothing yet'
  })()`
  return page.evaluate<string>(look).catch(() => 'nothing yet')
}
