import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cards } from '../sandbox/index.ts'
import { agePayment, untilBankAnswered } from './database.ts'
import { payer } from './payer.ts'
import type { PayerVisit } from './visit.ts'

/**
 * Expects a lost answer, moves the clock forward by each of these times, and checks the outcome. Between two
 * times the service inquires about the charge and tries to reverse it.
 */
function isAskedAgain(minutes: readonly number[], end: 'paid' | 'expired' | 'asking') {
  return async ({ id, sees, page, result, attempts }: PayerVisit): Promise<void> => {
    await sees('asking')
    assert.equal(await page.locator('#pay').isVisible(), false)
    assert.equal((await result()).payment_status_text, 'waiting')
    for (const [index, each] of minutes.entries()) {
      await untilBankAnswered(id, 1 + 2 * index)
      await agePayment(id, each)
    }
    await sees(end)
    const { payment_status_text: status, transaction_status_text: transaction } = await result()
    const statuses = { paid: 'success completed', expired: 'failed expired', asking: 'waiting pending' }
    assert.equal(`${status} ${transaction}`, statuses[end])
    if (end !== 'asking') assert.deepEqual(await attempts(), [end === 'paid' ? 'approved' : 'reversed'])
  }
}

async function isPaid({ sees, result, attempts }: PayerVisit): Promise<void> {
  await sees('paid')
  assert.equal((await result()).payment_status_text, 'success')
  assert.deepEqual(await attempts(), ['approved'])
}

/** Minutes after the last inquiry and before these banks answer inquiries again. */
const silentStill = 60.2
const triedAgain = 1.2

/** Expected outcome of each fault. A card whose fault is not listed fails. */
const ends: Readonly<Record<string, (visit: PayerVisit) => Promise<void>>> = {
  'for-good': isPaid,
  'modification-lost': isPaid,
  lost: isAskedAgain([2], 'paid'),
  'lost-undone': isAskedAgain([61], 'expired'),
  late: isAskedAgain([2], 'paid'),
  'very-late': isAskedAgain([61], 'expired'),
  slow: async (visit) => {
    await visit.sees('asking')
    await visit.page.locator('#outcome[data-view=paid]').waitFor()
    await isPaid(visit)
  },
  // The answer is still pending when the service inquires about the charge.
  slower: async ({ id, sees, attempts }) => {
    await sees('asking')
    await agePayment(id, 2)
    await sees('paid')
    assert.deepEqual(await attempts(), ['approved'])
  },
  garbled: isAskedAgain([2], 'paid'),
  page: isAskedAgain([2], 'paid'),
  failure: isAskedAgain([2], 'paid'),
  'failure-undone': isAskedAgain([61], 'expired'),
  'other-amount': isAskedAgain([61], 'expired'),
  // World cards: the bank's own page handles them, and its answer contains no amount.
  more: isPaid,
  less: isPaid,
  'other-reference': isAskedAgain([2], 'paid'),
  silent: isAskedAgain([11], 'paid'),
  'void-lost': isAskedAgain([silentStill, triedAgain], 'expired'),
  'void-fails-once': isAskedAgain([silentStill, triedAgain], 'expired'),
  'void-settled': isAskedAgain([silentStill], 'expired'),
  stuck: isAskedAgain([silentStill, triedAgain], 'asking'),
}

/** Field that was probably mistyped. After any other decline, another card is needed. */
const fields: Readonly<Record<string, string>> = { '54': 'expiry', '82': 'cvc' }

async function isDeclined({ seesNotice, page, result, attempts }: PayerVisit, code: string): Promise<void> {
  await seesNotice(/4 deneme hakkınız kaldı/)
  assert.equal(await page.locator('#cvc').inputValue(), '')
  const field = fields[code] ?? 'number'
  await page.locator(`#${field}:focus`).waitFor()
  assert.equal(await page.locator(`#${field}`).inputValue(), '')
  assert.equal((await page.locator('#number').inputValue()) === '', field === 'number')
  assert.equal((await result()).payment_status_text, 'waiting')
  assert.deepEqual(await attempts(), ['declined'])
}

/**
 * The slow card comes first: its thirty seconds pass while the others run. One card whose modification fails
 * later is enough here.
 */
const slowFirst = cards
  .filter(({ fault }) => !fault?.modificationFault || fault.name === 'modification-lost')
  .toSorted((one, other) => Number(other.fault?.name === 'slow') - Number(one.fault?.name === 'slow'))

describe('every test card for charges, on the payment page', { concurrency: 3 }, () => {
  for (const { number, does, outcome, declines, fault } of slowFirst) {
    it(`${number}: ${does.en} ${outcome.en}`, async (t) => {
      const visit = await payer(t)
      await visit.pay(number)
      if (declines) return isDeclined(visit, declines)
      if (!fault) await visit.answers()
      const end = fault ? ends[fault.name] : isPaid
      assert.ok(end, `say in ends what comes of ${fault?.name}`)
      await end(visit)
    })
  }
})
