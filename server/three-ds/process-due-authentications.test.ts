import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Query } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable, sql } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import { cavvFor } from '../../sandbox/index.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import { startChallenge } from '../../testing/till/challenge.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import type { Authentication } from './authentication.ts'
import { addSeconds } from './authentication.ts'
import { processAuthentication, processDueAuthentications } from './process-due-authentications.ts'
import { sealCryptogram } from './proof.ts'
import { authenticationOfAttempt, updateAuthentication } from './store.ts'

const checkout = await testCheckout()
const { services, clock, merchant } = checkout

const codeOf = async (id: number) => (await checkout.result(id)).transaction_code
const secondMs = 1000

describe('nobody waits for ever', () => {
  it('a payer who never opens the bank’s question is given up by the bank after half a minute', async () => {
    const { id } = await startChallenge(checkout)
    clock.advance(31 * secondMs)
    await checkout.processAuthentications()
    assert.equal(await codeOf(id), '3DS-N-14')
  })

  it('a payer who looks at the question and does nothing is given up after ten minutes', async () => {
    const { id, form } = await startChallenge(checkout)
    await checkout.browser().answer(form, { reaction: 'waits' })
    clock.advance((services.config.challengeSeconds - 5) * secondMs)
    await checkout.processAuthentications()
    assert.equal(await codeOf(id), null)
    clock.advance(10 * secondMs)
    await checkout.processAuthentications()
    assert.equal(await codeOf(id), '3DS-N-14')
  })

  it('a bank that says nothing at all is given up, and the payer may try again', async () => {
    const { id, path } = await startChallenge(checkout)
    const { challengeSeconds, resultSeconds } = services.config
    clock.advance((challengeSeconds + 60 + resultSeconds + 1) * secondMs)
    // Ours alone: the bank is away.
    await processDueAuthentications(services)
    assert.equal(await codeOf(id), '3DS-TIMEOUT')
    const { takesCard, view } = await checkout.pageState(path)
    assert.deepEqual([view, takesCard], ['form', true])
  })
})

describe('what a process leaves that is killed', () => {
  it('while the directory server is asked is given up: nobody will hear the answer', async () => {
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

  it('behind the yes of the issuer is gone on with, by another one, and the cryptogram is erased', async () => {
    const { id, started } = await startWith('5200000000002235')
    await prove(started)
    await processDueAuthentications(services)
    assert.equal((await checkout.result(id)).payment_status_text, 'success')
    const after = await authenticationOfAttempt(services.sql, started)
    assert.deepEqual([after?.proof, after?.dueAt], [null, null])
  })

  it('behind the yes of the issuer asks no bank once the payer has taken another card, and erases the cryptogram', async () => {
    const { started, path } = await startWith('5200000000002235')
    await prove(started)
    await checkout.browser().submit(path, '5200000000002151')
    await processDueAuthentications(services)
    const after = await authenticationOfAttempt(services.sql, started)
    assert.deepEqual([after?.proof, after?.dueAt], [null, null])
    assert.equal((await checkout.pageState(path)).view, 'form')
  })

  it('behind the no of the issuer is ended by another one', async () => {
    const { id, started } = await startWith('5200000000002235')
    const result = { status: 'N', reason: '10', eci: '00' }
    await updateAuthentication(services.sql, { ...started, state: 'refused', dueAt: clock.now(), ...result })
    await processDueAuthentications(services)
    assert.equal(await codeOf(id), '3DS-N-10')
  })

  it('with a secret that nobody has any more takes no money: the payer tries again', async () => {
    const { id, started } = await startWith('5200000000002235')
    const proof = { bytes: Buffer.alloc(60), keyId: '000000000000' }
    const result = { status: 'Y', eci: '02', proof }
    await updateAuthentication(services.sql, { ...started, state: 'proven', dueAt: clock.now(), ...result })
    await processDueAuthentications(services)
    const { payment_status_text, transaction_code } = await checkout.result(id)
    assert.deepEqual([payment_status_text, transaction_code], ['waiting', null])
  })
})

describe('what was proven', () => {
  it('is finished by any number of instances at once, and the money is taken once', async () => {
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

describe('what is not done yet', () => {
  it('is given up at its time, and not before, whoever looks at it', async () => {
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

  it('and fails is retried after a minute, and holds up no other', async () => {
    const [failing, other] = [await startWith('5200000000002235'), await startWith('5200000000002235')]
    const result = { state: 'refused', status: 'N', reason: '10', eci: '00', dueAt: clock.now() } as const
    for (const { started } of [failing, other])
      await updateAuthentication(services.sql, { ...started, ...result })
    // Everything but the look at the authentication itself.
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
    assert.deepEqual(await dueAt(), addSeconds(clock.now(), 60))
    assert.equal(await codeOf(failing.id), null)
    assert.equal(await codeOf(other.id), '3DS-N-10')
    assert.equal(await processDueAuthentications(services), 0)
    clock.advance(60 * secondMs)
    assert.equal(await processDueAuthentications(services), 1)
    assert.equal(await codeOf(failing.id), '3DS-N-10')
    assert.equal(await dueAt(), null)
  })
})

/** A payment whose card was taken, and nobody asked yet. */
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
