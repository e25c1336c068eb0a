import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { decimalText, maxAmountMinor, minAmountMinor } from './money.ts'

it('an amount has two decimals and no thousands separator', () => {
  assert.equal(decimalText(1_234_567, ','), '12345,67')
  assert.equal(decimalText(1_234_567, '.'), '12345.67')
  const small = [0, 1, 10, 99, 100, 1000].map((amount) => decimalText(amount, ','))
  assert.deepEqual(small, ['0,00', '0,01', '0,10', '0,99', '1,00', '10,00'])
  assert.equal(decimalText(maxAmountMinor, ','), '999999999,99')
})

it('the text of any amount parses back to the amount', () => {
  const amounts = fc.integer({ min: minAmountMinor, max: maxAmountMinor })
  fc.assert(
    fc.property(amounts, (amount) => {
      const text = decimalText(amount, ',')
      assert.match(text, /^(?:0|[1-9]\d*),\d\d$/)
      assert.equal(Number(text.replace(',', '')), amount)
    }),
  )
})

it('a value that is not an amount throws', () => {
  for (const wrong of [0.5, -1, Number.NaN, 2 ** 53]) assert.throws(() => decimalText(wrong, ','))
})
