import assert from 'node:assert/strict'
import { it } from 'node:test'
import { configurationsFor } from './whole-configurations.ts'

it('without words there is a configuration for each mode, with and without a webhook, under each load', () => {
  assert.equal(configurationsFor([]).length, 3 * 2 * 3)
})

it('a word chooses a value of its property, and other properties keep every value', () => {
  assert.deepEqual(configurationsFor(['nestpay', '64', '1']), [
    { mode: 'nestpay', webhook: true, atOnce: 1 },
    { mode: 'nestpay', webhook: true, atOnce: 64 },
    { mode: 'nestpay', webhook: false, atOnce: 1 },
    { mode: 'nestpay', webhook: false, atOnce: 64 },
  ])
  assert.deepEqual(configurationsFor(['own_challenge', 'no_webhook', '16']), [
    { mode: 'own_challenge', webhook: false, atOnce: 16 },
  ])
})

it('an unknown word is refused with the known ones', () => {
  assert.throws(() => configurationsFor(['own']), /own\. It knows: own_frictionless, .*no_webhook, 1, 16, 64/)
})
