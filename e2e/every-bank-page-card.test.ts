import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NestpayCard } from '../sandbox/index.ts'
import { nestpayCards } from '../sandbox/index.ts'
import { agePayment, untilBankAnswered } from './database.ts'
import { payer } from './payer.ts'
import { sandboxUrl } from './shop.ts'
import type { PayerVisit } from './visit.ts'

/** Expected outcome of each kind of card, for the payer and for the merchant. */
const ends: Readonly<Record<NestpayCard['expected'], (visit: PayerVisit) => Promise<void>>> = {
  paid: async ({ sees, result }) => {
    await sees('paid')
    assert.equal((await result()).payment_status_text, 'success')
  },
  refused: isRefused,
  half: isRefused,
  // The return is not genuine and is ignored: another card pays.
  disbelieved: async ({ seesNotice, result, pay, sees }) => {
    await seesNotice(/henüz tamamlanmadı/)
    assert.equal((await result()).payment_status_text, 'waiting')
    await pay('5200000000002235')
    await sees('paid')
  },
  silence: async ({ page, url, seesNotice, pay, sees }) => {
    await page.waitForURL(`${sandboxUrl}/**`)
    await page.goto(url)
    await seesNotice(/henüz tamamlanmadı/)
    await pay('5451030000000018')
    await sees('paid')
  },
  unsure: async ({ id, page, sees, result }) => {
    await sees('asking')
    assert.equal(await page.locator('#pay').isVisible(), false)
    assert.equal((await result()).payment_status_text, 'waiting')
    await untilBankAnswered(id)
    await agePayment(id, 61)
    await sees('expired')
    assert.equal((await result()).transaction_status_text, 'expired')
  },
}

async function isRefused({ seesNotice, page, result, attempts }: PayerVisit): Promise<void> {
  await seesNotice(/4 deneme hakkınız kaldı/)
  assert.equal(await page.locator('#number').inputValue(), '')
  assert.equal((await result()).payment_status_text, 'waiting')
  assert.deepEqual(await attempts(), ['declined'])
}

describe('every test card for the bank’s own page, on the payment page', { concurrency: 2 }, () => {
  for (const { number, does, expected, isChallenged, trick } of nestpayCards) {
    it(`${number}, ${expected}: ${does.en}`, async (t) => {
      // A script of the bank's page sends the second return, and it may not read our response.
      const visit = await payer(t, trick === 'doubled' ? { expected: /NotSameOrigin/ } : {})
      await visit.pay(number)
      if (isChallenged) await visit.answers()
      await ends[expected](visit)
    })
  }
})
