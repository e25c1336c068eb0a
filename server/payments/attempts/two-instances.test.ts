import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { HttpClient } from '../../../kit/outbound/http-client.ts'
import { NoHttpResponse, networkHttpClient } from '../../../kit/outbound/http-client.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { cards } from '../../../sandbox/index.ts'
import type { BoundaryGate } from '../../../testing/crash/boundaries.ts'
import { gatedHttp, gatedSql, recordingHttp, stopAt } from '../../../testing/crash/boundaries.ts'
import { TestClock } from '../../../testing/harness/clock.ts'
import { silentLog } from '../../../testing/harness/database.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { testCard, testPageToken, testPayer, testProof } from '../../../testing/harness/payer.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import { processDueAttempts } from '../../../testing/till/process-due.ts'
import type { Till } from '../../../testing/till/till.ts'
import { testTill } from '../../../testing/till/till.ts'
import { openDatabase } from '../../database/pool.ts'
import type { Services } from '../../services.ts'
import { processPaymentDeadlines } from '../deadlines/process-payment-deadlines.ts'
import { authorizeAttempt } from './authorize-attempt.ts'
import type { CardSubmission } from './submit-card.ts'
import { submitCard } from './submit-card.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs
const approving = '5400360000000003'

/** Short schedules, so that a payer can return before the page expires after a reversal. */
const quick = { INQUIRE_AFTER_SECONDS: '60,120', REVERSE_AGAIN_AFTER_SECONDS: '60,300' }

/** Another instance with separate connections. */
function instanceOn(
  till: Till,
  own: { clock?: Clock; http?: HttpClient; gate?: BoundaryGate } = {},
): Services {
  const { services, database, clock } = till
  const { sql: pool, close } = openDatabase({ url: database.url }, 5, silentLog)
  after(close)
  const http = own.http ?? networkHttpClient(own.clock ?? clock)
  const { gate } = own
  const instance = newInstance(
    { ...services, clock: own.clock ?? clock },
    gate ? gatedSql(pool, gate) : pool,
    gate ? gatedHttp(http, gate) : http,
  )
  return instance
}

function cardOfFault(name: string): string {
  const card = cards.find(({ fault }) => fault?.name === name)
  if (!card) throw new Error('there is no such card')
  return card.number
}

async function submitted(till: Till, paymentId: number, pan = approving): Promise<number> {
  const submission = await till.submit(paymentId, pan)
  if (submission.outcome !== 'begun') throw new Error(`the card was not taken: ${submission.outcome}`)
  return submission.attempt.id
}

function submissionWith(pan: string): CardSubmission {
  return {
    name: null,
    card: testCard(pan),
    payer: testPayer,
    installment: 1,
    chargedMinor: 10_000,
    payerAddress: '203.0.113.7',
    language: 'tr' as const,
    page: testPageToken,
  }
}

async function eventsOf(till: Till): Promise<{ kind: string; count: number }[]> {
  return till.services.sql.many(
    sql`select kind, count(*)::int as count from events group by kind order by kind`,
  )
}

describe('two instances at the same time', () => {
  it('expire two hundred payments with one event each', async () => {
    const till = await testTill()
    const instances = [instanceOn(till), instanceOn(till)]
    for (let count = 0; count < 10; count++) await Promise.all(Array.from({ length: 20 }, () => till.start()))
    till.clock.advance(31 * minuteMs)
    const counts = await Promise.all(
      [...instances, ...instances].map((instance) => processPaymentDeadlines(instance)),
    )
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      200,
    )
    assert.deepEqual(await eventsOf(till), [{ kind: 'payment.expired', count: 200 }])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('query, void and refund as often as one instance', async () => {
    const faults = cards.filter(({ fault }) => fault?.answer === 'lost' || fault?.extraMinor)
    const requestsOf = async (count: number) => {
      const till = await testTill()
      const requests: string[] = []
      const instances = Array.from({ length: count }, () =>
        instanceOn(till, { http: recordingHttp(networkHttpClient(till.clock), requests) }),
      )
      const nameOf = new Map<string, string>()
      for (const { number, fault } of [...faults, ...faults, ...faults]) {
        const { context } = await till.pay(await till.start(), number)
        nameOf.set(String(context?.attempt.id), fault?.name ?? '')
      }
      for (let passedMs = 0; passedMs < 4 * hourMs; passedMs += minuteMs) {
        till.clock.advance(minuteMs)
        const pass = () =>
          Promise.all(
            instances.flatMap((instance) => [
              processPaymentDeadlines(instance),
              processDueAttempts(instance),
            ]),
          )
        while ((await pass()).some((done) => done > 0));
      }
      const recorded = await till.services.sql.one<{ count: number }>(
        sql`select count(*)::int as count from bank_calls where operation not in ('authorize', 'manual')`,
      )
      assert.equal(recorded.count, requests.length)
      assert.deepEqual(await inconsistencies(till), [])
      return requests.map((request) => request.replace(/\d+$/, (id) => nameOf.get(id) ?? id)).sort()
    }
    const [alone, together] = [await requestsOf(1), await requestsOf(2)]
    assert.ok(alone.length > 100)
    assert.deepEqual(together, alone)
  })

  it('ask a bank once if both receive the proof of authentication', async () => {
    const till = await testTill()
    const requests: string[] = []
    const http = recordingHttp(networkHttpClient(till.clock), requests)
    const instances = [instanceOn(till, { http }), instanceOn(till, { http })]
    for (let pass = 0; pass < 20; pass++) {
      const attemptId = await submitted(till, await till.start())
      const answers = await Promise.all(
        [...instances, ...instances].map((instance) =>
          authorizeAttempt(instance, till.merchant, { attemptId }, testProof),
        ),
      )
      assert.equal(answers.filter(({ outcome }) => outcome === 'asked').length, 1)
    }
    assert.equal(requests.length, 20)
    assert.deepEqual(await eventsOf(till), [{ kind: 'payment.succeeded', count: 20 }])
    assert.deepEqual(await inconsistencies(till), [])
  })
})

describe('an instance that dies during its lease', () => {
  it('keeps its attempt until the lease ends; then another instance takes over', async () => {
    const till = await testTill()
    const stop = stopAt('before call status')
    await till.pay(await till.start(), cardOfFault('lost'))
    till.clock.advance(minuteMs)
    const clock = new TestClock(till.clock.now().toISOString())
    const dead = instanceOn(till, { gate: stop.gate, clock })
    void processDueAttempts(dead)
    await stop.reached
    const requests: string[] = []
    const other = instanceOn(till, { http: recordingHttp(networkHttpClient(till.clock), requests) })
    till.clock.advance(134_000)
    assert.equal(await processDueAttempts(other), 0)
    assert.deepEqual(requests, [])
    till.clock.advance(1_000)
    assert.equal(await processDueAttempts(other), 1)
    assert.equal(requests.length, 1)
    assert.deepEqual(await inconsistencies(till), [])
  })
})

describe('an instance that was paused', () => {
  it('for too long between recording a call and making it does not make the call', async () => {
    const till = await testTill()
    const stop = stopAt('after begin')
    const requests: string[] = []
    const http = recordingHttp(networkHttpClient(till.clock), requests)
    const sleeper = instanceOn(till, { gate: stop.gate, http })
    const paymentId = await till.start()
    const attemptId = await submitted(till, paymentId)
    const asking = authorizeAttempt(sleeper, till.merchant, { attemptId }, testProof)
    await stop.reached
    till.clock.advance(11_000)
    stop.goOn()
    const answer = await asking
    assert.equal(answer.outcome, 'not_asked')
    assert.equal(answer.context?.payment.state, 'open')
    assert.deepEqual(requests, [])
    await till.pay(paymentId, approving)
    await till.pass(2 * hourMs)
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('and asks after a reversal gets its charge reversed, even if the payer paid another way', async () => {
    for (const isPaidOtherwise of [true, false]) {
      const till = await testTill({ env: quick })
      const stop = stopAt('before call sale')
      const sleeper = instanceOn(till, { gate: stop.gate })
      const paymentId = await till.start()
      const attemptId = await submitted(till, paymentId)
      const asking = authorizeAttempt(sleeper, till.merchant, { attemptId }, testProof)
      await stop.reached
      await till.pass(3 * minuteMs)
      if (isPaidOtherwise) await till.pay(paymentId, approving)
      stop.goOn()
      const answer = await asking
      assert.equal(answer.context?.attempt.state, 'reversing')
      assert.equal((await till.bank.line(String(attemptId)))?.taken, 10_000)
      await till.pass(2 * hourMs)
      assert.equal((await till.bank.line(String(attemptId)))?.taken, 0)
      const status = (await till.result(paymentId)).payment_status_text
      assert.equal(status, isPaidOtherwise ? 'success' : 'failed')
      assert.deepEqual(await inconsistencies(till), [])
    }
  })

  it('with an approval does not change the result that others got by a query', async () => {
    const till = await testTill()
    const stop = stopAt('after call sale')
    const sleeper = instanceOn(till, { gate: stop.gate })
    const paymentId = await till.start()
    const attemptId = await submitted(till, paymentId)
    const asking = authorizeAttempt(sleeper, till.merchant, { attemptId }, testProof)
    await stop.reached
    await till.pass(2 * minuteMs)
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
    stop.goOn()
    assert.equal((await asking).context?.attempt.state, 'approved')
    await till.pass(2 * hourMs)
    assert.deepEqual(await eventsOf(till), [{ kind: 'payment.succeeded', count: 1 }])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('with an approval that others have reversed or are reversing leaves it reversed', async () => {
    for (const moment of ['before call void', 'after call void', 'before finish', 'after finish']) {
      const till = await testTill({ env: quick })
      const stop = stopAt('after call sale')
      const sleeper = instanceOn(till, { gate: stop.gate })
      const attemptId = await submitted(till, await till.start())
      const asking = authorizeAttempt(sleeper, till.merchant, { attemptId }, testProof)
      await stop.reached
      // The instance that processes it meanwhile gets no answers to queries.
      const deaf = instanceOn(till, { http: withoutQueries(networkHttpClient(till.clock)) })
      for (const ms of [minuteMs, minuteMs]) {
        till.clock.advance(ms)
        await processDueAttempts(deaf)
      }
      const undoing = stopAt(moment)
      const reverser = instanceOn(till, {
        http: withoutQueries(networkHttpClient(till.clock)),
        gate: undoing.gate,
      })
      const processing = processDueAttempts(reverser)
      await undoing.reached
      stop.goOn()
      await asking
      undoing.goOn()
      await processing
      await till.pass(2 * hourMs)
      assert.equal((await till.bank.line(String(attemptId)))?.taken, 0, moment)
      assert.deepEqual(await inconsistencies(till), [], moment)
    }
  })
})

describe('an instance that was paused after reading a payment', () => {
  it('does not expire the payment if it was paid meanwhile', async () => {
    const till = await testTill()
    const stop = stopAt('before change')
    const ahead = new TestClock(new Date(till.clock.now().getTime() + hourMs).toISOString())
    const paymentId = await till.start()
    const expiring = processPaymentDeadlines(instanceOn(till, { clock: ahead, gate: stop.gate }))
    await stop.reached
    await till.pay(paymentId, approving)
    stop.goOn()
    assert.equal(await expiring, 0)
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('begins no attempt if another one began or paid meanwhile', async () => {
    for (const isPaid of [false, true]) {
      const till = await testTill()
      const stop = stopAt('before change')
      const sleeper = instanceOn(till, { gate: stop.gate })
      const paymentId = await till.start()
      const submitting = submitCard(sleeper, till.merchant, { paymentId }, submissionWith(approving))
      await stop.reached
      const attemptId = await submitted(till, paymentId)
      if (isPaid) await till.authorize(attemptId)
      stop.goOn()
      const state = isPaid ? 'paid' : 'authenticating'
      assert.deepEqual(await submitting, { outcome: 'not_open', state })
      if (!isPaid) assert.equal((await till.authorize(attemptId)).outcome, 'asked')
      await till.pass(hourMs)
      assert.equal((await till.result(paymentId)).payment_status_text, 'success')
      assert.deepEqual(await inconsistencies(till), [])
    }
  })
})

describe('an instance whose clock is wrong', () => {
  for (const skewMs of [2 * hourMs, -2 * hourMs, 48 * hourMs]) {
    it(`by ${skewMs / hourMs} hours leaves a consistent state`, async () => {
      const till = await testTill({ env: quick })
      const wrong = new TestClock(new Date(till.clock.now().getTime() + skewMs).toISOString())
      const instance = instanceOn(till, { clock: wrong, http: networkHttpClient(till.clock) })
      const names = ['lost', 'late', 'very-late', 'lost-undone', 'void-lost', 'other-amount']
      for (const pan of [approving, ...names.map(cardOfFault)]) {
        const [first, second] = [await till.start(), await till.start()]
        const stop = stopAt('before call sale')
        const sleeper = instanceOn(till, { gate: stop.gate })
        const attemptId = await submitted(till, first, pan)
        const asking = authorizeAttempt(sleeper, till.merchant, { attemptId }, testProof)
        await stop.reached
        while ((await processDueAttempts(instance)) + (await processPaymentDeadlines(instance)) > 0);
        stop.goOn()
        await asking
        const submission = await till.submit(second, pan)
        if (submission.outcome === 'begun')
          await authorizeAttempt(instance, till.merchant, { attemptId: submission.attempt.id }, testProof)
        while ((await processDueAttempts(instance)) + (await processPaymentDeadlines(instance)) > 0);
      }
      // Work that it postponed by its wrong clock becomes due in this time.
      await till.pass(Math.max(skewMs, 0) + 30 * hourMs)
      assert.deepEqual(await inconsistencies(till), [])
    })
  }
})

function withoutQueries(http: HttpClient): HttpClient {
  return {
    send: async (request) => {
      if (request.url.endsWith('/status'))
        throw new NoHttpResponse('nobody answers', { mayHaveArrived: true })
      return http.send(request)
    },
  }
}
