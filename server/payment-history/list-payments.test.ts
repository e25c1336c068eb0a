import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refused } from '../../kit/input/refusals.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { seedPayment } from '../../testing/seed/payment.ts'
import { seed } from '../../testing/seed/seed.ts'
import { createMerchant } from '../merchants/index.ts'
import { instruments } from '../payments/records/instrument.ts'
import { paymentStates } from '../payments/records/states.ts'
import { listPaymentsForOperator } from './list-payments.ts'
import { matchingPaymentsInSlice } from './store.ts'

const api = await testApi()
const { services, merchant } = api
const approved = { state: 'approved' as const, commissionMinor: 179 }
const customerId = 10_000_000_000_999
const posId = 10_000_000_000_888

const seedId = async (payment: Parameters<typeof seedPayment>[2]) =>
  (await seedPayment(services, merchant, payment)).id
const open = await seedId({ createdAt: new Date('2026-11-10T20:59:59Z') })
const paid = await seedId({
  state: 'paid',
  customerId,
  createdAt: new Date('2026-11-10T21:00:00Z'),
  attempts: [
    { state: 'declined', card: '552879******0008', code: '51' },
    { ...approved, code: '00', installment: 3 },
  ],
})
const dollars = await seedId({ state: 'paid', currency: 'USD', attempts: [{ ...approved, posId }] })
const reversing = await seedId({ state: 'reversing', amountMinor: 2_500, attempts: [{ state: 'reversing' }] })
const failed = await seedId({ state: 'failed', attempts: [{ state: 'declined', code: '51' }] })
const expired = await seedId({ state: 'expired' })
const everything = [expired, failed, reversing, dollars, paid, open]

const list = (...words: string[]) => runTypedCommand(services, ['payment', 'list', ...words])

async function idsOf(...words: string[]): Promise<number[]> {
  const lines = (await list(...words)).split('\n')
  return lines.flatMap((line) => (/^\d{14}\b/.test(line) ? [Number(line.slice(0, 14))] : []))
}

it('payments are listed newest first, with the card and the bank code of the last attempt', async () => {
  assert.deepEqual(await idsOf(), everything)
  const lines = (await list('--amount', '10000', '--customer', String(customerId))).split('\n')
  assert.equal(lines.length, 2)
  assert.deepEqual(lines[0]?.split(/ {2,}/), [
    ...['ID', 'STARTED', 'STATE', 'AMOUNT', 'CURRENCY', 'INSTALLMENTS', 'CARD', 'CUSTOMER', 'CODE', 'POS'],
  ])
  assert.deepEqual(lines[1]?.split(/ {2,}/), [
    ...[String(paid), '2026-11-11T00:00:00+03:00', 'paid', '100.00', 'TRY', '3', '415565******6111'],
    ...[String(customerId), '00'],
  ])
})

describe('a filter', () => {
  const filters: [words: string[], expectedIds: number[]][] = [
    [
      ['--state', 'paid'],
      [dollars, paid],
    ],
    [
      ['--payment-status', 'waiting'],
      [reversing, open],
    ],
    [
      ['--payment-status', 'failed'],
      [expired, failed],
    ],
    [['--transaction-status', 'failed'], [failed]],
    [['--transaction-status', 'expired'], [expired]],
    [['--state', 'paid', '--payment-status', 'failed'], []],
    [['--currency', 'usd'], [dollars]],
    [['--amount', '2500'], [reversing]],
    [
      ['--from', '2026-11-11'],
      [expired, failed, reversing, dollars, paid],
    ],
    [['--to', '2026-11-10'], [open]],
    [['--from', '2026-11-11', '--to', '2026-11-11'], [paid]],
    [['--from', '2026-11-10T21:00:00Z', '--to', '2026-11-10T21:00:00Z'], [paid]],
    [['--customer', String(customerId)], [paid]],
    [['--card', '0008'], [paid]],
    [['--card', '552879'], [paid]],
    [['--card', '552879******0008'], [paid]],
    [
      ['--card', '415565*6111'],
      [failed, reversing, dollars, paid],
    ],
    [['--card', '552879*6111'], []],
    [['--pos', String(posId)], [dollars]],
    [['--merchant', String(merchant.id), '--state', 'open'], [open]],
  ]
  for (const [words, expectedIds] of filters) {
    it(words.join(' '), async () => assert.deepEqual(await idsOf(...words), expectedIds))
  }

  it('without a match reports that there is no such payment', async () => {
    assert.equal(await list('--amount', '1'), 'No payment matches.')
  })

  it('whose end is before its start is refused', async () => {
    const wrong: [from: string, to: string][] = [
      ['2026-11-12', '2026-11-11'],
      ['2026-11-11', '2026-11-10T20:59:58Z'],
    ]
    for (const [from, to] of wrong) {
      await assert.rejects(list('--from', from, '--to', to), (error) => {
        assert.ok(error instanceof Refused)
        assert.deepEqual([...(error.complaints?.keys() ?? [])], ['to'])
        return true
      })
    }
  })

  it('with a whole card number is refused, and the refusal does not repeat the number', async () => {
    const wrong = ['4155650100416111', '41556501', '%', '4155______6111']
    for (const card of wrong) {
      await assert.rejects(list('--card', card), (error) => {
        assert.ok(error instanceof Refused)
        assert.ok(!JSON.stringify([...(error.complaints ?? [])]).includes(card))
        return true
      })
    }
  })
})

it('--after continues the list without gaps or duplicates', async () => {
  const seen: number[] = []
  for (let after: string[] = []; ; ) {
    const text = await list('--limit', '2', ...after)
    const ids = text
      .split('\n')
      .flatMap((line) => (/^\d{14}\b/.test(line) ? [Number(line.slice(0, 14))] : []))
    seen.push(...ids)
    const next = /^There are more\. For the next page add: (--after) (\d{14})$/m.exec(text)
    if (!next) break
    after = [next[1] ?? '', next[2] ?? '']
  }
  assert.deepEqual(seen, everything)
})

it('the slice size does not change the result', async () => {
  const filter = { merchantId: merchant.id, states: paymentStates, currency: 'TRY' }
  const whole = await listPaymentsForOperator(services, filter, { after: undefined, limit: 100 })
  assert.equal(whole.length, 5)
  for (const size of [1, 2, 3, 6, 7]) {
    assert.deepEqual(
      await listPaymentsForOperator(services, filter, { after: undefined, limit: 100 }, size),
      whole,
    )
    const some = await listPaymentsForOperator(services, filter, { after: failed, limit: 2 }, size)
    assert.deepEqual(
      some.map(({ id }) => id),
      [reversing, paid],
    )
  }
})

it('the list has only the payments of one merchant, which must be named if there are several', async () => {
  const { merchant: other } = await createMerchant(services, { name: 'Başka', live: false })
  await assert.rejects(list(), Refused)
  assert.equal(await list('--merchant', String(other.id)), 'No payment matches.')
  assert.deepEqual(await idsOf('--merchant', String(merchant.id)), everything)
})

it('the code of an earlier attempt is not shown while the last attempt has no answer', async () => {
  const { merchant: other } = await createMerchant(services, { name: 'Bekleyen', live: false })
  const { id } = await seedPayment(services, other, {
    state: 'authorizing',
    attempts: [{ state: 'declined', code: '51' }, { state: 'authorizing' }],
  })
  await services.sql.run(sql`update payments set code = '51' where id = ${id}`)
  const [, line = ''] = (await list('--merchant', String(other.id))).split('\n')
  assert.ok(line.includes(String(id)))
  assert.doesNotMatch(line, / 51( |$)/)
})

it('a payment is found by its current state and shown in it', async () => {
  const { merchant: other } = await createMerchant(services, { name: 'Her durum', live: false })
  const ids = new Map<string, number>()
  for (const state of paymentStates) {
    const isDecided = ['paid', 'held', 'capturing', 'releasing', 'partly_refunded', 'refunded'].includes(
      state,
    )
    const attempts = isDecided ? [approved] : []
    ids.set(state, (await seedPayment(services, other, { state, attempts })).id)
  }
  for (const [state, id] of ids) {
    const lines = (await list('--merchant', String(other.id), '--state', state)).split('\n').slice(1)
    assert.deepEqual(
      lines.map((line) => [line.slice(0, 14), line.split(/ {2,}/)[2]]),
      [[String(id), state]],
    )
  }
  const seen = await list('--merchant', String(other.id), '--payment-status', 'pre_authorized')
  for (const state of ['held', 'capturing', 'releasing']) assert.ok(seen.includes(String(ids.get(state))))
})

it('a search by card reads the instruments of the searched attempts only, however many the merchant has', async () => {
  const { merchant: other } = await createMerchant(services, { name: 'Çok kartlı', live: false })
  for (let count = 0; count < 30; count++)
    await seedPayment(services, other, { state: 'failed', attempts: [{ state: 'declined' }] })
  const cards = Array.from({ length: 5_000 }, (_, number) => ({
    ...{ merchantId: other.id, fingerprint: Buffer.from(`card ${number}`), brand: null },
    ...{ mask: '999999******9999', createdAt: services.clock.now() },
  }))
  await seed(services.sql, instruments, cards)
  await services.sql.run(raw('analyze'))
  const read = sql`select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables where relname = 'instruments'`
  const count = await services.sql.transaction(async (transaction) => {
    const filters = { merchantId: other.id, states: paymentStates, card: '999999%' }
    const bounds = { before: Number.MAX_SAFE_INTEGER, size: 20_000 }
    assert.deepEqual((await matchingPaymentsInSlice(transaction, filters, bounds, 20)).payments, [])
    return (await transaction.one<{ count: number }>(read)).count
  })
  assert.ok(count < 1_000, `${count} rows were read`)
})
