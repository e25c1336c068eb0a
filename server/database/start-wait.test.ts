import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { systemClock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import { DatabaseUnavailable } from '../../kit/runtime/sql.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { emptyDatabase, silentLog } from '../../testing/harness/database.ts'
import { databaseProxy, refusingProxy } from '../../testing/harness/proxy.ts'
import { StartInterrupted, StartWait, waitForDatabase } from './start-wait.ts'

const { url } = await emptyDatabase()
const startingUp = 'the database system is starting up'

interface Line {
  reason: string
  seconds_left: number
}

/** A log that keeps its warnings, and a promise of the first. */
function recordingLog() {
  const lines: Line[] = []
  const first = Promise.withResolvers<void>()
  const warn: Log['warn'] = (fields) => {
    lines.push(fields as Line)
    first.resolve()
  }
  return { log: { ...silentLog, warn }, lines, firstWarning: first.promise }
}

async function recovering(t: TestContext, state = '57P03', message = startingUp) {
  const proxy = await refusingProxy(url, state, message)
  t.after(() => proxy.close())
  return proxy
}

const elsewhere = (name: string) => url.replace(/[^/]*$/, name)

describe('a database that does not accept connections yet', () => {
  it('is waited for, with one log line that gives the reason, and no longer than necessary', async (t) => {
    const proxy = await recovering(t)
    const { log, lines, firstWarning } = recordingLog()
    const waiting = waitForDatabase({ url: proxy.url }, { clock: systemClock, log, limitMs: 60_000 })
    await firstWarning
    proxy.letIn()
    await waiting
    const [line] = lines
    assert.deepEqual([lines.length, line?.reason], [1, startingUp])
    assert.ok(line && line.seconds_left > 50)
  })

  it('because it closes connections without a message is waited for too', async (t) => {
    let isUp = false
    const proxy = await databaseProxy(url, () => ({
      ask: (bytes, database, client) => (isUp ? database.write(bytes) : client.destroy()),
      answer: (bytes, client) => client.write(bytes),
    }))
    t.after(() => proxy.close())
    const { log, firstWarning } = recordingLog()
    const waiting = waitForDatabase({ url: proxy.url }, { clock: systemClock, log, limitMs: 60_000 })
    await firstWarning
    isUp = true
    await waiting
  })

  it('for longer than the limit is unavailable, and the error gives the limit', async (t) => {
    const proxy = await recovering(t)
    const options = { clock: systemClock, log: silentLog, limitMs: 1_000 }
    await assert.rejects(waitForDatabase({ url: proxy.url }, options), (error: Error) => {
      assert.ok(error instanceof DatabaseUnavailable)
      assert.equal(error.message, `${startingUp}, even after 1 s (DATABASE_WAIT_SECONDS)`)
      return true
    })
  })

  it('is not waited for with a limit of 0: a closed port, a missing socket, a recovery', async (t) => {
    const proxy = await recovering(t)
    const { log, lines } = recordingLog()
    const options = { clock: systemClock, log, limitMs: 0 }
    const reasons = [
      ['postgres://x@127.0.0.1:1/x', /^connect ECONNREFUSED/],
      ['postgres://x@%2Fnowhere/x', /^connect ENOENT/],
      [proxy.url, new RegExp(`^${startingUp}$`)],
    ] as const
    for (const [away, message] of reasons)
      await assert.rejects(waitForDatabase({ url: away }, options), { message })
    assert.deepEqual(lines, [])
  })

  it('is waited for if it may come up: a closed port, a missing socket', async () => {
    for (const away of [
      'postgres://x@127.0.0.1:1/x',
      'postgres://x@localhost:1/x',
      'postgres://x@%2Fnowhere/x',
    ]) {
      const { log, firstWarning } = recordingLog()
      const ending = new AbortController()
      const options = { clock: systemClock, log, limitMs: 60_000, signal: ending.signal }
      const ended = assert.rejects(waitForDatabase({ url: away }, options), StartInterrupted)
      await firstWarning
      ending.abort()
      await ended
    }
  })
})

it('a fault that waiting does not fix fails immediately: a wrong password, a missing database or user', async (t) => {
  const wrongPassword = await recovering(t, '28P01', 'password authentication failed for user "x"')
  const tooMany = await recovering(t, '53300', 'sorry, too many clients already')
  const { log, lines } = recordingLog()
  for (const [wrong, message] of [
    [wrongPassword.url, /password authentication failed for user "x"$/],
    [tooMany.url, /too many clients already$/],
    [elsewhere('nowhere'), /database "nowhere" does not exist$/],
    [url.replace(/\/\/[^@]*@/, '//nobody_at_all@'), /role "nobody_at_all" does not exist$/],
  ] as const) {
    const options = { clock: systemClock, log, limitMs: 1_000 }
    await assert.rejects(waitForDatabase({ url: wrong }, options), { message })
  }
  assert.deepEqual(lines, [])
})

describe('a wait', () => {
  it('says what it waits for at once and every ten seconds, and ends at its limit', async () => {
    const clock = new TestClock()
    const { log, lines } = recordingLog()
    const wait = new StartWait({ clock, log, limitMs: 25_000 })
    for (let second = 0; !wait.isOver; second++) {
      const pausing = wait.pause(1_000, `reason ${second}`)
      clock.advance(1_000)
      await pausing
    }
    assert.deepEqual(lines, [
      { reason: 'reason 0', seconds_left: 25 },
      { reason: 'reason 10', seconds_left: 15 },
      { reason: 'reason 20', seconds_left: 5 },
    ])
  })

  it('that is short logs nothing', async () => {
    const clock = new TestClock()
    const { log, lines } = recordingLog()
    const wait = new StartWait({ clock, log, limitMs: 60_000, quietMs: 2_000 })
    for (let look = 0; look < 3; look++) {
      assert.equal(lines.length, 0)
      const pausing = wait.pause(1_000, 'any')
      clock.advance(1_000)
      await pausing
    }
    assert.equal(lines.length, 1)
  })

  it('ends as soon as the program is told to end, even before it begins', async () => {
    const clock = new TestClock()
    const ending = new AbortController()
    const wait = new StartWait({ clock, log: silentLog, limitMs: 60_000, signal: ending.signal })
    const pausing = assert.rejects(wait.pause(1_000, 'any'), StartInterrupted)
    ending.abort()
    await pausing
    await assert.rejects(wait.pause(1_000, 'any'), StartInterrupted)
  })
})
