import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuthenticationCard } from '../sandbox/index.ts'
import { authenticationCards } from '../sandbox/index.ts'
import { ageChallenge, untilBackFromBank } from './database.ts'
import { payer } from './payer.ts'
import type { PayerVisit } from './visit.ts'

/** Slow cards come first, so that the others run meanwhile. */
const cards = authenticationCards.toSorted((one, other) => slowness(other) - slowness(one))

function slowness({ behaviour: conduct, expected }: AuthenticationCard): number {
  if (conduct.answer === 'timeout') return 3
  if (expected.method === 'silent') return 2
  return conduct.quirk === 'page silent' || conduct.quirk === 'results late' ? 1 : 0
}

/** Answers the bank if the card has a challenge. */
async function prove({ behaviour: conduct, expected }: AuthenticationCard, visit: PayerVisit): Promise<void> {
  const { id, page, answers } = visit
  if (!expected.challenge) return
  if (conduct.quirk === 'page silent') {
    await page.frameLocator('iframe.bank').locator('#ways').waitFor()
    // The bank waits half a minute for the browser.
    await ageChallenge(id, 30)
    return
  }
  if (conduct.quirk === 'page not framed') {
    await page.frameLocator('iframe.bank').getByRole('link').click()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
  }
  await answers()
  if (conduct.quirk !== 'results lost') return
  await untilBackFromBank(id)
  await ageChallenge(id, 60)
}

describe('every test card for 3-D Secure, on the payment page', { concurrency: 4 }, () => {
  for (const card of cards) {
    const isPaid = ['Y', 'A'].includes(card.expected.status)
    it(`${card.number} ${isPaid ? 'pays' : 'does not pay'}: ${card.does.en}`, async (t) => {
      const visit = await payer(t, { expected: /frame-ancestors|X-Frame-Options/ })
      const { pay, sees, seesNotice, page, result, attempts } = visit
      await pay(card.number)
      await prove(card, visit)
      if (isPaid) {
        await sees('paid')
        assert.equal((await result()).payment_status_text, 'success')
        assert.deepEqual(await attempts(), ['approved'])
        return
      }
      await seesNotice(/4 deneme hakkınız kaldı/)
      assert.equal(await page.locator('#pay').isVisible(), true)
      assert.equal(await page.locator('#cvc').inputValue(), '')
      assert.equal((await result()).payment_status_text, 'waiting')
      assert.deepEqual(await attempts(), ['declined'])
    })
  }
})
