import assert from 'node:assert/strict'
import { it } from 'node:test'
import { median, percentile } from './percentile.ts'

it('a percentile is the smallest value that the share of the values does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  assert.deepEqual(
    [percentile(hundred, 0.5), percentile(hundred, 0.99), percentile(hundred, 1)],
    [50, 99, 100],
  )
  assert.deepEqual([percentile([7], 0.5), percentile([7], 0)], [7, 7])
  assert.equal(percentile([], 0.5), Number.NaN)
})

it('the median does not need sorted values', () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 3, 1, 2]), median([])], [2, 3, Number.NaN])
})
