import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeclineReason } from '../../connectors/index.ts'
import { failedAttemptText } from './failed-attempt-text.ts'
import { fieldToRetype } from './field-to-retype.ts'

const declined = (declineReason: DeclineReason) => ({ state: 'declined', declineReason, code: '05' }) as const

describe('the field that a payer fills in again', () => {
  it('is the one that the bank refused', () => {
    assert.equal(fieldToRetype(declined('wrong_cvc'), 'tr')?.name, 'cvc')
    assert.equal(fieldToRetype(declined('expired_card'), 'tr')?.name, 'expiry')
  })

  it('is the number only if another card is needed', () => {
    for (const reason of ['insufficient_funds', 'not_permitted_to_holder', 'do_not_honour'] as const)
      assert.equal(fieldToRetype(declined(reason), 'en')?.name, 'number')
    for (const reason of ['authentication_failed', 'bank_not_reached'] as const)
      assert.equal(fieldToRetype(declined(reason), 'en'), null)
    assert.equal(fieldToRetype({ state: 'reversed', declineReason: null }, 'en'), null)
  })

  it('says why, in a line that fits a phone', () => {
    const reasons = ['insufficient_funds', 'not_permitted_to_holder', 'not_permitted_to_terminal'] as const
    for (const language of ['tr', 'en'] as const) {
      const texts = reasons.map((reason) => fieldToRetype(declined(reason), language)?.text ?? '')
      assert.equal(new Set(texts).size, reasons.length)
      for (const text of texts) assert.ok(text.length > 0 && text.length <= 45, text)
    }
  })

  it('tells a thief nothing', () => {
    const ordinary = declined('do_not_honour')
    for (const reason of ['lost_card', 'stolen_card', 'pick_up_card', 'suspected_fraud'] as const) {
      assert.deepEqual(fieldToRetype(declined(reason), 'en'), fieldToRetype(ordinary, 'en'))
      assert.equal(failedAttemptText(declined(reason)), failedAttemptText(ordinary))
    }
  })
})
