import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { systemClock } from '../../kit/runtime/clock.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { RealClock } from '../../testing/harness/clock.ts'
import { makeHome } from '../../testing/harness/embedded-home.ts'
import { FakeTime, whyNoFakeTime } from '../../testing/harness/faketime.ts'
import type { ServiceProcess } from '../../testing/harness/process.ts'
import { freePorts, startProcess } from '../../testing/harness/process.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { leaveUnknownCharges, rowsFromWrongClock } from '../../testing/till/instances.ts'
import type { Till } from '../../testing/till/till.ts'
import { testTill } from '../../testing/till/till.ts'

const dayMs = 24 * 60 * 60 * 1000

interface Instance extends ServiceProcess {
  time: FakeTime
  metricsUrl: string
}

/** Starts a program of the installation with its clock this many seconds ahead. */
async function startAhead(t: TestContext, till: Till, words: string[], aheadS: number, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-time-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const time = new FakeTime(folder, 'clock')
  time.setAhead(aheadS)
  const ports = await freePorts()
  const started = startProcess(t, ['./vezne', ...words], {
    ...ports,
    ...time.env,
    ...env,
    DATABASE_URL: till.database.url,
    VEZNE_SECRET: till.services.config.secret,
    VEZNE_HOME: join(makeHome(t), 'none'),
    SANDBOX_URL: till.bank.address,
    DRAIN_SECONDS: '0',
  })
  return { ...started, time, metricsUrl: `http://localhost:${ports.METRICS_PORT}/metrics` }
}

function startInstance(t: TestContext, till: Till, aheadS = 0): Promise<Instance> {
  return startAhead(t, till, ['start'], aheadS)
}

async function readiness({ url }: Instance): Promise<string> {
  const answer = await fetch(`${url}/readyz`)
  const { status, reason = '' } = (await answer.json()) as { status: string; reason?: string }
  return `${answer.status} ${status} ${reason}`.trim()
}

/** Polls until all instances report this state; the test's timeout ends a hanging process. */
async function until(instances: readonly Instance[], expectedState: string): Promise<void> {
  for (const instance of instances) {
    while ((await readiness(instance).catch(() => 'away')) !== expectedState) await systemClock.sleep(50)
  }
}

/** Waits for this many further measurements: at least as many seconds, and runs of every job. */
async function measurements(till: Till, count: number): Promise<void> {
  const sum = async () =>
    (
      await till.services.sql.one<{ sum: number }>(
        sql`select coalesce(sum(beats), 0)::int as sum from instances`,
      )
    ).sum
  const start = await sum()
  while ((await sum()) < start + count) await systemClock.sleep(50)
}

async function startPayment(till: Till, { url }: Instance): Promise<{ status: number; code: number | null }> {
  const answer = await fetch(`${url}/v1/payment/3ds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await till.token()}` },
    body: new URLSearchParams({ amount: '10000', currency: 'TRY' }),
  })
  const { error_code: code } = (await answer.json()) as { error_code: number | null }
  return { status: answer.status, code }
}

const served = { status: 200, code: null }
const away = { status: 503, code: 991 }
const ready = '200 ready'
const wrong = '503 not ready clock'

const why = whyNoFakeTime()

describe('processes with their own clocks', why === undefined ? {} : { skip: why }, () => {
  it('one with a wrong clock begins no work and does no harm, ahead or behind, jumping or drifting', async (t) => {
    const till = await testTill({ clock: new RealClock() })
    const instances = [await startInstance(t, till), await startInstance(t, till)] as const
    const [right, leaping] = instances
    await until(instances, ready)
    await leaveUnknownCharges(till)
    for (const aheadS of [4_000, -4_000, 90_000]) {
      leaping.time.setAhead(aheadS)
      await until([leaping], wrong)
      assert.deepEqual(await startPayment(till, leaping), away)
      assert.deepEqual(await startPayment(till, right), served)
      const metrics = await (await fetch(leaping.metricsUrl)).text()
      assert.match(metrics, /^vezne_clock_state\{state="(wrong|leapt)"\} 1$/m)
      await measurements(till, 4)
      assert.equal(await readiness(right), ready)
      assert.deepEqual(await rowsFromWrongClock(till), [])
      leaping.time.setAhead(0)
      await until([leaping], ready)
      assert.deepEqual(await startPayment(till, leaping), served)
    }
    for (let aheadS = 0; aheadS <= 16; aheadS += 0.5) {
      leaping.time.setAhead(aheadS)
      await systemClock.sleep(50)
    }
    await until([leaping], wrong)
    for (const { time } of instances) time.setAhead(600)
    await until(instances, wrong)
    await measurements(till, 8)
    assert.deepEqual(await rowsFromWrongClock(till), [])
    for (const { time } of instances) time.setAhead(0)
    await until(instances, ready)
    assert.deepEqual(await Promise.all(instances.map((each) => each.end('SIGTERM'))), [0, 0])
    assert.deepEqual(await till.services.sql.many(sql`select id from instances`), [])

    await till.pass(3 * dayMs)
    assert.deepEqual(await inconsistencies(till), [])
    const now = new Date(till.clock.now().getTime())
    assert.deepEqual(await till.services.sql.many(sql`select kind from events where created_at > ${now}`), [])
  })

  it('one that starts with a wrong clock is alive, answers 503, and becomes ready by itself', async (t) => {
    const till = await testTill({ clock: new RealClock() })
    const instance = await startInstance(t, till, 600)
    await instance.waitForLine('the clock of this instance is wrong')
    await instance.waitForLine('the service runs with a wrong clock')
    assert.equal(await readiness(instance), wrong)
    assert.equal((await fetch(`${instance.url}/livez`)).status, 200)
    assert.deepEqual(await startPayment(till, instance), away)
    const transaction = await fetch(`${instance.url}/v1/transaction/10000000000001`, {
      headers: { authorization: `Bearer ${await till.token()}` },
    })
    assert.equal(transaction.status, 503)
    instance.time.setAhead(0)
    await until([instance], ready)
    assert.deepEqual(await startPayment(till, instance), served)
    assert.equal(await instance.end('SIGTERM'), 0)
  })

  it('two that differ equally from the database continue, and log that its clock is wrong', async (t) => {
    const till = await testTill({ clock: new RealClock() })
    const instances = await Promise.all([startInstance(t, till, 600), startInstance(t, till, 600)])
    await until(instances, ready)
    for (const each of instances) await each.waitForLine('the clock of the database is wrong')
    for (const each of instances) assert.equal(await each.end('SIGTERM'), 0)
  })

  it('a command on a machine with a wrong clock does nothing and says how wrong it is', async (t) => {
    const till = await testTill({ clock: new RealClock() })
    const suspend = ['merchant', 'suspend', String(till.merchant.id)]
    for (const [aheadS, words] of [
      [600, 'ahead of'],
      [-600, 'behind'],
    ] as const) {
      const refused = await startAhead(t, till, suspend, aheadS)
      assert.equal(await refused.ended, 1)
      assert.match(
        refused.output(),
        new RegExp(`The clock of this machine is (599|600) seconds ${words} the database's`),
      )
      assert.equal((await till.result(await till.start())).payment_status, 0)
    }
    const forced = await startAhead(t, till, suspend, 600, { CLOCK_TOLERANCE_SECONDS: '0' })
    assert.equal(await forced.ended, 0, forced.output())
  })
})
