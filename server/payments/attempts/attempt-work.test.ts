import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { HttpClient } from '../../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../../kit/outbound/http-client.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { attemptIdOf } from '../../../testing/harness/bank.ts'
import { processDueAttempts } from '../../../testing/till/process-due.ts'
import { testTill } from '../../../testing/till/till.ts'
import type { Services } from '../../services.ts'
import { paymentDeadlineJob, processPaymentDeadlines } from '../deadlines/process-payment-deadlines.ts'
import { attemptJob } from './attempt-work.ts'

const minuteMs = 60_000
const bonus = '5400360000000003'
const world = '5451030000000000'

function jobByName(name: string) {
  const job = [attemptJob, paymentDeadlineJob].find((each) => each.name === name)
  assert.ok(job)
  return job
}

/** A bank that does not answer about these charges until the shutdown. */
function silentAbout(http: HttpClient, attempts: ReadonlySet<string>): HttpClient {
  return {
    send: (request) => {
      const { reference } = JSON.parse(request.body ?? '{}')
      if (!attempts.has(attemptIdOf({ reference }))) return http.send(request)
      return new Promise((_resolve, fail) => {
        const end = () => fail(new NoHttpResponse('the service is stopping', { mayHaveArrived: true }))
        request.signal?.addEventListener('abort', end)
      })
    },
  }
}

it('a silent bank delays only its own attempts, and does not delay the shutdown', async () => {
  const till = await testTill()
  const lost: HttpClient = {
    send: async () => {
      throw new NoHttpResponse('lost', { mayHaveArrived: true })
    },
  }
  const unanswered = async (pan: string) => {
    const inner = till.services.http
    till.services.http = lost
    const { context } = await till.pay(await till.start(), pan)
    till.services.http = inner
    return context?.attempt.id ?? 0
  }
  const silent = await unanswered(bonus)
  const services: Services = {
    ...till.services,
    http: silentAbout(till.services.http, new Set([String(silent)])),
  }
  const job = jobByName('process due attempts')
  const ending = new AbortController()
  till.clock.advance(minuteMs)
  await job.work(services, ending.signal)
  const other = await unanswered(world)
  till.clock.advance(minuteMs)
  assert.equal(await job.work(services, ending.signal), 1, 'the lane of the silent bank is not begun again')
  const queriesOf = async (id: number) =>
    services.sql.many(sql`select outcome from bank_calls where attempt_id = ${id} and operation = 'inquiry'`)
  while ((await queriesOf(other)).every((call) => !('outcome' in call) || call.outcome === null));
  assert.deepEqual(await queriesOf(other), [{ outcome: 'absent' }])
  assert.deepEqual(await queriesOf(silent), [{ outcome: null }])
  ending.abort()
  await services.tasks.drain()
  assert.deepEqual(await queriesOf(silent), [{ outcome: 'unknown' }])
})

it('one pass processes a limited number of attempts per POS, so that other POS do not wait', async () => {
  const till = await testTill()
  for (let index = 0; index < 25; index++) await till.pay(await till.start(), '4190000000000101')
  till.clock.advance(minuteMs)
  assert.equal(await processDueAttempts(till.services), 20)
  assert.equal(await processDueAttempts(till.services), 5)
  assert.equal(await processDueAttempts(till.services), 0)
})

it('payments that fail to expire do not keep others from expiring', async () => {
  const till = await testTill()
  const broken = await Promise.all(Array.from({ length: 100 }, () => till.start()))
  till.clock.advance(1_000)
  const healthy = await Promise.all(Array.from({ length: 3 }, () => till.start()))
  await till.services.sql.run(
    sql`update payments set state = 'authenticating', attempt_id = 1 where id = any(${broken})`,
  )
  till.clock.advance(31 * minuteMs)
  for (let pass = 0; pass < 2; pass++) await processPaymentDeadlines(till.services)
  for (const id of healthy) assert.equal((await till.result(id)).transaction_status_text, 'expired')
})
