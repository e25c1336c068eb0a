import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw, sql } from '../../kit/runtime/sql.ts'
import type { IntegrityFault } from '../../testing/faults/integrity-faults.ts'
import {
  approvedAttemptSeed,
  integrityFixture,
  seedPaidPayment,
  seedValidPayments,
  validPaymentCount,
  violationsOf,
  withChangedAttempt,
  withChangedPayment,
  withChangedTransfers,
} from '../../testing/faults/integrity-faults.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runVezne } from '../../testing/harness/command-line.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { seedEvent } from '../../testing/seed/payment.ts'
import { seed } from '../../testing/seed/seed.ts'
import { payments } from '../payments/records/payment.ts'
import { checkIntegrity } from './check-integrity.ts'

const hourMs = 60 * 60 * 1000
describe('integrity checks of consistent data', () => {
  it('pass and show the balances; they pass on an empty database too', async () => {
    const api = await integrityFixture()
    assert.equal(await api.check(), 'Integrity checks passed: 0 payments and 0 transfers agree.')
    await seedValidPayments(api)
    const id = String(api.merchant.id)
    assert.equal(
      await api.check(),
      [
        `Integrity checks passed: ${validPaymentCount} payments and 46 transfers agree.`,
        `${'MERCHANT'.padEnd(id.length)}  CURRENCY  RECEIVABLE  BALANCE  COMMISSION  DIFFERENCES`,
        `${id}  TRY       973.65      942.84   30.81       0.00`,
        `${id}  USD       100.00      98.21    1.79        0.00`,
      ].join('\n'),
    )
  })

  it('give the same result for every range size', async () => {
    const api = await integrityFixture()
    await seedValidPayments(api)
    const { id } = await api.seed({ state: 'paid', attempts: [approvedAttemptSeed] })
    await api.run(sql`update ledger_transfers set amount = amount + 1 where payment_id = ${id}`)
    const whole = await checkIntegrity(api.services)
    assert.equal(whole.problems.length, 1)
    for (const size of [3, validPaymentCount, validPaymentCount + 1])
      assert.deepEqual(await checkIntegrity(api.services, size), whole)
  })
})

describe('an integrity violation is reported with its payment', () => {
  const malformed = 'has a malformed transfer'
  const notTaking = 'is paid, but its transfers do not match its charge and its refunds'
  const wrongEvents = 'has missing or duplicate events, or events out of order'
  const faults: IntegrityFault[] = [
    [malformed, 'an unknown account', withChangedTransfers(sql`credit = 'elsewhere'`)],
    [malformed, 'the same account as debit and credit', withChangedTransfers(sql`credit = 'receivable'`)],
    [malformed, 'an amount of zero', withChangedTransfers(sql`amount = 0`)],
    [malformed, 'a negative amount', withChangedTransfers(sql`amount = -5`)],
    [malformed, 'an unknown reason', withChangedTransfers(sql`reason = 'gift'`)],
    [malformed, 'a cause of another payment', withChangedTransfers(sql`cause = 'commission 5'`)],
    [malformed, 'an invalid currency', withChangedTransfers(sql`currency = 'lira'`)],
    ['has transfers in several currencies', 'one of two', withChangedTransfers(sql`currency = 'EUR'`)],
    [
      'has accounts that do not balance',
      'an unknown account',
      async (api) => {
        await withChangedTransfers(sql`debit = 'elsewhere'`, 'GBP')(api)
        return api.merchant.id
      },
    ],
    [
      'has a transfer in a currency other than its own',
      'one of two',
      withChangedTransfers(sql`currency = 'EUR'`),
    ],
    [
      'has transfers, but does not exist',
      'a transfer without a payment',
      async (api) => {
        const { id } = await seedPaidPayment(api)
        const none = id + 50_000_000
        await api.run(sql`update ledger_transfers set payment_id = ${none}, cause = reason || ' ' || ${String(none)}::text
          where payment_id = ${id}`)
        return none
      },
    ],
    [
      'has transfers, but does not exist',
      'an invalid payment id',
      async (api) => {
        const { id } = await seedPaidPayment(api)
        await api.run(sql`update ledger_transfers set payment_id = 0, cause = reason || ' 0'
          where payment_id = ${id}`)
        return 0
      },
    ],
    ...['attempt', 'event'].map(
      (noun): IntegrityFault => [
        `has ${noun}s, but does not exist`,
        `an ${noun} without a payment`,
        async (api) => {
          const { id } = await seedPaidPayment(api)
          const none = id + 50_000_000
          const table = raw(noun === 'event' ? 'events' : 'payment_attempts')
          await api.run(sql`update ${table} set payment_id = ${none} where payment_id = ${id}`)
          return none
        },
      ],
    ),
    [notTaking, 'another amount', withChangedTransfers(sql`amount = amount + 1`)],
    [notTaking, 'the wrong way round', withChangedTransfers(sql`debit = credit, credit = debit`)],
    [
      notTaking,
      'a missing transfer',
      async (api) => {
        const { id } = await seedPaidPayment(api)
        await api.run(sql`delete from ledger_transfers where payment_id = ${id} and reason = 'commission'`)
        return id
      },
    ],
    [
      notTaking,
      'an extra transfer',
      async (api) => {
        const { id } = await seedPaidPayment(api)
        await api.run(sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, currency, debit,
            credit, amount, created_at)
          select merchant_id, ${await api.services.ids.next()}, 'again', reason, payment_id, currency, debit, credit, amount,
            created_at from ledger_transfers
          where payment_id = ${id} and reason = 'commission'`)
        return id
      },
    ],
    [
      'is not paid, but has transfers',
      'a held payment',
      withChangedPayment(
        { state: 'paid', attempts: [approvedAttemptSeed] },
        sql`state = 'held', pre_auth = true`,
      ),
    ],
    [
      'is or was paid or held, but does not name its only approved attempt',
      'none is approved',
      withChangedAttempt({ state: 'paid', attempts: [approvedAttemptSeed] }, sql`state = 'reversed'`),
    ],
    [
      'is or was paid or held, but does not name its only approved attempt',
      'two are approved',
      async (api) =>
        (await api.seed({ state: 'held', attempts: [approvedAttemptSeed, approvedAttemptSeed] })).id,
    ],
    [
      'is or was paid or held, but does not name its only approved attempt',
      'it refers to no attempt',
      withChangedPayment({ state: 'held', attempts: [approvedAttemptSeed] }, sql`attempt_id = null`),
    ],
    [
      'was neither paid nor held, but has an approved attempt',
      'a failed one',
      async (api) => (await api.seed({ state: 'failed', attempts: [approvedAttemptSeed] })).id,
    ],
    [
      'waits for an attempt that is not under way',
      'it was declined',
      withChangedAttempt(
        { state: 'authorizing', attempts: [{ state: 'authorizing' }] },
        sql`state = 'declined'`,
      ),
    ],
    [
      'waits for an attempt that is not under way',
      'there is none',
      async (api) => (await api.seed({ state: 'reversing' })).id,
    ],
    [
      'does not wait for an attempt that is under way',
      'an open one',
      async (api) => (await api.seed({ attempts: [{ state: 'authorizing' }] })).id,
    ],
    [
      'does not wait for an attempt that is under way',
      'it waits for another',
      async (api) =>
        (
          await api.seed({
            state: 'authorizing',
            attempts: [{ state: 'authorizing' }, { state: 'authorizing' }],
          })
        ).id,
    ],
    [
      'has an attempt in a currency other than its own',
      'an attempt in euro',
      withChangedAttempt({ attempts: [{ state: 'declined' }] }, sql`currency = 'EUR'`),
    ],
    [
      'has an attempt that charges a wrong amount',
      'less',
      async (api) => (await api.seed({ attempts: [{ state: 'declined', chargedMinor: 9_999 }] })).id,
    ],
    [
      'has an attempt that charges a wrong amount',
      'more in a single payment',
      async (api) => (await api.seed({ attempts: [{ state: 'declined', chargedMinor: 10_001 }] })).id,
    ],
    [
      'has an attempt that charges a wrong amount',
      'more in installments, although the merchant bears the commission',
      async (api) =>
        (await api.seed({ attempts: [{ state: 'declined', chargedMinor: 10_001, installment: 3 }] })).id,
    ],
    [
      'has events that are not numbered from 1 to its count',
      'the count is too high',
      withChangedPayment({ state: 'failed' }, sql`event_count = 2`),
    ],
    [
      'has events that are not numbered from 1 to its count',
      'a gap',
      async (api) => {
        const { id } = await api.seed({ state: 'failed' })
        await api.run(sql`update events set number = 2 where payment_id = ${id}`)
        return id
      },
    ],
    [
      wrongEvents,
      'the event of another outcome',
      withChangedPayment({ state: 'failed' }, sql`state = 'expired'`),
    ],
    [
      wrongEvents,
      'no event',
      async (api) => {
        const { id } = await api.seed({ state: 'expired' })
        await api.run(sql`delete from events where payment_id = ${id}`)
        return id
      },
    ],
    [
      wrongEvents,
      'the same event twice',
      async (api) => {
        const { id } = await api.seed({ state: 'failed' })
        const event = {
          merchantId: api.merchant.id,
          paymentId: id,
          kind: 'payment.failed',
          number: 2,
        } as const
        await seedEvent(api.services, { ...event, at: api.clock.now() })
        await api.run(sql`update payments set event_count = 2 where id = ${id}`)
        return id
      },
    ],
    [wrongEvents, 'an open one', withChangedPayment({ state: 'failed' }, sql`state = 'open'`)],
  ]

  const results = violationsOf(faults)
  for (const [index, [what, how]] of faults.entries()) {
    it(`${what}: ${how}`, async () => {
      const { violations } = await results
      assert.ok(violations[index]?.includes(what), `it is said: ${violations[index]?.join(', ')}`)
    })
  }

  it('and no valid payment is reported', async () => {
    assert.deepEqual((await results).falsePositives, [])
  })

  it('the first violations of a kind are listed, and the others are counted', async () => {
    const api = await integrityFixture()
    const [merchantId, createdAt] = [api.merchant.id, api.clock.now()]
    const ended = { merchantId, state: 'failed', createdAt, endedAt: createdAt } as const
    const rows = Array.from({ length: 12345 }, (_, index) => ({ ...ended, id: 20000000000001 + index }))
    await seed(api.services.sql, payments, rows)
    await assert.rejects(api.check(), (error: Error) => {
      const lines = error.message.split('\n')
      assert.equal(lines.length, 1 + 20 + 1)
      assert.match(lines.at(-1) ?? '', /and 12325 more like these$/)
      return true
    })
  })
})

it('a payment overdue by more than an hour and not in manual review is a warning, and the checks pass', async () => {
  const api = await integrityFixture()
  const { id } = await api.seed({ state: 'authorizing', attempts: [{ state: 'authorizing' }] })
  const { id: seen } = await api.seed({ state: 'reversing', attempts: [{ state: 'reversing' }] })
  assert.doesNotMatch(await api.check(), /^Warning:/m)
  api.clock.advance(2 * hourMs + 60_000)
  await api.run(
    sql`update payment_attempts set needs_review_at = ${api.clock.now()} where payment_id = ${seen}`,
  )
  const output = await api.check()
  assert.match(
    output,
    new RegExp(`^Warning: payment ${id} of merchant \\d+ is overdue by more than an hour`, 'm'),
  )
  assert.ok(!output.includes(String(seen)))
  assert.match(output, /Integrity checks passed/)
})

it('the command exits with 0 if the checks pass and with 1 if they fail', async () => {
  const database = await testDatabase()
  const api = await testApi({ database })
  const env = { DATABASE_URL: database.url, VEZNE_SECRET: 'a secret for tests, long enough for it' }
  await seedValidPayments(api)
  const right = await runVezne(['ledger', 'check'], env)
  assert.equal(right.code, 0, right.output)
  assert.match(right.output, new RegExp(`Integrity checks passed: ${validPaymentCount} payments`))
  await api.services.sql.run(sql`update ledger_transfers set amount = amount + 1`)
  const wrong = await runVezne(['ledger', 'check'], env)
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /Integrity checks failed/)
})
