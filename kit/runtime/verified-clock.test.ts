import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SkewedClock, TestClock } from '../../testing/harness/clock.ts'
import { VerifiedClock } from './verified-clock.ts'

const toleranceMs = 10_000

/** A verified clock over a machine's clock, confirmed right by default. */
function clocks({ isFoundRight = true } = {}) {
  const time = new TestClock()
  const machine = new SkewedClock(time)
  const clock = new VerifiedClock(machine, toleranceMs)
  const measure = (isRight: boolean | undefined, times = 1) => {
    for (let count = 0; count < times; count++) {
      time.advance(1_000)
      clock.note(isRight)
    }
  }
  if (isFoundRight) measure(true, 2)
  return { time, machine, clock, measure, trueTime: () => time.monotonicMs() }
}

describe('a verified clock', () => {
  it('is trusted only after two measurements in a row found it right', () => {
    const { clock, measure } = clocks({ isFoundRight: false })
    assert.equal(clock.fault, 'unconfirmed')
    measure(true)
    assert.equal(clock.fault, 'unconfirmed')
    measure(false)
    measure(true)
    assert.equal(clock.fault, 'unconfirmed')
    measure(true)
    assert.equal(clock.fault, undefined)
  })

  it('blocks work after one bad measurement, and is wrong after two in a row', () => {
    const { clock, measure } = clocks()
    measure(false)
    assert.equal(clock.fault, 'doubted')
    measure(true)
    assert.equal(clock.fault, undefined)
    measure(false, 2)
    assert.equal(clock.fault, 'wrong')
    measure(true)
    assert.equal(clock.fault, 'wrong')
    measure(true)
    assert.equal(clock.fault, undefined)
  })

  for (const leapMs of [600_000, -600_000]) {
    it(`ignores a leap of the machine's clock by ${leapMs / 1000} seconds, from the moment it happens`, () => {
      const { machine, clock, measure, trueTime } = clocks()
      machine.aheadMs = leapMs
      assert.equal(clock.fault, 'leapt')
      assert.equal(clock.now().getTime(), trueTime())
      measure(false, 5)
      assert.equal(clock.fault, 'wrong')
      assert.equal(clock.now().getTime(), trueTime())
      machine.aheadMs = 0
      measure(true, 2)
      assert.equal(clock.fault, undefined)
      assert.equal(clock.now().getTime(), trueTime())
    })
  }

  it('follows a leap that two measurements confirm, for example after the machine slept', () => {
    const { machine, clock, measure, trueTime } = clocks()
    machine.aheadMs = 600_000
    measure(true)
    assert.equal(clock.fault, 'leapt')
    assert.equal(clock.now().getTime(), trueTime())
    measure(true)
    assert.equal(clock.fault, undefined)
    assert.equal(clock.now().getTime(), trueTime() + 600_000)
  })

  it('follows small steps of the machine’s clock, and no drift beyond the tolerance', () => {
    const { machine, clock, measure, trueTime } = clocks()
    for (let aheadMs = 0; aheadMs <= toleranceMs; aheadMs += 500) {
      machine.aheadMs = aheadMs
      measure(true)
      assert.equal(clock.fault, undefined)
      assert.equal(clock.now().getTime(), trueTime() + aheadMs)
    }
    for (let aheadMs = toleranceMs + 500; aheadMs <= 6 * toleranceMs; aheadMs += 500) {
      machine.aheadMs = aheadMs
      measure(false)
      assert.notEqual(clock.fault, undefined)
      assert.ok(clock.now().getTime() - trueTime() <= toleranceMs + 1_000)
    }
  })

  it('blocks work when it was not measured for long; a slow measurement counts as one', () => {
    const { time, clock, measure } = clocks()
    time.advance(11_000)
    assert.equal(clock.fault, 'unmeasured')
    measure(undefined)
    assert.equal(clock.fault, undefined)
    measure(undefined, 60)
    assert.equal(clock.fault, undefined)
  })

  it('is doubted for some seconds and then unmeasured if every answer is slow', () => {
    const { clock, measure } = clocks()
    measure(false)
    measure(undefined, 5)
    assert.equal(clock.fault, 'doubted')
    measure(undefined, 6)
    assert.equal(clock.fault, 'unmeasured')
    measure(true)
    assert.equal(clock.fault, undefined)
  })

  it('shows the machine’s time, right or wrong, until it was confirmed once', () => {
    const { machine, clock, measure } = clocks({ isFoundRight: false })
    machine.aheadMs = 600_000
    measure(false, 3)
    assert.equal(clock.now().getTime(), machine.now().getTime())
    assert.equal(clock.fault, 'unconfirmed')
  })
})
