import assert from 'node:assert/strict'
import { it } from 'node:test'
import { clockText } from './clock-text.ts'
import { pollDelayMs } from './polling-pace.ts'

const idle = { view: 'form', isEnding: false, isUnderWay: false } as const
const asking = { view: 'asking', isEnding: false, isUnderWay: true } as const
const atBank = { view: 'form', isEnding: false, isUnderWay: true } as const
const ending = { view: 'form', isEnding: true, isUnderWay: true } as const

it('a finished payment is not polled; an idle hidden page is not polled either', () => {
  for (const view of ['paid', 'held', 'failed', 'expired'] as const)
    assert.equal(pollDelayMs({ ...idle, view }, 0, false), undefined)
  assert.equal(pollDelayMs(idle, 0, true), undefined)
  assert.equal(pollDelayMs(idle, 9, false), 15_000)
})

it('a state that can change soon is polled quickly at first, then more and more slowly', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((times) => pollDelayMs(ending, times, false)),
    [400, 800, 1_600, 2_500, 2_500],
  )
  assert.equal(pollDelayMs(asking, 0, false), 2_500)
  assert.equal(pollDelayMs(atBank, 0, false), 5_000)
  assert.equal(pollDelayMs(asking, 100, false), 10_000)
  assert.equal(pollDelayMs(asking, 0, true), 10_000)
})

it('the remaining time is shown as a clock', () => {
  assert.equal(clockText(300_000), '5:00')
  assert.equal(clockText(299_001), '5:00')
  assert.equal(clockText(61_000), '1:01')
  assert.equal(clockText(1), '0:01')
})
