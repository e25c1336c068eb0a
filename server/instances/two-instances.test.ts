import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../kit/runtime/sql.ts'
import { longIt } from '../../testing/harness/tier.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import type { TestInstance } from '../../testing/till/instances.ts'
import {
  leaveUnknownCharges,
  rowsFromWrongClock,
  runJobsOnce,
  TimedDatabase,
  testInstance,
  unknownOutcomeFaults,
} from '../../testing/till/instances.ts'
import type { Till } from '../../testing/till/till.ts'
import { testTill } from '../../testing/till/till.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const dayMs = 24 * 60 * minuteMs

/** Total time with a wrong clock: shorter than the schedule's time until a reversal. */
const minutes = 40

interface Step {
  /** Index of the instance whose clock is set or drifts from now on. */
  which: 0 | 1
  aheadS: number
  driftS: number
}

const step: fc.Arbitrary<Step> = fc.record({
  which: fc.constantFrom(0, 1),
  aheadS: fc.constantFrom(0, 0, 8, 600, 4_000, 90_000, -8, -600, -4_000, -90_000),
  driftS: fc.constantFrom(0, 0, 0, 1, -1, 30),
})

/** Runs the jobs of both instances every 20 seconds while one clock is wrong or drifts. */
async function live(
  till: Till,
  instances: readonly TestInstance[],
  { which, aheadS, driftS }: Step,
  s: number,
) {
  const machine = instances[which]?.machine ?? assert.fail()
  const work = async () => {
    for (const { services } of instances) await runJobsOnce(services)
  }
  machine.aheadMs = aheadS * secondMs
  for (let second = 0; second < s; second += 20) {
    machine.aheadMs += driftS * secondMs
    // The jobs run before any measurement sees the jump.
    await work()
    for (const ms of [18_000, 1_000, 1_000]) {
      till.clock.advance(ms)
      for (const { watch } of instances) await watch.measure()
    }
    await work()
  }
}

describe('two instances whose clocks jump and drift', () => {
  longIt('write nothing too early and no future times, and agree with the bank in the end', async () => {
    const run = async (steps: Step[]) => {
      const till = await testTill()
      const { clock: time, services } = till
      const database = new TimedDatabase(services.sql, time)
      const instances = [1, 2].map(() => testInstance(database, time, services.config))
      for (const { watch } of instances) await watch.begin()
      await leaveUnknownCharges(till)
      for (const each of steps) {
        await live(till, instances, each, (minutes * 60) / steps.length)
        assert.deepEqual(await rowsFromWrongClock(till), [])
      }
      for (const { machine } of instances) machine.aheadMs = 0
      await till.pass(3 * dayMs)
      assert.deepEqual(await inconsistencies(till), [])
      const now = time.now()
      assert.deepEqual(await services.sql.many(sql`select kind from events where created_at > ${now}`), [])
    }
    const lives = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), run)
    await fc.assert(lives, { numRuns: 10 })
  })
})

describe('an instance whose clock is wrong from its start', () => {
  for (const aheadS of [4_000, -4_000]) {
    it(`takes no due work at ${aheadS} seconds from the true time, and takes it by itself once the clock is right`, async () => {
      const till = await testTill()
      const { clock: time, services } = till
      await leaveUnknownCharges(till)
      time.advance(2 * minuteMs)
      const calls = () => services.sql.many(sql`select id, answered_at from bank_calls order by id`)
      const before = await calls()
      const database = new TimedDatabase(services.sql, time)
      const { machine, watch, services: late } = testInstance(database, time, services.config)
      machine.aheadMs = aheadS * secondMs
      await watch.begin()
      await runJobsOnce(late)
      assert.deepEqual(await calls(), before)
      assert.deepEqual(await rowsFromWrongClock(till), [])
      machine.aheadMs = 0
      await watch.begin()
      await runJobsOnce(late)
      assert.equal((await calls()).length, before.length + unknownOutcomeFaults.length)
    })
  }
})
