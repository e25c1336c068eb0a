import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { later } from '../../kit/runtime/clock.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { ChallengedPayment } from '../../testing/till/challenge.ts'
import { startChallenge } from '../../testing/till/challenge.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import { sealReturnToken } from '../payments/addresses/return-token.ts'
import type { Authentication } from './authentication.ts'
import { authenticationOfAttempt, updateAuthentication } from './store.ts'

const checkout = await testCheckout()
const { services, clock, merchant } = checkout
const browser = checkout.browser()

interface MethodRun {
  started: Authentication
  /** Address that the hidden frame posts to. */
  methodUrl: string
}

async function rowOf(attemptId: number): Promise<Authentication> {
  const row = await authenticationOfAttempt(services.sql, { merchantId: merchant.id, attemptId })
  assert.ok(row)
  return row
}

/** A payment whose 3DS Method is running. */
async function startMethod(): Promise<MethodRun> {
  const { id, path } = await checkout.open()
  await checkout.browser().submit(path, '4000000000002503')
  const { attemptId } = await services.sql.one<{ attemptId: number }>(
    sql`select id as "attemptId" from payment_attempts where payment_id = ${id}`,
  )
  const page = path.slice(path.lastIndexOf('/') + 1)
  const returnToken = sealReturnToken(services, 'method', { attemptId, page })
  return { started: await rowOf(attemptId), methodUrl: `${checkout.pageUrl}/3ds/method/${returnToken}` }
}

const encoded = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64url')

async function bringMethod({ methodUrl }: MethodRun, serverTransId: string | null): Promise<void> {
  const fields = { threeDSMethodData: encoded({ threeDSServerTransID: serverTransId }) }
  assert.equal((await browser.postForm({ action: methodUrl, fields })).status, 200)
}

async function bringChallenge({ challengeUrl, serverTransId, acsTransId }: ChallengedPayment): Promise<void> {
  const ids = { threeDSServerTransID: serverTransId, acsTransID: acsTransId }
  const cres = encoded({ messageType: 'CRes', messageVersion: '2.3.1', ...ids, transStatus: 'Y' })
  assert.equal((await browser.postForm({ action: challengeUrl, fields: { cres } })).status, 200)
}

describe('the end of the 3DS Method', () => {
  it('is recorded once', async () => {
    const run = await startMethod()
    await bringMethod(run, run.started.serverTransId)
    const completed = await rowOf(run.started.attemptId)
    assert.deepEqual(completed.methodCompletedAt, clock.now())
    clock.advance(1000)
    await bringMethod(run, run.started.serverTransId)
    assert.deepEqual(await rowOf(run.started.attemptId), completed)
  })

  it('is not recorded if it names another transaction', async () => {
    const [one, other] = [await startMethod(), await startMethod()]
    await bringMethod(one, other.started.serverTransId)
    await bringMethod(one, null)
    assert.deepEqual(await rowOf(one.started.attemptId), one.started)
    assert.deepEqual(await rowOf(other.started.attemptId), other.started)
  })

  it('changes nothing once the AReq is sent, so it cannot block writing the answer', async () => {
    const run = await startMethod()
    const { started } = run
    const dueAt = later(clock.now(), 30)
    await updateAuthentication(services.sql, { ...started, state: 'asking', askedAt: clock.now(), dueAt })
    const asking = await rowOf(started.attemptId)
    await bringMethod(run, started.serverTransId)
    assert.deepEqual(await rowOf(started.attemptId), asking)
  })
})

describe('the browser’s return from a challenge', () => {
  it('is recorded once: a repetition does not postpone the due time', async () => {
    const challenged = await startChallenge(checkout)
    await bringChallenge(challenged)
    const back = await rowOf(challenged.attemptId)
    assert.deepEqual(back.returnedAt, clock.now())
    assert.deepEqual(back.dueAt, later(clock.now(), services.config.resultSeconds))
    clock.advance(1000)
    await bringChallenge(challenged)
    assert.deepEqual(await rowOf(challenged.attemptId), back)
  })

  it('does not postpone an earlier due time', async () => {
    const challenged = await startChallenge(checkout)
    const before = await rowOf(challenged.attemptId)
    const dueAt = later(clock.now(), 1)
    await updateAuthentication(services.sql, { ...before, dueAt })
    await bringChallenge(challenged)
    const back = await rowOf(challenged.attemptId)
    assert.deepEqual([back.returnedAt, back.dueAt], [clock.now(), dueAt])
  })

  it('does not change an ended authentication', async () => {
    const challenged = await startChallenge(checkout)
    const before = await rowOf(challenged.attemptId)
    const ended = { state: 'refused', status: 'N', reason: '01', endedAt: clock.now(), dueAt: null } as const
    await updateAuthentication(services.sql, { ...before, ...ended })
    const after = await rowOf(challenged.attemptId)
    clock.advance(1000)
    await bringChallenge(challenged)
    assert.deepEqual(await rowOf(challenged.attemptId), after)
  })
})
