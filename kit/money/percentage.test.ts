import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { maxAmountMinor } from './money.ts'
import {
  applyPercentage,
  parsePercentageField,
  percentageText,
  proportionalAmount,
  shownPercentage,
} from './percentage.ts'

it('a percentage is read with a decimal point or comma', () => {
  const wanted = {
    '1.79': 17_900,
    '1,79': 17_900,
    '0': 0,
    '2': 20_000,
    '12.3456': 123_456,
    '99.9999': 999_999,
  }
  for (const [text, value] of Object.entries(wanted))
    assert.deepEqual(parsePercentageField(text), { value }, text)
})

it('an invalid percentage, or one with too many decimals, is refused', () => {
  const wrong = [
    '',
    '-1',
    '100',
    '100.0001',
    '1.23456',
    '1.',
    '.5',
    '1e1',
    '1 ',
    '%1',
    '1.7.9',
    '1000',
    '٣',
    'NaN',
  ]
  for (const text of wrong) assert.ok('en' in parsePercentageField(text), text)
})

it('every percentage reads back unchanged, as text and as a number', () => {
  for (let value = 0; value < 1_000_000; value++) {
    const text = percentageText(value)
    if (JSON.stringify(shownPercentage(value)) !== text) assert.fail(text)
    const read = parsePercentageField(text)
    if (!('value' in read) || read.value !== value) assert.fail(text)
  }
})

it('half a minor unit is rounded up, less is rounded down', () => {
  assert.equal(applyPercentage(10_000, 17_900), 179)
  assert.equal(applyPercentage(50, 10_000), 1)
  assert.equal(applyPercentage(49, 10_000), 0)
  assert.equal(applyPercentage(150, 10_000), 2)
  assert.equal(applyPercentage(100, 0), 0)
  // Floating-point arithmetic would give one more.
  assert.equal(applyPercentage(99_999_826_942, 821_138), 82_113_657_895)
  // The product has 17 digits, more than a floating-point number can hold.
  assert.equal(applyPercentage(maxAmountMinor, 999_999), 99_999_899_999)
})

it('a share differs from the exact value by half a minor unit at most', () => {
  const amounts = fc.integer({ min: 0, max: maxAmountMinor })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 999_999 }), (amount, percentage) => {
      const twiceOff =
        2n * (BigInt(applyPercentage(amount, percentage)) * 1_000_000n - BigInt(amount) * BigInt(percentage))
      assert.ok(twiceOff <= 1_000_000n && twiceOff > -1_000_000n)
    }),
  )
})

it('a proportion is rounded to the nearest unit, half up, and the whole gives the full amount', () => {
  assert.equal(proportionalAmount(1, 1, 2), 1)
  assert.equal(proportionalAmount(1, 1, 3), 0)
  assert.equal(proportionalAmount(5, 1, 2), 3)
  assert.equal(proportionalAmount(7, 0, 3), 0)
  const amounts = fc.integer({ min: 1, max: maxAmountMinor })
  fc.assert(
    fc.property(amounts, amounts, amounts, (amount, one, other) => {
      const [part, whole] = [Math.min(one, other), Math.max(one, other)]
      const twiceOff =
        2n * (BigInt(proportionalAmount(amount, part, whole)) * BigInt(whole) - BigInt(amount) * BigInt(part))
      assert.ok(twiceOff <= BigInt(whole) && twiceOff > -BigInt(whole))
      assert.equal(proportionalAmount(amount, whole, whole), amount)
    }),
  )
  for (const [amount, part, whole] of [
    [0.5, 1, 2],
    [1, -1, 2],
    [1, 1, 0],
  ] as const) {
    assert.throws(() => proportionalAmount(amount, part, whole))
  }
})
