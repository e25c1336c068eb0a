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

/** Actions of a payer on the window at any step. Each returns the tab that shows the payment afterwards. */
const disturbances = {
  // A browser does not repeat the post to the bank without asking. The payer then opens the page.
  'going back and forth': async ({ page, url }: PayerVisit) => {
    await goBack(page).catch(() => open(page, url))
    await goForward(page).catch(() => open(page, url))
    return page
  },
  'reloading the page': async ({ page }: PayerVisit) => {
    // A window that is leaving for the bank is reloaded where it arrives.
    await page.reload().catch(() => page.reload())
    return page
  },
  'opening a second tab': async ({ context, page, url }: PayerVisit) => {
    // The first tab may show a notice meanwhile. The page scrolls past it, and browsers count that as a
    // shift.
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

/** Retries, because the browser may still be showing its question about repeating the post. */
async function open(page: Page, url: string): Promise<void> {
  await until(
    async () => (await page.goto(url)) ?? undefined,
    () => `${url} does not open`,
  )
}

/** Both authentication modes, each with a card that has a challenge. */
const bankPages = {
  'our own 3-D Secure': { number: '5200000000002151', isElsewhere: false },
  'the bank’s own page': { number: '5451030000000109', isElsewhere: true },
}

/** Gives the window a page to go back to, because every payer comes from a shop. */
async function comeFromShop(visit: PayerVisit): Promise<void> {
  await visit.page.goto('about:blank')
  await visit.page.goto(visit.url)
}

const tolerant: VisitOptions = { expected: /ERR_ABORTED/ }

for (const [bankPage, { number, isElsewhere }] of Object.entries(bankPages)) {
  describe(`one charge whatever the payer does, by ${bankPage}`, { concurrency: 3 }, () => {
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

      it(`${what} while the card is being sent`, async (t) => {
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
        it(`${what} during the challenge`, async (t) => {
          const visit = await payer(t, tolerant)
          await comeFromShop(visit)
          await visit.pay(number)
          await visit.bank()
          const page = await disturb(visit)
          await finish(visit, page, number)
          const states = await visit.attempts()
          assert.equal(states.filter((state) => state === 'approved').length, 1)
        })

      it(`${what} after the payment is paid`, async (t) => {
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

describe('one charge whatever the payer does while the outcome is unknown', { concurrency: 3 }, () => {
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

/** Continues as a payer would from the visible state: the challenge, the way back to it, or the form. */
async function finish(visit: PayerVisit, page: Page, number: string): Promise<void> {
  // The state can change before the click; then the payer looks again.
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
