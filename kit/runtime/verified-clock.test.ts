import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SkewedClock, TestClock } from '../../testing/harness/clock.ts'
import { VerifiedClock } from './verified-clock.ts'

const toleranceMs = 10_000

/** A steady clock over a machine's clock, found right unless told otherwise. */
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

describe('a steady clock', () => {
  it('may be relied on after two measurements in a row have found it right, and not before', () => {
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

  it('lets no work begin after one bad measurement, and is wrong after two in a row', () => {
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
    it(`goes on as before when the machine's clock leaps by ${leapMs / 1000} seconds, at that very moment`, () => {
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

  it('follows the machine over a leap that two measurements confirm, as after a sleep of the machine', () => {
    const { machine, clock, measure, trueTime } = clocks()
    machine.aheadMs = 600_000
    measure(true)
    assert.equal(clock.fault, 'leapt')
    assert.equal(clock.now().getTime(), trueTime())
    measure(true)
    assert.equal(clock.fault, undefined)
    assert.equal(clock.now().getTime(), trueTime() + 600_000)
  })

  it('follows small steps of the machine, and no drift beyond the tolerance', () => {
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

  it('lets no work begin when it was not measured for long, and takes a slow measurement for one', () => {
    const { time, clock, measure } = clocks()
    time.advance(11_000)
    assert.equal(clock.fault, 'unmeasured')
    measure(undefined)
    assert.equal(clock.fault, undefined)
    measure(undefined, 60)
    assert.equal(clock.fault, undefined)
  })

  it('is doubted for some seconds, and then counts as not measured where every answer is slow', () => {
    const { clock, measure } = clocks()
    measure(false)
    measure(undefined, 5)
    assert.equal(clock.fault, 'doubted')
    measure(undefined, 6)
    assert.equal(clock.fault, 'unmeasured')
    measure(true)
    assert.equal(clock.fault, undefined)
  })

  it('shows the time of the machine, right or wrong, until it was once found right', () => {
    const { machine, clock, measure } = clocks({ isFoundRight: false })
    machine.aheadMs = 600_000
    measure(false, 3)
    assert.equal(clock.now().getTime(), machine.now().getTime())
    assert.equal(clock.fault, 'unconfirmed')
  })
})
