import assert from 'node:assert/strict'
import { it } from 'node:test'
import { clockText } from './clock-text.ts'
import { pollDelayMs } from './polling-pace.ts'

const idle = { view: 'form', isEnding: false, isUnderWay: false } as const
const asking = { view: 'asking', isEnding: false, isUnderWay: true } as const
const atBank = { view: 'form', isEnding: false, isUnderWay: true } as const
const ending = { view: 'form', isEnding: true, isUnderWay: true } as const

it('nothing is asked about a payment that is over, nor where nobody looks and nothing is under way', () => {
  for (const view of ['paid', 'held', 'failed', 'expired'] as const)
    assert.equal(pollDelayMs({ ...idle, view }, 0, false), undefined)
  assert.equal(pollDelayMs(idle, 0, true), undefined)
  assert.equal(pollDelayMs(idle, 9, false), 15_000)
})

it('what may change in a moment is asked for soon, and less and less often', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((times) => pollDelayMs(ending, times, false)),
    [400, 800, 1_600, 2_500, 2_500],
  )
  assert.equal(pollDelayMs(asking, 0, false), 2_500)
  assert.equal(pollDelayMs(atBank, 0, false), 5_000)
  assert.equal(pollDelayMs(asking, 100, false), 10_000)
  assert.equal(pollDelayMs(asking, 0, true), 10_000)
})

it('the time that is left is shown like a clock', () => {
  assert.equal(clockText(300_000), '5:00')
  assert.equal(clockText(299_001), '5:00')
  assert.equal(clockText(61_000), '1:01')
  assert.equal(clockText(1), '0:01')
})
