import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bareResponseDefinition, nullResultSchema, route } from '../../kit/api/route.ts'
import { objectSchema, textField } from '../../kit/input/fields.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable, RequestDeadlineExceeded, sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { countIdempotencyKeys, countNotes, createNotesTable } from '../../testing/harness/notes.ts'
import { pageApp } from '../page.ts'
import type { Services } from '../services.ts'
import type { BatchingSql } from './batching-sql.ts'
import { RequestDeadlines } from './request-deadlines.ts'

const deadlineMs = 120_000

/** Handler of the next requests, set by each test. */
let handle: (services: Services, title: string) => Promise<unknown> = async () => undefined

const workRoute = route({
  method: 'POST',
  url: '/v1/work',
  summary: 'Work',
  description: 'Does what the test says.',
  credential: 'secret',
  body: objectSchema({ title: textField('A title.', { max: 20 }) }),
  answer: bareResponseDefinition(nullResultSchema),
  handle: async (services: Services, _merchant, { body }) => {
    await handle(services, body.title)
    return null
  },
})

const api = await testApi({ routes: [workRoute], env: { RATE_LIMIT_PER_SECOND: '0' } })
const { database, clock, deadlines } = api
await createNotesTable(database.sql)

async function send(title: string, key?: string) {
  const headers = { 'accept-language': 'en', ...(key !== undefined && { 'idempotency-key': key }) }
  const token = await api.token()
  return api.callAtOnce({ method: 'POST', url: '/v1/work', token, form: `title=${title}`, headers })
}

let written = 0

const write = (database: Sql, title: string) =>
  database.run(sql`insert into notes (merchant_id, id, title) values (1, ${++written}, ${title})`)

interface Held {
  reached: Promise<void>
  letGo(): void
  /** Outcome of the handler, once it was released. */
  ended: Promise<unknown>
}

/** Makes the next handler write a note, wait until the test releases it, and write another one. */
function standStill(within: (services: Services, work: (sql: Sql) => Promise<void>) => Promise<void>): Held {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  handle = async (services, title) => {
    handle = async (own, again) => write(own.sql, again)
    const work = within(services, async (own) => {
      await write(own, title)
      reached.resolve()
      await released.promise
      await write(own, `${title}, late`)
    })
    work.then(() => ended.resolve('done'), ended.resolve)
    return work
  }
  return { reached: reached.promise, letGo: released.resolve, ended: ended.promise }
}

const ofRequest = (services: Services, work: (sql: Sql) => Promise<void>) => work(services.sql)
const ofItsOwn = (services: Services, work: (sql: Sql) => Promise<void>) => services.sql.transaction(work)

function passDeadline(): void {
  clock.advance(deadlineMs)
  deadlines.cancelLate()
}

/** Waits until only idle connections are left: PostgreSQL notices a closed one a moment later. */
async function noConnectionInUse(): Promise<void> {
  const held = sql`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend' and state <> 'idle'`
  for (let look = 0; (await database.sql.many(held)).length > 0; look++) {
    assert.ok(look < 500, 'a connection is still held')
    await systemClock.sleep(10)
  }
}

describe('a handler that does not return', () => {
  it('gets 503/991 exactly at its deadline, and the log and the metrics name it', async () => {
    const held = standStill(ofRequest)
    const answer = send('named', 'named')
    await held.reached
    clock.advance(deadlineMs - 1)
    deadlines.cancelLate()
    const { status: early } = await send('another', 'named')
    assert.equal(early, 409, 'its key is still in use')
    clock.advance(1)
    deadlines.cancelLate()
    const { status, json, headers } = await answer
    assert.deepEqual([status, json.error_code, headers['retry-after']], [503, 991, '2'])
    const line = api.lines.map((each) => JSON.parse(each)).find(({ msg }) => /deadline/.test(msg))
    const { level, request_id, merchant_id, method, route: pattern, seconds } = line
    assert.deepEqual(
      [level, request_id, merchant_id, method, pattern, seconds],
      ['error', headers['x-request-id'], api.merchant.id, 'POST', '/v1/work', 120],
    )
    const metrics = await api.services.metrics.registry.metrics()
    assert.match(metrics, /^vezne_late_requests_total\{app="api",route="\/v1\/work"\} 1$/m)
    held.letGo()
    assert.ok((await held.ended) instanceof RequestDeadlineExceeded)
  })

  it('frees its key immediately: the next request with it takes effect once, and the late one has none', async () => {
    const held = standStill(ofRequest)
    const late = send('keyed', 'keyed')
    await held.reached
    passDeadline()
    assert.equal((await late).status, 503)
    assert.equal((await send('keyed', 'keyed')).status, 200)
    held.letGo()
    assert.ok((await held.ended) instanceof RequestDeadlineExceeded)
    const again = await send('keyed', 'keyed')
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(await countNotes(database.sql, 'keyed'), 1)
    assert.equal(await countNotes(database.sql, 'keyed, late'), 0)
    assert.equal(await countIdempotencyKeys(database.sql, 'keyed'), 1)
  })

  it('does not free the key of the request after it when it resumes', async () => {
    const first = standStill(ofRequest)
    const late = send('twice', 'twice')
    await first.reached
    passDeadline()
    await late
    const second = standStill(ofRequest)
    const next = send('twice', 'twice')
    await second.reached
    first.letGo()
    await first.ended
    assert.equal((await send('twice', 'twice')).json.error_code, 950)
    second.letGo()
    assert.equal((await next).status, 200)
  })

  it('loses its transaction with the connection, which is not reused', async () => {
    const held = standStill(ofItsOwn)
    const pid = Promise.withResolvers<number>()
    const inner = handle
    handle = (services, title) =>
      inner({ ...services, sql: withPidReported(services.sql, pid.resolve) }, title)
    const late = send('own')
    await held.reached
    passDeadline()
    assert.equal((await late).status, 503)
    await noConnectionInUse()
    const mine = sql`select from pg_stat_activity where pid = ${await pid.promise}`
    assert.deepEqual(await database.sql.many(mine), [])
    held.letGo()
    assert.ok((await held.ended) instanceof RequestDeadlineExceeded)
    assert.equal(await countNotes(database.sql, 'own'), 0)
  })

  it('commits nothing when it resumes without a further query', async () => {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const work = Promise.withResolvers<unknown>()
    handle = async ({ sql: own }) => {
      const outcome = own.transaction(async (transaction) => {
        await write(transaction, 'silent')
        reached.resolve()
        await released.promise
      })
      outcome.then(() => work.resolve('committed'), work.resolve)
      await outcome
    }
    const late = send('silent')
    await reached.promise
    passDeadline()
    await late
    released.resolve()
    assert.ok((await work.promise) instanceof DatabaseUnavailable)
    assert.equal(await countNotes(database.sql, 'silent'), 0)
  })

  it('can send no further query outside a transaction either', async () => {
    const held = standStill(ofRequest)
    const late = send('alone')
    await held.reached
    passDeadline()
    await late
    held.letGo()
    assert.ok((await held.ended) instanceof RequestDeadlineExceeded)
    assert.equal(await countNotes(database.sql, 'alone'), 1, 'it stood alone, and was done before')
    assert.equal(await countNotes(database.sql, 'alone, late'), 0)
  })

  it('is cancelled during a query too, and the query has no effect', async () => {
    const asked = Promise.withResolvers<void>()
    handle = ({ sql: own }) =>
      own.transaction(async (transaction) => {
        await write(transaction, 'sleeping')
        const sleeping = transaction.run(sql`select pg_sleep(2)`)
        asked.resolve()
        await sleeping
      })
    const late = send('sleeping')
    await asked.promise
    const { total } = database.load()
    passDeadline()
    assert.equal((await late).status, 503)
    assert.equal(database.load().total, total - 1)
    await noConnectionInUse()
    assert.equal(await countNotes(database.sql, 'sleeping'), 0)
  })

  it('does not exhaust the pool, however many are late at the same time', async () => {
    const all = 10
    let reached = 0
    const allReached = Promise.withResolvers<void>()
    handle = async ({ sql: own }, title) => {
      await write(own, title)
      if (++reached === all) allReached.resolve()
      await new Promise(() => undefined)
    }
    const late = Array.from({ length: all }, (_, index) => send('many', `many ${index}`))
    await allReached.promise
    assert.deepEqual([database.load().total, database.load().idle], [all, 0])
    passDeadline()
    for (const { status } of await Promise.all(late)) assert.equal(status, 503)
    handle = async ({ sql: own }, title) => write(own, title)
    const next = Array.from({ length: 3 * all }, (_, index) => send('many', `many ${index % all}, ${index}`))
    for (const { status } of await Promise.all(next)) assert.equal(status, 200)
    assert.equal(await countNotes(database.sql, 'many'), 3 * all)
  })

  it('is cancelled at its deadline even if its caller has disconnected', async () => {
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const held = standStill(ofRequest)
    const hungUp = new AbortController()
    const asking = fetch(`${url}/v1/work`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await api.token()}`, 'idempotency-key': 'hung up' },
      body: new URLSearchParams({ title: 'hung up' }),
      signal: hungUp.signal,
    })
    await held.reached
    hungUp.abort()
    await assert.rejects(asking)
    assert.equal((await send('hung up', 'hung up')).status, 409)
    passDeadline()
    assert.equal((await send('hung up', 'hung up')).status, 200)
    held.letGo()
    assert.ok((await held.ended) instanceof RequestDeadlineExceeded)
    assert.equal(await countNotes(database.sql, 'hung up'), 1)
  })
})

/** A database that reports the connection of each transaction. */
function withPidReported(inner: BatchingSql, report: (pid: number) => void): BatchingSql {
  return Object.assign(Object.create(inner) as BatchingSql, {
    transaction: (work: (sql: BatchingSql) => Promise<void>) =>
      inner.transaction(async (transaction) => {
        const { pid } = await transaction.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        report(pid)
        await work(transaction)
      }),
  })
}

it('a request that was answered in time is not cancelled later, and its remaining work continues', async () => {
  const released = Promise.withResolvers<void>()
  let left: Promise<number> | undefined
  handle = async ({ sql: own }) => {
    left = released.promise.then(() => write(own, 'left'))
  }
  assert.equal((await send('left')).status, 200)
  passDeadline()
  released.resolve()
  assert.equal(await left, 1)
})

it('all requests under way are cancelled when the process ends', async () => {
  const held = standStill(ofRequest)
  const cut = send('ending', 'ending')
  await held.reached
  deadlines.cancelAll()
  assert.equal((await cut).status, 503)
  held.letGo()
  assert.ok((await held.ended) instanceof RequestDeadlineExceeded)
  await noConnectionInUse()
})

it('a late page gets 503 at its deadline, shown as a page to a browser', async () => {
  const ofPage = new RequestDeadlines('page', api.services)
  const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  const pages = pageApp(api.services, {
    readiness: async () => undefined,
    isClosing: () => false,
    deadlines: ofPage,
    routes: [
      {
        method: 'GET',
        url: '/never',
        handle: ({ sql: own }) =>
          own.transaction(async (transaction) => {
            await write(transaction, 'page')
            reached[count++]?.resolve()
            return new Promise(() => undefined)
          }),
      },
    ],
  })
  const seen = pages.inject({ url: '/never', headers: { accept: 'text/html' } })
  const told = pages.inject({ url: '/never' })
  await Promise.all(reached.map(({ promise }) => promise))
  clock.advance(deadlineMs)
  ofPage.cancelLate()
  const { statusCode, headers } = await seen
  assert.deepEqual([statusCode, headers['retry-after']], [503, '2'])
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.equal((await told).json().error_code, 991)
  await noConnectionInUse()
  assert.equal(await countNotes(database.sql, 'page'), 0)
  const metrics = await api.services.metrics.registry.metrics()
  assert.match(metrics, /^vezne_late_requests_total\{app="page",route="\/never"\} 2$/m)
  await pages.close()
})
