import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { later } from '../../kit/runtime/clock.ts'
import type { Query } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable, sql } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import { cavvFor } from '../../sandbox/index.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import { startChallenge } from '../../testing/till/challenge.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import type { Authentication } from './authentication.ts'
import { processAuthentication, processDueAuthentications } from './process-due-authentications.ts'
import { sealCryptogram } from './proof.ts'
import { authenticationOfAttempt, updateAuthentication } from './store.ts'

const checkout = await testCheckout()
const { services, clock, merchant } = checkout

const codeOf = async (id: number) => (await checkout.result(id)).transaction_code
const secondMs = 1000

describe('an authentication does not wait forever', () => {
  it('the issuer gives up a payer who never opens the challenge after 30 seconds', async () => {
    const { id } = await startChallenge(checkout)
    clock.advance(31 * secondMs)
    await checkout.processAuthentications()
    assert.equal(await codeOf(id), '3DS-N-14')
  })

  it('the issuer gives up a payer who opens the challenge and does nothing after ten minutes', async () => {
    const { id, form } = await startChallenge(checkout)
    await checkout.browser().answer(form, { reaction: 'waits' })
    clock.advance((services.config.challengeSeconds - 5) * secondMs)
    await checkout.processAuthentications()
    assert.equal(await codeOf(id), null)
    clock.advance(10 * secondMs)
    await checkout.processAuthentications()
    assert.equal(await codeOf(id), '3DS-N-14')
  })

  it('the service gives up an issuer that never sends a result, and the payer can try again', async () => {
    const { id, path } = await startChallenge(checkout)
    const { challengeSeconds, resultSeconds } = services.config
    clock.advance((challengeSeconds + 60 + resultSeconds + 1) * secondMs)
    // Runs our job only: the bank is down.
    await processDueAuthentications(services)
    assert.equal(await codeOf(id), '3DS-TIMEOUT')
    const { takesCard, view } = await checkout.pageState(path)
    assert.deepEqual([view, takesCard], ['form', true])
  })
})

describe('after a killed process', () => {
  it('an authentication waiting for the directory server is given up: its answer is lost', async () => {
    const { id, started } = await startWith('5200000000002235')
    await updateAuthentication(services.sql, { ...started, state: 'asking', dueAt: clock.now() })
    await processDueAuthentications(services)
    assert.equal(await codeOf(id), '3DS-TIMEOUT')
  })

  async function prove(started: Authentication): Promise<void> {
    const cryptogram = cavvFor({ amount: 10_000, currency: 'TRY' }, Buffer.from('of tests'))
    const proof = sealCryptogram(services, started, cryptogram)
    const result = { status: 'Y', eci: '02', dsTransId: newUuid(systemRandom), proof }
    await updateAuthentication(services.sql, { ...started, state: 'proven', dueAt: clock.now(), ...result })
  }

  it('a proven attempt is authorized by another instance, and the cryptogram is erased', async () => {
    const { id, started } = await startWith('5200000000002235')
    await prove(started)
    await processDueAuthentications(services)
    assert.equal((await checkout.result(id)).payment_status_text, 'success')
    const after = await authenticationOfAttempt(services.sql, started)
    assert.deepEqual([after?.proof, after?.dueAt], [null, null])
  })

  it('a proven attempt that another card has replaced calls no bank, and the cryptogram is erased', async () => {
    const { started, path } = await startWith('5200000000002235')
    await prove(started)
    await checkout.browser().submit(path, '5200000000002151')
    await processDueAuthentications(services)
    const after = await authenticationOfAttempt(services.sql, started)
    assert.deepEqual([after?.proof, after?.dueAt], [null, null])
    assert.equal((await checkout.pageState(path)).view, 'form')
  })

  it('a refused attempt is declined by another instance', async () => {
    const { id, started } = await startWith('5200000000002235')
    const result = { status: 'N', reason: '10', eci: '00' }
    await updateAuthentication(services.sql, { ...started, state: 'refused', dueAt: clock.now(), ...result })
    await processDueAuthentications(services)
    assert.equal(await codeOf(id), '3DS-N-10')
  })

  it('a proof sealed with a lost secret takes no money: the payer can try again', async () => {
    const { id, started } = await startWith('5200000000002235')
    const proof = { bytes: Buffer.alloc(60), keyId: '000000000000' }
    const result = { status: 'Y', eci: '02', proof }
    await updateAuthentication(services.sql, { ...started, state: 'proven', dueAt: clock.now(), ...result })
    await processDueAuthentications(services)
    const { payment_status_text, transaction_code } = await checkout.result(id)
    assert.deepEqual([payment_status_text, transaction_code], ['waiting', null])
  })
})

describe('a proven authentication', () => {
  it('is finished by several instances at the same time, and the bank is called once', async () => {
    const { id, path } = await checkout.open()
    const browser = checkout.browser()
    await browser.submit(path, '4000000000002701')
    await browser.prove(path, { reaction: 'right code' })
    await Promise.all([1, 2, 3, 4].map(() => processDueAuthentications(services)))
    await checkout.settle()
    clock.advance(20 * secondMs)
    await Promise.all([1, 2, 3, 4].map(() => processDueAuthentications(services)))
    assert.equal((await checkout.result(id)).payment_status_text, 'success')
    const { count } = await services.sql.one<{ count: number }>(
      sql`select count(*)::int as count from bank_calls where payment_id = ${id}`,
    )
    assert.equal(count, 1)
  })
})

describe('an authentication that has not ended', () => {
  it('is given up at its due time and not before', async () => {
    const { id, attemptId } = await startChallenge(checkout)
    const ownedId = { merchantId: merchant.id, attemptId }
    const before = await authenticationOfAttempt(services.sql, ownedId)
    assert.ok(before?.dueAt)
    clock.advance(before.dueAt.getTime() - clock.now().getTime() - 1)
    await processAuthentication(services, ownedId)
    assert.deepEqual(await authenticationOfAttempt(services.sql, ownedId), before)
    clock.advance(1)
    await processAuthentication(services, ownedId)
    assert.equal(await codeOf(id), '3DS-TIMEOUT')
  })

  it('is retried after a minute if processing fails, and does not hold up others', async () => {
    const [failing, other] = [await startWith('5200000000002235'), await startWith('5200000000002235')]
    const result = { state: 'refused', status: 'N', reason: '10', eci: '00', dueAt: clock.now() } as const
    for (const { started } of [failing, other])
      await updateAuthentication(services.sql, { ...started, ...result })
    // All queries except the read of the authentication.
    const breaks = ({ text, values }: Query) =>
      values.includes(failing.started.attemptId) && !text.includes('from authentications')
    const broken = sqlWith(services.sql, {
      maybe: async (query) => {
        if (breaks(query)) throw new DatabaseUnavailable('the connection broke')
        return services.sql.maybe(query)
      },
    })
    assert.equal(await processDueAuthentications({ ...services, sql: broken }), 2)
    const dueAt = async () => (await authenticationOfAttempt(services.sql, failing.started))?.dueAt
    assert.deepEqual(await dueAt(), later(clock.now(), 60))
    assert.equal(await codeOf(failing.id), null)
    assert.equal(await codeOf(other.id), '3DS-N-10')
    assert.equal(await processDueAuthentications(services), 0)
    clock.advance(60 * secondMs)
    assert.equal(await processDueAuthentications(services), 1)
    assert.equal(await codeOf(failing.id), '3DS-N-10')
    assert.equal(await dueAt(), null)
  })
})

/** A payment with a submitted card, before the AReq is sent. */
async function startWith(number: string): Promise<{ id: number; path: string; started: Authentication }> {
  const { id, path } = await checkout.open()
  await checkout.browser().submit(path, number)
  const { attemptId } = await services.sql.one<{ attemptId: number }>(
    sql`select id as "attemptId" from payment_attempts where payment_id = ${id}`,
  )
  const started = await authenticationOfAttempt(services.sql, { merchantId: merchant.id, attemptId })
  assert.equal(started?.state, 'begun')
  return { id, path, started }
}
