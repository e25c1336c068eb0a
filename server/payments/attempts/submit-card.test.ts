import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import type { BoundaryGate } from '../../../testing/crash/boundaries.ts'
import { gatedSql, stopAt } from '../../../testing/crash/boundaries.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { findCards } from '../../../testing/harness/card-search.ts'
import { testCard, testPageToken, testPayer } from '../../../testing/harness/payer.ts'
import { testTill } from '../../../testing/till/till.ts'
import type { Payer } from '../../customers/index.ts'
import type { Services } from '../../services.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt } from '../records/attempt.ts'
import { paymentById } from '../records/payment.sql.ts'
import type { CardSubmission } from './submit-card.ts'
import { submitCard } from './submit-card.ts'

const till = await testTill()
const { services, merchant, clock } = till
const bonus = '5400360000000003'
const world = '5451030000000000'
const declining = '4111111111111129'
const minuteMs = 60_000
const backend = backendOf(till)

/** An instance that passes this gate at every boundary. */
function slowed(gate: BoundaryGate): Services {
  return { ...services, sql: gatedSql(services.sql, gate) }
}

function submission(payer: Payer): CardSubmission {
  return {
    name: null,
    card: testCard(bonus),
    payer,
    installment: 1,
    chargedMinor: 10_000,
    payerAddress: '203.0.113.7',
    language: 'tr',
    page: testPageToken,
  }
}

async function attemptOf(id: number): Promise<Attempt> {
  const context = await attemptWithPaymentOf(services.sql, { merchantId: merchant.id, id })
  assert.ok(context)
  return context.attempt
}

describe('a submitted card', () => {
  it('begins an attempt with the POS of its family, and no bank is asked', async () => {
    const id = await till.start()
    const submitted = await till.submit(id, world)
    assert.equal(submitted.outcome, 'begun')
    const attempt = await attemptOf(submitted.attempt.id)
    assert.equal(attempt.state, 'authenticating')
    assert.equal(attempt.instrument.mask, '545103******0000')
    assert.equal(attempt.reason.among, 'own_family')
    assert.equal(attempt.payerAddress, '203.0.113.7')
    assert.equal(await till.bank.line(String(attempt.id)), undefined)
    assert.equal((await till.result(id)).payment_status_text, 'waiting')
  })

  it('is stored sealed until it is used: no row and no log line shows it', async () => {
    const submitted = await till.submit(await till.start(), bonus)
    assert.ok(submitted.outcome === 'begun')
    const sealed = sql`select from sealed_cards where attempt_id = ${submitted.attempt.id}`
    assert.equal((await services.sql.many(sealed)).length, 1)
    assert.deepEqual(await findCards(services.sql, till.lines), [])
  })

  it('is charged the installment price that the payer was shown', async () => {
    const id = await till.start()
    const submitted = await till.submit(id, world, { installment: 3, charged: 10_445 })
    assert.equal(submitted.outcome, 'begun')
    const attempt = await attemptOf(submitted.attempt.id)
    assert.deepEqual([attempt.installment, attempt.chargedMinor, attempt.commissionMinor], [3, 10_445, 445])
  })

  it('is refused at another price than shown, or with installments that are not offered', async () => {
    const id = await till.start()
    for (const more of [
      { installment: 3, charged: 10_444 },
      { installment: 4, charged: 10_000 },
      { charged: 1 },
    ])
      assert.deepEqual(await till.submit(id, world, more), { outcome: 'offer_changed' })
    assert.deepEqual(
      await till.submit(id, '4766620000000001', { installment: 2, charged: 10_000 }),
      { outcome: 'offer_changed' },
      'a debit card pays once',
    )
  })

  it('replaces a card that is not authenticated yet, which can never pay again', async () => {
    const id = await till.start()
    const first = await till.submit(id, bonus)
    const second = await till.submit(id, world)
    assert.ok(first.outcome === 'begun' && second.outcome === 'begun')
    assert.equal((await attemptOf(first.attempt.id)).state, 'abandoned')
    assert.equal((await till.authorize(first.attempt.id)).outcome, 'not_asked')
    assert.equal((await till.authorize(second.attempt.id)).context?.payment.state, 'paid')
  })

  it('that is refused ends no running attempt: at another price, or with no attempt left', async () => {
    const id = await till.start()
    const first = await till.submit(id, bonus)
    assert.ok(first.outcome === 'begun')
    assert.equal((await till.submit(id, world, { charged: 1 })).outcome, 'offer_changed')
    assert.equal((await attemptOf(first.attempt.id)).state, 'authenticating')
    await till.authorize(first.attempt.id)
    const last = await till.start()
    for (let number = 1; number <= 4; number++) await till.pay(last, declining)
    const fifth = await till.submit(last, bonus)
    assert.ok(fifth.outcome === 'begun')
    assert.deepEqual(await till.submit(last, bonus), { outcome: 'not_open', state: 'authenticating' })
    assert.equal((await till.authorize(fifth.attempt.id)).context?.payment.state, 'paid')
  })

  it('leaves one waiting attempt when two tabs submit at the same time', async () => {
    const id = await till.start()
    const both = await Promise.all([till.submit(id, bonus), till.submit(id, world)])
    assert.ok(both.some(({ outcome }) => outcome === 'begun'))
    const rows = await services.sql.many(
      sql`select from payment_attempts where payment_id = ${id} and state = 'authenticating'`,
    )
    assert.equal(rows.length, 1)
  })

  it('is refused while a bank is asked and after an approval', async () => {
    const id = await till.start()
    await till.pay(id, '4190000000000101')
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'authorizing' })
    await till.pass(2 * minuteMs)
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'paid' })
  })

  it('is refused after five attempts', async () => {
    const id = await till.start()
    for (let number = 1; number <= 5; number++) {
      assert.equal((await till.result(id)).payment_status_text, 'waiting')
      const { context } = await till.pay(id, declining)
      assert.equal(context?.attempt.number, number)
    }
    const result = await till.result(id)
    assert.equal(`${result.payment_status_text} ${result.transaction_status_text}`, 'failed failed')
    assert.deepEqual([result.transaction_code, result.end_at !== null], ['51', true])
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'failed' })
  })

  it('is refused after the page expired, even if the expiry is not processed yet', async () => {
    const id = await till.start()
    clock.advance(merchant.pageLifetimeMinutes * minuteMs)
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'expired' })
    await till.pass(1_000)
    assert.equal((await till.result(id)).transaction_status_text, 'expired')
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'expired' })
  })

  it('counts as the payer’s first view if there was none before', async () => {
    const id = await till.start()
    const { created_at } = await till.result(id)
    clock.advance(5 * minuteMs)
    await till.submit(id, bonus)
    assert.notEqual((await till.result(id)).start_at, created_at)
  })
})

describe('the payer', () => {
  const other = { ...testPayer, lastname: 'Yıldız', email: 'yildiz@example.com' }

  async function customerOf(paymentId: number) {
    const payment = await paymentById(services.sql, merchant.id, paymentId)
    return (await backend.get(`/v1/customers/${payment?.customerId}`)).json
  }

  async function countCustomers(): Promise<number> {
    const { count } = await services.sql.one<{ count: number }>(
      sql`select count(*)::int as count from customers`,
    )
    return count
  }

  const events = ({ timeline }: { timeline: { type: string }[] }) => timeline.map(({ type }) => type)

  it('is the same customer in every attempt, with the latest corrections', async () => {
    const id = await till.start()
    const before = await countCustomers()
    await till.pay(id, declining)
    const first = await customerOf(id)
    clock.advance(minuteMs)
    await till.pay(id, declining)
    assert.deepEqual(await customerOf(id), first, 'who says the same changes nothing')
    await backend.form(`/v1/customers/${first.id}`, { city: 'İzmir', district: 'Konak' })
    clock.advance(minuteMs)
    await till.submit(id, bonus, { payer: other })
    const last = await customerOf(id)
    assert.deepEqual(
      [last.id, last.lastname, last.email, last.city],
      [first.id, 'Yıldız', other.email, 'İzmir'],
    )
    assert.deepEqual([events(first), events(last)], [['created'], ['created', 'updated', 'updated']])
    assert.notEqual(last.updated_at, first.updated_at)
    const search = async (query: string) => (await backend.get(`/v1/customers/search?${query}`)).json
    assert.deepEqual(await search('lastname=yildiz&city=izmir'), [last])
    assert.equal(await countCustomers(), before + 1)
  })

  it('becomes a new customer if the merchant deleted the first one', async () => {
    const id = await till.start()
    await till.pay(id, declining)
    const { id: deleted } = await customerOf(id)
    await backend.delete(`/v1/customers/${deleted}`)
    await till.submit(id, bonus)
    const customer = await customerOf(id)
    assert.ok(customer.id > deleted)
    assert.deepEqual(events(customer), ['created'])
    assert.equal((await backend.get(`/v1/customers/${deleted}`)).status, 404)
  })

  it('becomes no customer without an attempt: not at another price, and not if another submission was first', async () => {
    const id = await till.start()
    const before = await countCustomers()
    await till.submit(id, bonus, { charged: 1 })
    assert.equal(await countCustomers(), before)
    const stop = stopAt('before change')
    const submitting = submitCard(slowed(stop.gate), merchant, { paymentId: id }, submission(other))
    await stop.reached
    await till.submit(id, bonus)
    stop.goOn()
    assert.deepEqual(await submitting, { outcome: 'not_open', state: 'authenticating' })
    assert.equal(await countCustomers(), before + 1)
    assert.equal((await customerOf(id)).lastname, testPayer.lastname)
  })

  it('corrects the current customer, even if the merchant changes or deletes it at the same time', async () => {
    for (const isDeleted of [false, true]) {
      const id = await till.start()
      await till.pay(id, declining)
      const first = await customerOf(id)
      const stop = stopAt('before change')
      const submitting = submitCard(slowed(stop.gate), merchant, { paymentId: id }, submission(other))
      await stop.reached
      if (isDeleted) await backend.delete(`/v1/customers/${first.id}`)
      else await backend.form(`/v1/customers/${first.id}`, { city: 'Van', district: 'Edremit' })
      stop.goOn()
      assert.equal((await submitting).outcome, 'begun')
      const last = await customerOf(id)
      assert.deepEqual([last.id === first.id, last.lastname], [!isDeleted, 'Yıldız'])
      assert.deepEqual([last.city, events(last).length], isDeleted ? [null, 1] : ['Van', 3])
    }
  })

  it('must be given if the merchant named none; otherwise no attempt begins', async () => {
    const id = await till.start()
    const unasked = { ...submission(other), payer: undefined }
    await assert.rejects(submitCard(services, merchant, { paymentId: id }, unasked), /who pays/)
    assert.equal((await till.submit(id, bonus)).outcome, 'begun')
  })
})

describe('a submission that arrives twice', () => {
  const name = 'b1a3c6f0-2f5e-4a0e-8d4c-6c7f0f3a9e21'

  async function attempts(id: number): Promise<string[]> {
    const rows = await services.sql.many<{ state: string }>(
      sql`select state from payment_attempts where payment_id = ${id} order by number`,
    )
    return rows.map(({ state }) => state)
  }

  /** Pauses the first submission at every boundary while the second one runs. */
  async function atEveryBoundary(paymentId: () => Promise<number>, look: (id: number) => Promise<void>) {
    for (let at = 0; ; at++) {
      const id = await paymentId()
      const reached = Promise.withResolvers<'reached'>()
      const free = Promise.withResolvers<void>()
      let count = 0
      const first = submitCard(
        slowed(async () => {
          if (count++ !== at) return
          reached.resolve('reached')
          await free.promise
        }),
        ...[merchant, { paymentId: id }, { ...submission(testPayer), name }],
      )
      const isReached = await Promise.race([reached.promise, first])
      const second = await till.submit(id, bonus, { name })
      free.resolve()
      const both = [await first, second]
      assert.deepEqual(
        both.map(({ outcome }) => outcome),
        ['begun', 'begun'],
        `at ${at}`,
      )
      const ids = both.map((one) => one.outcome === 'begun' && one.attempt.id)
      assert.equal(ids[0], ids[1], `at ${at}`)
      await look(id)
      if (isReached !== 'reached') return at
    }
  }

  it('begins one attempt, wherever the first is when the second arrives', async () => {
    const boundaries = await atEveryBoundary(
      () => till.start(),
      async (id) => assert.deepEqual(await attempts(id), ['authenticating']),
    )
    assert.ok(boundaries >= 4, String(boundaries))
  })

  it('begins one attempt even if both abandon an earlier attempt', async () => {
    const waiting = async () => {
      const id = await till.start()
      await till.submit(id, world, { name: 'the one before' })
      return id
    }
    const boundaries = await atEveryBoundary(waiting, async (id) =>
      assert.deepEqual(await attempts(id), ['abandoned', 'authenticating']),
    )
    assert.ok(boundaries >= 8, String(boundaries))
  })

  it('begins one attempt if the first died after abandoning an earlier attempt', async () => {
    const id = await till.start()
    await till.submit(id, world)
    let changes = 0
    const dying = submitCard(
      slowed(async (boundary) => {
        if (boundary === 'after change' && ++changes === 1) throw new Error('it died')
      }),
      ...[merchant, { paymentId: id }, { ...submission(testPayer), name }],
    )
    await assert.rejects(dying, /it died/)
    assert.deepEqual(await attempts(id), ['abandoned'])
    assert.equal((await till.submit(id, bonus, { name })).outcome, 'begun')
    assert.equal((await till.submit(id, bonus, { name })).outcome, 'begun')
    assert.deepEqual(await attempts(id), ['abandoned', 'authenticating'])
  })

  it('counts once against the limits of its card and its address', async () => {
    const live = { ...merchant, live: true }
    const id = await till.start()
    const most = services.config.attemptsPerCard
    assert.equal((await till.submit(id, bonus, { name })).outcome, 'begun')
    for (let time = 0; time < most + 1; time++) {
      const again = { ...submission(testPayer), name, payerAddress: '198.51.100.77' }
      // A live merchant cannot use the sandbox POS: `pos_unreachable` proves that no limit refused it before.
      assert.equal((await submitCard(services, live, { paymentId: id }, again)).outcome, 'pos_unreachable')
    }
  })

  it('is refused with another price than its attempt has', async () => {
    const id = await till.start()
    const first = { ...submission(testPayer), name }
    assert.equal((await submitCard(services, merchant, { paymentId: id }, first)).outcome, 'begun')
    for (const other of [{ installment: 2 }, { chargedMinor: 10_001 }]) {
      const again = { ...first, ...other }
      assert.equal((await submitCard(services, merchant, { paymentId: id }, again)).outcome, 'not_open')
    }
    assert.equal((await submitCard(services, merchant, { paymentId: id }, first)).outcome, 'begun')
  })

  it('can be stored only once, by a unique index too', async () => {
    const id = await till.start()
    await till.submit(id, world, { name })
    await till.submit(id, bonus, { name: 'another' })
    const copied = sql`update payment_attempts set submission = ${name} where payment_id = ${id}`
    await assert.rejects(services.sql.run(copied), /payment_attempts_submission/)
  })
})

it('a live merchant’s payers are limited by card and by address; a test merchant’s are not', async () => {
  // A live merchant cannot use the sandbox POS: within the limit the outcome is `pos_unreachable`.
  const live = { ...merchant, live: true }
  const outcomesOf = async (payee: typeof merchant, count: number) => {
    const outcomes: string[] = []
    for (let index = 0; index < count; index++) {
      const paymentId = await till.start()
      const card = testCard('4157920000000002')
      const sent = { ...submission(testPayer), card, payerAddress: '198.51.100.9' }
      outcomes.push((await submitCard(services, payee, { paymentId }, sent)).outcome)
    }
    return outcomes
  }
  const most = services.config.attemptsPerCard
  assert.deepEqual(await outcomesOf(merchant, most + 1), Array(most + 1).fill('begun'))
  assert.deepEqual(await outcomesOf(live, most + 2), [
    ...Array(most).fill('pos_unreachable'),
    'limited',
    'limited',
  ])
})
