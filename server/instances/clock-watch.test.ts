import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import type { TestInstance } from '../../testing/till/instances.ts'
import { TimedDatabase, testInstance } from '../../testing/till/instances.ts'
import { readConfig } from '../config.ts'

const config = readConfig({ VEZNE_SECRET: 'a secret for tests, long enough for it' })

/**
 * Instances of one installation, and a function that passes seconds, with one measurement by each instance
 * per second.
 */
async function installation(count: number) {
  const { sql: inner } = await testDatabase()
  const time = new TestClock()
  const database = new TimedDatabase(inner, time)
  const instances = Array.from({ length: count }, () => testInstance(database, time, config))
  const pass = async (seconds: number, which: readonly TestInstance[] = instances) => {
    for (let second = 0; second < seconds; second++) {
      time.advance(1_000)
      for (const { watch } of which) await watch.measure()
    }
  }
  const [first, second] = instances as [TestInstance, TestInstance]
  await pass(12)
  return { inner, time, database, instances, first, second, pass }
}

const countLines = ({ lines }: TestInstance, words: string) =>
  lines.filter((line) => line.includes(words)).length

describe('the clock of an instance', () => {
  for (const aheadMs of [11_000, -11_000, 600_000, -600_000]) {
    it(`is wrong at ${aheadMs / 1000} seconds from the database's after two measurements, and right again after two`, async () => {
      const { first, pass } = await installation(1)
      assert.equal(first.watch.state, 'right')
      first.machine.aheadMs = aheadMs
      await pass(2)
      assert.equal(first.watch.state, 'wrong')
      assert.equal(countLines(first, 'the clock of this instance is wrong'), 1)
      const metrics = await first.metrics.registry.metrics()
      assert.match(metrics, new RegExp(`^vezne_clock_offset_seconds ${aheadMs / 1000}$`, 'm'))
      assert.match(metrics, /^vezne_clock_state\{state="wrong"\} 1$/m)
      assert.match(metrics, /^vezne_clock_state\{state="right"\} 0$/m)
      first.machine.aheadMs = 0
      await pass(1)
      assert.equal(first.watch.state, 'wrong')
      await pass(1)
      assert.equal(first.watch.state, 'right')
      assert.equal(countLines(first, 'the clock is right'), 1)
    })
  }

  it('that the start found neither right nor wrong is logged once it is right', async () => {
    const { sql: inner } = await testDatabase()
    const time = new TestClock()
    const instance = testInstance(new TimedDatabase(inner, time), time, config)
    const measure = instance.watch.measure.bind(instance.watch)
    let count = 0
    instance.watch.measure = () => {
      instance.machine.aheadMs = count++ === 0 ? 600_000 : 0
      return measure()
    }
    await instance.watch.begin()
    assert.equal(instance.watch.state, 'unconfirmed')
    for (let second = 0; second < 3; second++) await instance.watch.measure()
    assert.equal(instance.watch.state, 'right')
    assert.equal(countLines(instance, 'the clock is right'), 1)
  })

  it('is right within the tolerance', async () => {
    const { first, pass } = await installation(1)
    for (const aheadMs of [9_900, -9_900]) {
      first.machine.aheadMs = aheadMs
      await pass(3)
      // A jump from one end to the other exceeds the tolerance, but two measurements confirm the clock.
      assert.equal(first.watch.state, 'right')
    }
  })

  it('is found wrong when it drifts, and its time stays within the tolerance', async () => {
    const { time, first, pass } = await installation(1)
    for (let second = 0; second < 60; second++) {
      first.machine.aheadMs += 400
      await pass(1)
      const errorMs = first.clock.now().getTime() - time.now().getTime()
      assert.ok(errorMs <= 10_800, `${errorMs}`)
      assert.equal(first.watch.state === 'right', first.machine.aheadMs <= 10_000, `${second}`)
    }
  })

  it('is compared with the middle of the round trip, and not compared if that was slow', async () => {
    const { database, first, pass } = await installation(1)
    database.tookMs = 1_000
    await pass(1)
    const metrics = await first.metrics.registry.metrics()
    assert.match(metrics, /^vezne_clock_offset_seconds 0$/m)
    database.tookMs = 1_002
    database.machine.aheadMs = 600_000
    await pass(5)
    assert.equal(first.watch.state, 'right')
  })

  it('that jumps together with the database’s, as after a suspend, is right two measurements later, without a log line', async () => {
    const { database, first, pass } = await installation(1)
    const linesBefore = first.lines.length
    first.machine.aheadMs = 600_000
    database.machine.aheadMs = 600_000
    assert.equal(first.watch.state, 'leapt')
    await pass(2)
    assert.equal(first.watch.state, 'right')
    assert.equal(first.lines.length, linesBefore)
  })

  it('is measured at the start until two measurements count; a database that is too slow is logged', async () => {
    const { database, time } = await installation(0)
    database.tookMs = 1_500
    const late = testInstance(database, time, config)
    await late.watch.begin()
    assert.equal(late.watch.state, 'unconfirmed')
    assert.equal(countLines(late, 'the clock could not be measured'), 1)
    database.tookMs = 0
    await late.watch.begin()
    assert.equal(late.watch.state, 'right')
  })

  it('that is wrong from the start is logged, and cannot be used', async () => {
    const { inner, time } = await installation(0)
    const database = new TimedDatabase(inner, time)
    const late = testInstance(database, time, config)
    late.machine.aheadMs = 600_000
    await late.watch.begin()
    assert.equal(late.clock.fault, 'unconfirmed')
    assert.equal(countLines(late, 'the clock of this instance is wrong'), 1)
    late.machine.aheadMs = 0
    await late.watch.begin()
    assert.equal(late.clock.fault, undefined)
  })
})

describe('of several instances', () => {
  it('one that differs from the database is wrong, whatever the others are', async () => {
    const { first, second, pass } = await installation(2)
    second.machine.aheadMs = 600_000
    await pass(20)
    assert.equal(first.watch.state, 'right')
    assert.equal(second.watch.state, 'wrong')
  })

  it('all that differ equally from the database are right: its clock is logged as wrong, and work continues', async () => {
    const { database, instances, pass } = await installation(2)
    database.machine.aheadMs = -600_000
    for (let second = 0; second < 30; second++) {
      await pass(1)
      for (const { clock } of instances) assert.equal(clock.fault, undefined, `second ${second}`)
    }
    for (const each of instances) {
      assert.equal(each.watch.state, 'database_wrong')
      assert.equal(countLines(each, 'the clock of the database is wrong'), 1)
      assert.equal(countLines(each, 'the clock of this instance is wrong'), 0)
    }
    database.machine.aheadMs = 0
    await pass(2)
    for (const { watch } of instances) assert.equal(watch.state, 'right')
  })

  it('two that start next to a wrong database clock find each other, and work begins', async () => {
    const { time, database, instances, pass } = await installation(0)
    database.machine.aheadMs = 600_000
    instances.push(...[1, 2].map(() => testInstance(database, time, config)))
    await pass(5)
    for (const { watch } of instances) assert.equal(watch.state, 'database_wrong')
  })

  it('two that jump together are wrong, although they agree with each other', async () => {
    const { instances, pass } = await installation(2)
    for (const { machine } of instances) machine.aheadMs = 600_000
    await pass(20)
    for (const { watch } of instances) assert.equal(watch.state, 'wrong')
  })

  it('a single one next to a wrong database clock begins no work, because it cannot tell which clock is wrong', async () => {
    const { database, first, pass } = await installation(1)
    database.machine.aheadMs = 600_000
    await pass(20)
    assert.equal(first.watch.state, 'wrong')
  })

  it('two that disagree with each other and with the database are both wrong', async () => {
    const { database, instances, first, pass } = await installation(2)
    database.machine.aheadMs = 600_000
    first.machine.aheadMs = -600_000
    await pass(20)
    for (const { watch } of instances) assert.equal(watch.state, 'wrong')
  })

  it('a killed one does not count, because its row no longer changes', async () => {
    const { database, first, second, pass } = await installation(2)
    await pass(30, [first])
    database.machine.aheadMs = 600_000
    await pass(20, [first])
    assert.equal(first.watch.state, 'wrong')
    await pass(10, [first, second])
    assert.equal(first.watch.state, 'database_wrong')
  })

  it('one that ends deletes its row, and a killed one is deleted by an instance that starts a day later', async () => {
    const { inner, time, database, first, pass } = await installation(2)
    const rows = () => inner.many(sql`select id from instances`)
    assert.equal((await rows()).length, 2)
    const ending = new AbortController()
    const watching = first.watch.watch(ending.signal)
    ending.abort()
    await watching
    assert.equal((await rows()).length, 1)
    time.advance(25 * 60 * 60 * 1000)
    const late = testInstance(database, time, config)
    await pass(12, [late])
    assert.equal((await rows()).length, 1)
  })
})
