import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { ChallengedPayment } from '../../testing/till/challenge.ts'
import { startChallenge } from '../../testing/till/challenge.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import { sealReturnToken } from '../payments/addresses/return-token.ts'
import type { Authentication } from './authentication.ts'
import { addSeconds } from './authentication.ts'
import { authenticationOfAttempt, updateAuthentication } from './store.ts'

const checkout = await testCheckout()
const { services, clock, merchant } = checkout
const browser = checkout.browser()

interface MethodRun {
  started: Authentication
  /** Where the hidden frame comes back to. */
  methodUrl: string
}

async function rowOf(attemptId: number): Promise<Authentication> {
  const row = await authenticationOfAttempt(services.sql, { merchantId: merchant.id, attemptId })
  assert.ok(row)
  return row
}

/** A payment whose bank is looking at the browser. */
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

describe('that the bank has looked at the browser', () => {
  it('counts once', async () => {
    const run = await startMethod()
    await bringMethod(run, run.started.serverTransId)
    const completed = await rowOf(run.started.attemptId)
    assert.deepEqual(completed.methodCompletedAt, clock.now())
    clock.advance(1000)
    await bringMethod(run, run.started.serverTransId)
    assert.deepEqual(await rowOf(run.started.attemptId), completed)
  })

  it('does not count for one transaction when it is said of another', async () => {
    const [one, other] = [await startMethod(), await startMethod()]
    await bringMethod(one, other.started.serverTransId)
    await bringMethod(one, null)
    assert.deepEqual(await rowOf(one.started.attemptId), one.started)
    assert.deepEqual(await rowOf(other.started.attemptId), other.started)
  })

  it('changes nothing once the bank is asked, so that nobody keeps its answer from being written', async () => {
    const run = await startMethod()
    const { started } = run
    const dueAt = addSeconds(clock.now(), 30)
    await updateAuthentication(services.sql, { ...started, state: 'asking', askedAt: clock.now(), dueAt })
    const asking = await rowOf(started.attemptId)
    await bringMethod(run, started.serverTransId)
    assert.deepEqual(await rowOf(started.attemptId), asking)
  })
})

describe('that the browser is back from the challenge', () => {
  it('counts once: whoever repeats it does not put off when it is over', async () => {
    const challenged = await startChallenge(checkout)
    await bringChallenge(challenged)
    const back = await rowOf(challenged.attemptId)
    assert.deepEqual(back.returnedAt, clock.now())
    assert.deepEqual(back.dueAt, addSeconds(clock.now(), services.config.resultSeconds))
    clock.advance(1000)
    await bringChallenge(challenged)
    assert.deepEqual(await rowOf(challenged.attemptId), back)
  })

  it('does not put off the end that was near', async () => {
    const challenged = await startChallenge(checkout)
    const before = await rowOf(challenged.attemptId)
    const dueAt = addSeconds(clock.now(), 1)
    await updateAuthentication(services.sql, { ...before, dueAt })
    await bringChallenge(challenged)
    const back = await rowOf(challenged.attemptId)
    assert.deepEqual([back.returnedAt, back.dueAt], [clock.now(), dueAt])
  })

  it('changes nothing of what has come to an end', async () => {
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
