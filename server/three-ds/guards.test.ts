import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import type { HttpClient } from '../../kit/outbound/http-client.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import { cavvFor } from '../../sandbox/index.ts'
import { gatedHttp, gatedSql, queryKindAndTable, stopAt } from '../../testing/crash/boundaries.ts'
import { jsonOf } from '../../testing/till/browser.ts'
import type { ChallengedPayment } from '../../testing/till/challenge.ts'
import { resultsRequest, startChallenge } from '../../testing/till/challenge.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import { setMerchantState } from '../merchants/suspend-merchant.ts'
import { sealReturnToken } from '../payments/addresses/return-token.ts'
import type { Services } from '../services.ts'
import { authenticateThenNextStep } from './authenticate-then-next-step.ts'
import type { Authentication } from './authentication.ts'
import { ownThreeDsProgressOf } from './browser-step.ts'
import { withResult } from './decide.ts'
import { finishAuthentication } from './finish-authentication.ts'
import { processDueAuthentications } from './process-due-authentications.ts'
import { proofOf, sealCryptogram } from './proof.ts'
import { receiveResults } from './receive-results.ts'
import { authenticationOfAttempt, updateAuthentication } from './store.ts'

const checkout = await testCheckout()
const { services, clock, merchant } = checkout

const frictionless = '5200000000002235'
const asking = '5200000000002151'
const mangled = '4000000000003162'
const cryptogram = cavvFor({ amount: 10_000, currency: 'TRY' }, Buffer.from('of tests'))

interface StartedAuthentication {
  id: number
  path: string
  started: Authentication
  /** Reports the browser data to an instance. */
  prove(instance?: Services): Promise<unknown>
}

/** A payment with a submitted card, before the AReq is sent. */
async function startWith(number: string): Promise<StartedAuthentication> {
  const { id, path } = await checkout.open()
  await checkout.browser().submit(path, number)
  const { attemptId } = await services.sql.one<{ attemptId: number }>(
    sql`select id as "attemptId" from payment_attempts where payment_id = ${id}`,
  )
  const started = await rowOf(attemptId)
  assert.equal(started.state, 'begun')
  const page = pageIn(path)
  const facts = {
    acceptHeader: '*/*',
    userAgent: 'a browser',
    acceptLanguage: 'tr',
    address: '203.0.113.7',
    script: {},
  }
  return {
    id,
    path,
    started,
    prove: (instance = services) => authenticateThenNextStep(instance, page, facts),
  }
}

const pageIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

async function rowOf(attemptId: number): Promise<Authentication> {
  const row = await authenticationOfAttempt(services.sql, { merchantId: merchant.id, attemptId })
  assert.ok(row)
  return row
}

/** State and decline code of an attempt. */
async function attemptOf({ attemptId }: Pick<Authentication, 'attemptId'>) {
  const { state, code } = await services.sql.one<{ state: string; code: string | null }>(
    sql`select state, code from payment_attempts where id = ${attemptId}`,
  )
  return [state, code]
}

/** Number of bank calls of an attempt. */
async function bankCallCount({ attemptId }: Pick<Authentication, 'attemptId'>): Promise<number> {
  const { count } = await services.sql.one<{ count: number }>(
    sql`select count(*)::int as count from bank_calls where attempt_id = ${attemptId}`,
  )
  return count
}

/** HTTP client that records the messages to the directory server. `instead` replaces the answers. */
function watchedHttp(instead?: (message: Record<string, unknown>) => object) {
  const kinds: string[] = []
  const http: HttpClient = {
    send: async (request) => {
      if (!request.url.endsWith('/directory')) return services.http.send(request)
      const message = JSON.parse(request.body ?? '{}')
      kinds.push(message.messageType)
      if (!instead) return services.http.send(request)
      return { status: 200, headers: new Headers(), body: Buffer.from(JSON.stringify(instead(message))) }
    },
  }
  return { http, kinds }
}

function erroTo({ messageVersion, threeDSServerTransID }: Record<string, unknown>) {
  return {
    messageType: 'Erro',
    messageVersion,
    threeDSServerTransID,
    errorCode: '203',
    errorComponent: 'D',
    errorDescription: 'wrong',
    errorDetail: 'mcc',
    errorMessageType: 'AReq',
  }
}

describe('the directory server', () => {
  it('is asked by one of two instances that both read the state begun', async () => {
    // The card stays sealed after the AReq, so a second AReq would be possible.
    const { started, prove } = await startWith(asking)
    const { http, kinds } = watchedHttp()
    const { gate, reached, goOn } = stopAt('before change authentications')
    const slow = prove({ ...services, http, sql: gatedSql(services.sql, gate, queryKindAndTable) })
    await reached
    await prove({ ...services, http })
    const challenging = await rowOf(started.attemptId)
    assert.equal(challenging.state, 'challenging')
    goOn()
    await slow
    await checkout.settle()
    assert.deepEqual(kinds, ['AReq'])
    assert.deepEqual(await rowOf(started.attemptId), challenging)
  })

  it('is never asked about an abandoned attempt, even if its card is still sealed', async () => {
    const { started, prove } = await startWith(frictionless)
    await services.sql.run(sql`update payment_attempts set state = 'abandoned', code = 'superseded',
      ended_at = ${clock.now()} where id = ${started.attemptId}`)
    const { http, kinds } = watchedHttp()
    await prove({ ...services, http })
    assert.deepEqual(kinds, [])
  })

  it('gets an Erro about an invalid answer', async () => {
    const { id, started, prove } = await startWith(mangled)
    const { http, kinds } = watchedHttp()
    await prove({ ...services, http })
    await checkout.settle()
    assert.deepEqual(kinds, ['AReq', 'Erro'])
    const { errorCode } = await services.sql.one<{ errorCode: string | null }>(
      sql`select error_code as "errorCode" from sandbox.authentications where server_trans_id = ${started.serverTransId}`,
    )
    assert.match(errorCode ?? '', /^\d{3}$/)
    assert.equal((await checkout.result(id)).transaction_code, '3DS-ERROR')
  })

  it('gets no Erro in answer to its own Erro', async () => {
    const { id, prove } = await startWith(frictionless)
    const { http, kinds } = watchedHttp(erroTo)
    await prove({ ...services, http })
    await checkout.settle()
    assert.deepEqual(kinds, ['AReq'])
    assert.equal((await checkout.result(id)).transaction_code, '3DS-ERROR')
  })

  it('changes nothing with an answer after the timeout: the attempt ends and the bank is not called', async () => {
    const { id, started, prove } = await startWith(frictionless)
    const { gate, reached, goOn } = stopAt('after call directory')
    const late = prove({ ...services, http: gatedHttp(services.http, gate) })
    await reached
    const stored = await rowOf(started.attemptId)
    assert.equal(stored.state, 'asking')
    const givenUp = withResult(services, stored, { status: 'timeout' })
    assert.ok(await updateAuthentication(services.sql, givenUp))
    goOn()
    await late
    await checkout.settle()
    assert.deepEqual(await attemptOf(started), ['authenticating', null])
    assert.deepEqual(await rowOf(started.attemptId), { ...givenUp, version: givenUp.version + 1 })
    clock.advance(60_000)
    await processDueAuthentications(services)
    assert.equal((await checkout.result(id)).transaction_code, '3DS-TIMEOUT')
    assert.equal(await bankCallCount(started), 0)
  })
})

describe('no bank is asked for a merchant that was suspended', () => {
  const suspend = async (t: TestContext) => {
    await setMerchantState(services, merchant.id, 'suspended')
    t.after(() => setMerchantState(services, merchant.id, 'active'))
  }
  const assertNotAsked = async (attempt: Pick<Authentication, 'attemptId'>) => {
    await checkout.settle()
    assert.deepEqual(await attemptOf(attempt), ['abandoned', 'merchant_suspended'])
    assert.equal(await bankCallCount(attempt), 0)
  }

  it('while the directory server was asked', async (t) => {
    const { started, prove } = await startWith(frictionless)
    const { gate, reached, goOn } = stopAt('after call directory')
    const proven = prove({ ...services, http: gatedHttp(services.http, gate) })
    await reached
    await suspend(t)
    goOn()
    await proven
    await assertNotAsked(started)
  })

  it('while the result of a challenge was written', async (t) => {
    const challenged = await startChallenge(checkout)
    const { gate, reached, goOn } = stopAt('before change authentications')
    const instance = { ...services, sql: gatedSql(services.sql, gate, queryKindAndTable) }
    const result = JSON.stringify(resultsRequest(challenged, { authenticationValue: cryptogram }))
    const received = receiveResults(instance, pageIn(challenged.resultsUrl), result)
    await reached
    await suspend(t)
    goOn()
    await received
    await assertNotAsked(challenged)
  })
})

describe('a cryptogram', () => {
  it('is stored only if the authentication is proven', async () => {
    const { started } = await startWith(frictionless)
    const result = { status: 'U', eci: '07', cavv: cryptogram } as const
    const refused = withResult(services, started, result)
    assert.deepEqual([refused.state, refused.proof], ['refused', null])
    assert.ok(withResult(services, started, result, ['U']).proof)
    const accepted = withResult(services, started, { ...result, cavv: null }, ['U'])
    assert.deepEqual([accepted.state, accepted.proof], ['proven', null])
  })

  it('is the proof: Y or A without it proves nothing, and N or R with it proves nothing', async () => {
    const { started } = await startWith(frictionless)
    const proof = sealCryptogram(services, started, cryptogram)
    for (const status of ['Y', 'A']) {
      assert.equal(proofOf(services, { ...started, status, proof: null }), undefined)
      assert.equal(proofOf(services, { ...started, status, proof })?.cavv, cryptogram)
    }
    for (const status of ['N', 'R', 'C', 'timeout', 'error', null])
      assert.equal(proofOf(services, { ...started, status, proof }), undefined)
    for (const status of ['U', 'I', 'not_enrolled'])
      assert.equal(proofOf(services, { ...started, status, proof: null })?.cavv, null)
  })

  it('that cannot be opened ends the attempt, and the payer can try again', async () => {
    const strange = { bytes: Buffer.alloc(60), keyId: '000000000000' }
    for (const proof of [null, strange]) {
      const { id, path, started } = await startWith(frictionless)
      const result = { status: 'Y', eci: '02', proof }
      await updateAuthentication(services.sql, { ...started, state: 'proven', dueAt: clock.now(), ...result })
      assert.equal(await finishAuthentication(services, started), true)
      assert.deepEqual(await attemptOf(started), ['abandoned', 'proof_lost'])
      assert.equal(await bankCallCount(started), 0)
      assert.equal((await checkout.result(id)).payment_status_text, 'waiting')
      assert.equal((await checkout.pageState(path)).takesCard, true)
    }
  })
})

describe('while another party has not answered', () => {
  it('finishing an authentication changes nothing', async () => {
    const { started } = await startWith(frictionless)
    assert.equal(await finishAuthentication(services, started), false)
    const { attemptId } = await startChallenge(checkout)
    const challenging = await rowOf(attemptId)
    assert.equal(await finishAuthentication(services, challenging), false)
    for (const each of [started, challenging]) {
      assert.deepEqual(await attemptOf(each), ['authenticating', null])
      assert.deepEqual(await rowOf(each.attemptId), each)
    }
  })

  it('the progress is proving; after a refusal it is refused', async () => {
    const { started } = await startWith(frictionless)
    const payment = { state: 'authenticating' } as const
    assert.equal(ownThreeDsProgressOf({ payment, authentication: started }), 'proving')
    await updateAuthentication(services.sql, withResult(services, started, { status: 'timeout' }))
    assert.equal(ownThreeDsProgressOf({ payment, authentication: await rowOf(started.attemptId) }), 'refused')
    assert.equal(ownThreeDsProgressOf({ payment: { state: 'open' }, authentication: started }), 'none')
  })
})

describe('a message to the results address', () => {
  const bring = async (url: string, message: object) =>
    jsonOf(await checkout.browser().postText(url, JSON.stringify(message)))

  it('with a yes after a no, before the no is applied, takes no money', async () => {
    const challenged = await startChallenge(checkout)
    const before = await rowOf(challenged.attemptId)
    const no = { status: 'N', reason: '01', eci: '07' } as const
    await updateAuthentication(services.sql, withResult(services, before, no))
    const refused = await rowOf(challenged.attemptId)
    const { resultsStatus } = await bring(
      challenged.resultsUrl,
      resultsRequest(challenged, { authenticationValue: cryptogram }),
    )
    await checkout.settle()
    assert.equal(resultsStatus, '01')
    assert.deepEqual(await rowOf(challenged.attemptId), refused)
    clock.advance(60_000)
    await processDueAuthentications(services)
    assert.deepEqual(await attemptOf(challenged), ['declined', '3DS-N-01'])
    assert.equal(await bankCallCount(challenged), 0)
  })

  it('that arrives before the ARes is refused as an unknown transaction', async () => {
    const { id, path, started } = await startWith(frictionless)
    await updateAuthentication(services.sql, { ...started, state: 'asking', askedAt: clock.now() })
    const stored = await rowOf(started.attemptId)
    const { attemptId } = started
    const returnToken = sealReturnToken(services, 'results', { attemptId, page: pageIn(path) })
    const early: ChallengedPayment = {
      id,
      path,
      attemptId,
      form: { action: '', fields: {} },
      serverTransId: started.serverTransId ?? '',
      acsTransId: newUuid(systemRandom),
      dsTransId: newUuid(systemRandom),
      resultsUrl: `${checkout.pageUrl}/3ds/results/${returnToken}`,
      challengeUrl: '',
    }
    const result = { messageVersion: started.protocol, eci: '02', authenticationValue: cryptogram }
    const erro = await bring(early.resultsUrl, resultsRequest(early, result))
    assert.deepEqual([erro.messageType, erro.errorCode], ['Erro', '301'])
    assert.deepEqual(await rowOf(attemptId), stored)
  })

  it('that is an Erro is not answered with an Erro, and changes nothing', async () => {
    const challenged = await startChallenge(checkout)
    const before = await rowOf(challenged.attemptId)
    const { serverTransId: threeDSServerTransID } = challenged
    const erro = erroTo({ messageVersion: '2.3.1', threeDSServerTransID })
    assert.deepEqual(await bring(challenged.resultsUrl, erro), {})
    assert.deepEqual(await rowOf(challenged.attemptId), before)
  })
})
