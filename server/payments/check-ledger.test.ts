import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import type { TestApi } from '../testing/api.ts'
import { testApi } from '../testing/api.ts'
import { testDatabase } from '../testing/database.ts'
import { plantEvent, plantPayment } from '../testing/plant-payment.ts'
import { startProcess } from '../testing/process.ts'
import type { Plant } from '../testing/wrong-books.ts'
import { approved, books, changed, changedAttempts, changedTransfers, paid } from '../testing/wrong-books.ts'
import { checkBooks } from './books/check-books.ts'

const hourMs = 60 * 60 * 1000
const unknownThen = (operation: string) => [
  { operation: 'authorize', outcome: 'unknown' },
  { operation, outcome: 'taken' },
]

/** One payment of every state and way, all of them right. */
async function plantAll({ services, merchant }: Pick<TestApi, 'services' | 'merchant'>): Promise<void> {
  const posId = await services.ids.next()
  const commissionId = await services.ids.next()
  const at = services.clock.now()
  await services.sql.run(sql`insert into pos_credentials (merchant_id, id, name, bank_code, connector, currencies,
      families, state, priority, secrets, secrets_key, created_at, updated_at)
    values (${merchant.id}, ${posId}, 'Bonus', 62, 'sandbox', '{TRY}', '{}', 'active', 1, '', '', ${at}, ${at})`)
  await services.sql.run(sql`insert into commission_rates (merchant_id, id, pos_id, family, segment, installment, rate,
      commission_by, valid_from, revision, created_at)
    values (${merchant.id}, ${commissionId}, ${posId}, 'bonus', 'personal', 3, 5, 2, ${at}, 1, ${at})`)
  const inInstallments = { chargedMinor: 10_526, commissionMinor: 526, installment: 3, posId, commissionId }
  const all: Parameters<typeof plantPayment>[2][] = [
    {},
    { state: 'authenticating', attempts: [{ state: 'abandoned' }, { state: 'authenticating' }] },
    { state: 'authorizing', attempts: [{ state: 'authorizing' }] },
    { state: 'reversing', attempts: [{ state: 'declined' }, { state: 'reversing' }] },
    { state: 'paid', attempts: [{ state: 'declined' }, approved] },
    { state: 'paid', currency: 'USD', attempts: [approved] },
    { state: 'paid', attempts: [{ ...approved, commissionMinor: 0 }] },
    { state: 'paid', attempts: [{ state: 'reversed' }, { state: 'approved', ...inInstallments }] },
    { state: 'held', attempts: [approved] },
    { state: 'held', attempts: [{ ...approved, calls: [{ operation: 'query', outcome: 'held' }] }] },
    { state: 'paid', attempts: [{ ...approved, calls: unknownThen('query') }] },
    { state: 'paid', attempts: [{ ...approved, calls: unknownThen('person') }] },
    { attempts: [{ state: 'reversed', calls: [{ operation: 'authorize', outcome: 'approved' }] }] },
    { state: 'failed', attempts: [{ state: 'declined' }] },
    { state: 'expired' },
    { state: 'expired', attempts: [{ state: 'abandoned' }] },
  ]
  for (const planted of all) await plantPayment(services, merchant, planted)
}

describe('books that are right', () => {
  it('are said to be, with their balances; empty ones too', async () => {
    const api = await books()
    assert.equal(await api.check(), 'The books are right: 0 payments and 0 transfers agree.')
    await plantAll(api)
    const id = String(api.merchant.id)
    assert.equal(
      await api.check(),
      [
        'The books are right: 16 payments and 11 transfers agree.',
        `${'MERCHANT'.padEnd(id.length)}  CURRENCY  RECEIVABLE  BALANCE  COMMISSION`,
        `${id}  TRY       505.26      494.63   10.63`,
        `${id}  USD       100.00      98.21    1.79`,
      ].join('\n'),
    )
  })

  it('are read in sections of whatever size with the same result', async () => {
    const api = await books()
    await plantAll(api)
    const { id } = await api.plant({ state: 'paid', attempts: [approved] })
    await api.run(sql`update ledger_transfers set amount = amount + 1 where payment_id = ${id}`)
    const whole = await checkBooks(api.services)
    assert.equal(whole.problems.length, 1)
    for (const size of [1, 2, 5, 17, 18]) assert.deepEqual(await checkBooks(api.services, size), whole)
  })
})

describe('what is wrong is named, with its payment', () => {
  const malformed = 'has a transfer that is not well-formed'
  const notTaking = 'is paid, but its transfers are not those of its taking'
  const faults: [what: string, how: string, plant: Plant][] = [
    [malformed, 'an unknown account', changedTransfers(sql`credit = 'elsewhere'`)],
    [malformed, 'one account with itself', changedTransfers(sql`credit = 'receivable'`)],
    [malformed, 'an amount of nothing', changedTransfers(sql`amount = 0`)],
    [malformed, 'a negative amount', changedTransfers(sql`amount = -5`)],
    [malformed, 'a reason that there is not', changedTransfers(sql`reason = 'gift'`)],
    [malformed, 'a cause of another payment', changedTransfers(sql`cause = 'commission 5'`)],
    [malformed, 'a currency that is none', changedTransfers(sql`currency = 'lira'`)],
    ['has transfers in several currencies', 'one of two', changedTransfers(sql`currency = 'EUR'`)],
    [
      'has accounts that do not balance',
      'an account outside the books',
      async (api) => {
        await changedTransfers(sql`debit = 'elsewhere'`)(api)
        return api.merchant.id
      },
    ],
    [
      'has a transfer in another currency than its own',
      'one of two',
      changedTransfers(sql`currency = 'EUR'`),
    ],
    [
      'has transfers, but there is no such payment',
      'a transfer alone',
      async (api) => {
        const { id } = await paid(api)
        const none = id + 5_000
        await api.run(sql`update ledger_transfers set payment_id = ${none}, cause = reason || ' ' || ${none}::bigint
          where payment_id = ${id}`)
        return none
      },
    ],
    [
      'has transfers, but there is no such payment',
      'of a payment that can be none',
      async (api) => {
        const { id } = await paid(api)
        await api.run(sql`update ledger_transfers set payment_id = 0, cause = reason || ' 0'
          where payment_id = ${id}`)
        return 0
      },
    ],
    [notTaking, 'another amount', changedTransfers(sql`amount = amount + 1`)],
    [notTaking, 'the wrong way round', changedTransfers(sql`debit = credit, credit = debit`)],
    [
      notTaking,
      'one is missing',
      async (api) => {
        const { id } = await paid(api)
        await api.run(sql`delete from ledger_transfers where payment_id = ${id} and reason = 'commission'`)
        return id
      },
    ],
    [
      notTaking,
      'one too many',
      async (api) => {
        const { id } = await paid(api)
        await api.run(sql`insert into ledger_transfers select merchant_id, ${await api.services.ids.next()}, 'again',
          reason, payment_id, currency, debit, credit, amount, created_at from ledger_transfers
          where payment_id = ${id} and reason = 'commission'`)
        return id
      },
    ],
    [
      'is not paid, but has transfers',
      'a held one',
      changed({ state: 'paid', attempts: [approved] }, sql`state = 'held', pre_auth = true`),
    ],
    [
      'is paid or held, but its attempt is not its one approved attempt',
      'none is approved',
      changedAttempts({ state: 'paid', attempts: [approved] }, sql`state = 'reversed'`),
    ],
    [
      'is paid or held, but its attempt is not its one approved attempt',
      'two are approved',
      async (api) => (await api.plant({ state: 'held', attempts: [approved, approved] })).id,
    ],
    [
      'is paid or held, but its attempt is not its one approved attempt',
      'it points elsewhere',
      changed({ state: 'held', attempts: [approved] }, sql`attempt_id = null`),
    ],
    [
      'is neither paid nor held, but has an approved attempt',
      'a failed one',
      async (api) => (await api.plant({ state: 'failed', attempts: [approved] })).id,
    ],
    [
      'waits for an attempt that is not under way',
      'it was declined',
      changedAttempts(
        { state: 'authorizing', attempts: [{ state: 'authorizing' }] },
        sql`state = 'declined'`,
      ),
    ],
    [
      'waits for an attempt that is not under way',
      'there is none',
      async (api) => (await api.plant({ state: 'reversing' })).id,
    ],
    [
      'does not wait for an attempt that is under way',
      'an open one',
      async (api) => (await api.plant({ attempts: [{ state: 'authorizing' }] })).id,
    ],
    [
      'does not wait for an attempt that is under way',
      'it waits for another',
      async (api) =>
        (
          await api.plant({
            state: 'authorizing',
            attempts: [{ state: 'authorizing' }, { state: 'authorizing' }],
          })
        ).id,
    ],
    [
      'has an attempt in another currency than its own',
      'an attempt in euro',
      changedAttempts({ attempts: [{ state: 'declined' }] }, sql`currency = 'EUR'`),
    ],
    [
      'has an attempt that charges what the payer was not to be charged',
      'less',
      async (api) => (await api.plant({ attempts: [{ state: 'declined', chargedMinor: 9_999 }] })).id,
    ],
    [
      'has an attempt that charges what the payer was not to be charged',
      'more in a single payment',
      async (api) => (await api.plant({ attempts: [{ state: 'declined', chargedMinor: 10_001 }] })).id,
    ],
    [
      'has an attempt that charges what the payer was not to be charged',
      'more in installments that the merchant bears the commission of',
      async (api) =>
        (await api.plant({ attempts: [{ state: 'declined', chargedMinor: 10_001, installment: 3 }] })).id,
    ],
    [
      'has events that are not numbered from 1 to its count',
      'one more was counted',
      changed({ state: 'failed' }, sql`event_count = 2`),
    ],
    [
      'has events that are not numbered from 1 to its count',
      'a gap',
      async (api) => {
        const { id } = await api.plant({ state: 'failed' })
        await api.run(sql`update events set number = 2 where payment_id = ${id}`)
        return id
      },
    ],
    [
      'has ended, but has not one event of its outcome',
      'the event of another outcome',
      changed({ state: 'failed' }, sql`state = 'expired'`),
    ],
    [
      'has ended, but has not one event of its outcome',
      'no event',
      async (api) => {
        const { id } = await api.plant({ state: 'expired' })
        await api.run(sql`delete from events where payment_id = ${id}`)
        return id
      },
    ],
    [
      'has ended, but has not one event of its outcome',
      'the same event twice',
      async (api) => {
        const { id } = await api.plant({ state: 'failed' })
        const event = {
          merchantId: api.merchant.id,
          paymentId: id,
          kind: 'payment.failed',
          number: 2,
        } as const
        await plantEvent(api.services, { ...event, at: api.clock.now() })
        await api.run(sql`update payments set event_count = 2 where id = ${id}`)
        return id
      },
    ],
    ['has no outcome yet, but has events', 'an open one', changed({ state: 'failed' }, sql`state = 'open'`)],
  ]

  for (const [what, how, plant] of faults) {
    it(`${what}: ${how}`, async () => {
      const api = await books()
      await plantAll(api)
      const id = await plant(api)
      const error = await api.check().catch((thrown: unknown) => thrown)
      assert.ok(error instanceof Error, 'the books pass')
      const lines = error.message.split('\n')
      assert.match(lines[0] ?? '', /^The books are wrong\. \d+ payments and \d+ transfers were read\.$/)
      assert.ok(
        lines.some((line) => line.includes(` ${id} `) && line.includes(` ${what}`)),
        error.message,
      )
    })
  }

  it('of many alike the first are told, and how many more there are', async () => {
    const api = await books()
    await api.run(sql`insert into payments select ${api.merchant.id}, 20000000000000 + n, 'failed', 1, 100, 'TRY', false,
      null, '[]', '[]', null, null, '', 'secret', ${api.clock.now()}, ${api.clock.now()}, null, null, null, 0, null, 0, 1
      from generate_series(1, 12345) n`)
    await assert.rejects(api.check(), (error: Error) => {
      const lines = error.message.split('\n')
      assert.equal(lines.length, 1 + 20 + 1)
      assert.match(lines.at(-1) ?? '', /and 12325 more like these$/)
      return true
    })
  })
})

it('what waits for more than an hour and is before nobody is told, and the books are still right', async () => {
  const api = await books()
  const { id } = await api.plant({ state: 'authorizing', attempts: [{ state: 'authorizing' }] })
  const { id: seen } = await api.plant({ state: 'reversing', attempts: [{ state: 'reversing' }] })
  assert.doesNotMatch(await api.check(), /Look at it/)
  api.clock.advance(2 * hourMs + 60_000)
  await api.run(
    sql`update payment_attempts set needs_person_at = ${api.clock.now()} where payment_id = ${seen}`,
  )
  const said = await api.check()
  assert.match(
    said,
    new RegExp(`^Look at it: payment ${id} of merchant \\d+ is overdue by more than an hour`, 'm'),
  )
  assert.ok(!said.includes(String(seen)))
  assert.match(said, /The books are right/)
})

it('on the command line right books end with 0 and wrong ones with 1', async (t) => {
  const database = await testDatabase()
  const api = await testApi({ database })
  const env = { DATABASE_URL: database.url, VEZNE_SECRET: 'a secret for tests, long enough for it' }
  await plantAll(api)
  const right = startProcess(t, ['./vezne', 'ledger', 'check'], env)
  assert.equal(await right.ended, 0, right.output())
  assert.match(right.output(), /The books are right: 16 payments/)
  await api.services.sql.run(sql`update ledger_transfers set amount = amount + 1`)
  const wrong = startProcess(t, ['./vezne', 'ledger', 'check'], env)
  assert.equal(await wrong.ended, 1)
  assert.match(wrong.output(), /The books are wrong/)
})
