import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BackgroundJob } from '../../kit/runtime/job.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { silentLog, testDatabase } from '../../testing/harness/database.ts'
import { newInstance } from '../../testing/harness/new-instance.ts'
import { readConfig } from '../config.ts'
import type { Services } from '../services.ts'
import { repeatJob } from './repeat-job.ts'

const config = readConfig({ VEZNE_SECRET: 'a secret for tests, long enough for it' })
const instances = 3
const minuteMs = 60_000

/** Number of runs of a job in several instances during ten minutes after their start, each with its minute. */
async function runsOf(job: Omit<BackgroundJob<Services>, 'work' | 'name'>, count: number) {
  const { sql: database } = await testDatabase()
  const time = new TestClock()
  const ending = new AbortController()
  const runs: number[] = []
  const work = async () => {
    runs.push(Math.floor((time.now().getTime() - beganMs) / minuteMs))
    return count
  }
  const beganMs = time.now().getTime()
  const services = Array.from({ length: instances }, () =>
    newInstance({ config, clock: time, log: silentLog }, database),
  )
  const running = services.map((each) => repeatJob({ ...job, name: 'count', work }, each, ending.signal))
  await time.asleep(instances)
  const atStart = runs.splice(0).length
  for (let passedMs = 0; passedMs < 10 * minuteMs; passedMs += 5_000) {
    time.advance(5_000)
    await time.asleep(instances)
  }
  ending.abort()
  await Promise.all(running)
  return { atStart, later: runs }
}

it('a job runs at the start of every instance, and then once per interval in all together', async () => {
  const { atStart, later } = await runsOf({ everyMs: minuteMs }, 1)
  assert.equal(atStart, instances)
  assert.ok(later.length >= 9 && later.length <= 10, `${later.length}`)
  assert.equal(new Set(later).size, later.length)
})

it('a gauge is counted by every instance, and less often while it counts nothing', async () => {
  const counting = await runsOf({ everyMs: 15_000, isGauge: true }, 1)
  assert.deepEqual([counting.atStart, counting.later.length], [instances, instances * 40])
  const idle = await runsOf({ everyMs: 15_000, isGauge: true }, 0)
  assert.deepEqual([idle.atStart, idle.later.length], [instances, instances * 10])
})
