import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cards } from '../../../sandbox/index.ts'
import { bankDifferences } from '../../../testing/invariants/bank-differences.ts'
import { integrityViolations } from '../../../testing/invariants/consistency.ts'
import { testTill } from '../../../testing/till/till.ts'
import { attemptTable } from '../records/bank-work.sql.ts'
import { unsettledWork } from '../records/unsettled-work.sql.ts'

const till = await testTill()
const hourMs = 60 * 60 * 1000

/** Final status of the payment, amount at the bank, and `person` if it needs manual review. */
type End = [status: string, taken: number, person?: 'person']

const paid: End = ['success completed', 10_000]
const unpaid: End = ['failed expired', 0]

/** Cards with special behaviour; all others are approved or declined immediately. */
const ends: Readonly<Record<string, End>> = {
  'lost-undone': unpaid,
  'very-late': unpaid,
  'failure-undone': unpaid,
  'other-amount': unpaid,
  more: unpaid,
  less: unpaid,
  'void-lost': unpaid,
  'void-fails-once': unpaid,
  'void-settled': unpaid,
  stuck: ['waiting pending', 10_000, 'person'],
}

for (const { number, does, declines, fault } of cards) {
  // The charge is normal; the fault affects only later modifications.
  if (fault?.modificationFault) continue
  it(`${number}: ${does.en}`, async () => {
    const paymentId = await till.start()
    const paying = till.pay(paymentId, number)
    const answer = await till.passUntil(paying)
    assert.equal(answer.outcome, 'asked')
    const reference = String(answer.context?.attempt.id)
    if (declines) {
      assert.equal((await till.result(paymentId)).payment_status_text, 'waiting')
      assert.equal(answer.context?.attempt.state, 'declined')
      assert.equal(answer.context?.attempt.code, declines)
    }
    await till.pass(5 * hourMs)
    const [status, taken, manualReview] = declines ? unpaid : (ends[fault?.name ?? ''] ?? paid)
    const result = await till.result(paymentId)
    assert.equal(`${result.payment_status_text} ${result.transaction_status_text}`, status)
    assert.equal((await till.bank.line(reference))?.taken ?? 0, taken)
    assert.deepEqual([...(await bankDifferences(till)), ...(await integrityViolations(till))], [])
    const waiting = await unsettledWork(till.services.sql, attemptTable, { isAll: false, limit: 10 })
    assert.equal(
      waiting.some(({ id }) => String(id) === reference),
      manualReview !== undefined,
    )
  })
}
