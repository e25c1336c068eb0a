import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { TestApi } from '../../testing/harness/api.ts'
import { testApi } from '../../testing/harness/api.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { untilLockIsAwaited } from '../../testing/harness/database.ts'
import { postTransfers } from '../../testing/seed/post-transfers.ts'
import { seed } from '../../testing/seed/seed.ts'
import { checkSnapshot } from './check-snapshot.ts'
import type { MerchantBalance } from './merchant-balance.ts'
import { merchantBalancesOf } from './merchant-balance.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { ledgerTransfers, postingRules, postingsOfPayment } from './transfer.ts'

const hourMs = 60 * 60 * 1000
const running = new AbortController().signal

interface TestTransfer {
  merchantId: number
  currency: string
  change: number
  availableAt: Date | null
}

type TestLedger = TestApi & {
  transfers: TestTransfer[]
  post(transfer?: Partial<TestTransfer> & { at?: Date }): Promise<number>
}

async function testLedger(): Promise<TestLedger> {
  const api = await testApi()
  const { sql: database, ids } = api.services
  const transfers: TestTransfer[] = []
  const post: TestLedger['post'] = async ({ at = api.clock.now(), ...given } = {}) => {
    const row = { merchantId: api.merchant.id, currency: 'TRY', change: 100, availableAt: null, ...given }
    const { debit, credit } = postingRules[row.change > 0 ? 'payment' : 'refund']
    const id = await ids.next()
    const amounts = { debit, credit, amountMinor: Math.abs(row.change) }
    await seed(database, ledgerTransfers, { ...row, ...amounts, id, createdAt: at })
    transfers.push(row)
    return id
  }
  return { ...api, transfers, post }
}

/** Balance computed from all transfers, one by one. */
function naive(transfers: readonly TestTransfer[], merchantId: number, now: Date): MerchantBalance[] {
  const balances = new Map<string, MerchantBalance>()
  for (const { currency, change, availableAt } of transfers.filter((row) => row.merchantId === merchantId)) {
    const balance = balances.get(currency) ?? { currency, availableMinor: 0, pendingMinor: 0 }
    balance[availableAt && availableAt > now ? 'pendingMinor' : 'availableMinor'] += change
    balances.set(currency, balance)
  }
  return [...balances.values()].toSorted((a, b) => a.currency.localeCompare(b.currency))
}

describe('a balance', () => {
  it('is the sum of all transfers at any moment, whichever of them are in a snapshot', async () => {
    const { services, clock, transfers, post } = await testLedger()
    const { sql: database, random } = services
    const roll = (sides: number) => random.bytes(4).readUInt32BE() % sides
    const any = (): Partial<TestTransfer> & { at: Date } => {
      const nowMs = clock.now().getTime()
      return {
        merchantId: 1 + roll(2),
        currency: ['TRY', 'EUR', 'USD'][roll(3)] as string,
        change: (roll(3) === 0 ? -1 : 1) * (1 + roll(99_999_999)),
        availableAt: roll(2) === 0 ? null : new Date(nowMs + (1 + roll(40)) * 24 * hourMs),
        // Many transfers share a time, so that a slice ends between them.
        at: new Date(nowMs - roll(2) * 30 * 60_000),
      }
    }
    for (let round = 0; round < 60; round++) {
      clock.advance(roll(30) * hourMs)
      for (let count = roll(8); count > 0; count--) await post(any())
      for (const merchantId of [1, 2]) {
        if (roll(3) > 0) await takeSnapshot(services, merchantId, running, 1 + roll(4))
        const balance = await merchantBalancesOf(database, merchantId, clock.now())
        assert.deepEqual(balance, naive(transfers, merchantId, clock.now()))
        if (roll(5) === 0) assert.deepEqual(await checkSnapshot(database, merchantId, 1 + roll(20)), [])
      }
    }
    assert.deepEqual(await merchantBalancesOf(database, 3, clock.now()), [])
  })

  it('does not exist in a currency without transfers, and remains when it returns to zero', async () => {
    const { services, clock, merchant, post } = await testLedger()
    assert.deepEqual(await merchantBalancesOf(services.sql, merchant.id, clock.now()), [])
    await post({ change: 500 })
    await post({ change: -500 })
    const nothing = [{ currency: 'TRY', availableMinor: 0, pendingMinor: 0 }]
    assert.deepEqual(await merchantBalancesOf(services.sql, merchant.id, clock.now()), nothing)
    clock.advance(2 * hourMs)
    assert.equal(await takeSnapshot(services, merchant.id, running), 2)
    assert.deepEqual(await merchantBalancesOf(services.sql, merchant.id, clock.now()), nothing)
  })

  it('is the same if an instance’s clock is behind', async () => {
    const { services, clock, merchant, post } = await testLedger()
    const { sql: database } = services
    await post({ availableAt: new Date(clock.now().getTime() + 4 * hourMs) })
    const behind = new TestClock(new Date(clock.now().getTime() + 3 * hourMs).toISOString())
    clock.advance(1)
    await post({ availableAt: new Date(clock.now().getTime() + 4 * hourMs) })
    clock.advance(5 * hourMs)
    assert.equal(await takeSnapshot(services, merchant.id, AbortSignal.abort(), 1), 1)
    assert.equal(await takeSnapshot({ ...services, clock: behind }, merchant.id, running), 1)
    assert.deepEqual(await checkSnapshot(database, merchant.id), [])
    const [balance] = await merchantBalancesOf(database, merchant.id, clock.now())
    assert.deepEqual(balance, { currency: 'TRY', availableMinor: 200, pendingMinor: 0 })
  })

  it('becomes available on time, in a snapshot or not, and its separate sum is then merged', async () => {
    const { services, clock, merchant, post } = await testLedger()
    const { sql: database } = services
    const startMs = clock.now().getTime()
    const dues = Array.from({ length: 90 }, (_, day) => new Date(startMs + (day + 1) * 24 * hourMs))
    for (const availableAt of dues) await post({ availableAt })
    clock.advance(2 * hourMs)
    assert.equal(await takeSnapshot(services, merchant.id, running), 90)
    const balanceAt = async (at: Date) => (await merchantBalancesOf(database, merchant.id, at))[0]
    for (const [day, due] of [...dues.entries()].filter(([index]) => index % 30 === 0)) {
      assert.equal((await balanceAt(new Date(due.getTime() - 1)))?.pendingMinor, (90 - day) * 100)
      assert.equal((await balanceAt(due))?.availableMinor, (day + 1) * 100)
    }
    const sumCount = async () => (await database.many(sql`select from balance_snapshot_sums`)).length
    assert.equal(await sumCount(), 90)
    clock.advance(200 * 24 * hourMs)
    await post()
    clock.advance(2 * hourMs)
    assert.equal(await takeSnapshot(services, merchant.id, running), 1)
    assert.equal(await sumCount(), 1)
    assert.deepEqual(await balanceAt(clock.now()), {
      currency: 'TRY',
      availableMinor: 9_100,
      pendingMinor: 0,
    })
    assert.deepEqual(await checkSnapshot(database, merchant.id), [])
  })
})

describe('a snapshot', () => {
  it('contains transfers older than an hour, slice by slice, and stops between slices on abort', async () => {
    const { services, clock, merchant, post } = await testLedger()
    for (let count = 0; count < 7; count++) await post()
    clock.advance(hourMs)
    assert.equal(await takeSnapshot(services, merchant.id, running), 0)
    clock.advance(1)
    await post()
    const ending = new AbortController()
    ending.abort()
    assert.equal(await takeSnapshot(services, merchant.id, ending.signal, 3), 3)
    assert.equal(await takeSnapshot(services, merchant.id, running, 3), 4)
    assert.equal(await takeSnapshot(services, merchant.id, running, 3), 0)
  })

  it('contains each transfer once, even if many instances take it at the same time', async () => {
    const { services, clock, merchant, transfers, post } = await testLedger()
    const { sql: database } = services
    for (let round = 0; round < 4; round++) {
      for (let count = 0; count < 25; count++) await post({ change: 1 + count })
      clock.advance(2 * hourMs)
      const added = await Promise.all(
        Array.from({ length: 5 }, () => takeSnapshot(services, merchant.id, running, 4)),
      )
      assert.equal(
        added.reduce((all, each) => all + each, 0),
        25,
      )
      assert.deepEqual(
        await merchantBalancesOf(database, merchant.id, clock.now()),
        naive(transfers, merchant.id, clock.now()),
      )
      assert.deepEqual(await checkSnapshot(database, merchant.id), [])
    }
  })

  it('is extended by only one of two instances that read it, even if there was none before', async () => {
    const { services, clock, merchant, post } = await testLedger()
    const { sql: database } = services
    for (const taken of [0, 1]) {
      await post()
      clock.advance(2 * hourMs)
      let second: Promise<number> | undefined
      await database.transaction(async (transaction) => {
        await takeSnapshot({ sql: transaction, clock }, merchant.id, running)
        second = takeSnapshot(services, merchant.id, running)
        await untilLockIsAwaited(database)
      })
      assert.equal(await second, 0)
      const [balance] = await merchantBalancesOf(database, merchant.id, clock.now())
      assert.equal(balance?.availableMinor, (taken + 1) * 100)
      assert.deepEqual(await checkSnapshot(database, merchant.id), [])
    }
  })

  it('ends before every later transfer, even one whose clock was read long ago', async () => {
    const { services, clock, merchant, post } = await testLedger()
    const { sql: database } = services
    const readAt = clock.now()
    await post()
    clock.advance(3 * hourMs)
    await takeSnapshot(services, merchant.id, running)
    const taking = { paymentId: 2, currency: 'TRY', chargedMinor: 7, commissionMinor: 0 }
    const createdAt = new Date(readAt.getTime() - hourMs)
    const late = postingsOfPayment(taking).map((each) => ({ ...each, id: 1, availableAt: null, createdAt }))
    await postTransfers(database, merchant.id, late)
    const [balance] = await merchantBalancesOf(database, merchant.id, clock.now())
    assert.equal(balance?.availableMinor, 107)
    clock.advance(hourMs)
    assert.equal(await takeSnapshot(services, merchant.id, running), 1)
    assert.deepEqual(await checkSnapshot(database, merchant.id), [])
  })

  it('that differs from the sum of the transfers is reported, with the actual and the expected sum', async () => {
    const wrongs: [change: ReturnType<typeof sql>, detail: string][] = [
      [
        sql`update balance_snapshot_sums set amount = amount - 1 where available_at = '-infinity'`,
        '0.99 TRY by 1 transfers; expected: 1.00 TRY by 1 transfers',
      ],
      [
        sql`update balance_snapshot_sums set transfers = 2 where available_at = '-infinity'`,
        '1.00 TRY by 2 transfers; expected: 1.00 TRY by 1 transfers',
      ],
      [
        sql`delete from balance_snapshot_sums where available_at = '-infinity'`,
        '0.00 TRY by 0 transfers; expected: 1.00 TRY by 1 transfers',
      ],
      [
        sql`delete from balance_snapshot_sums where available_at > '-infinity'`,
        '0.00 TRY from 2027-01-01T00:00:00.000Z on by 0 transfers; expected: 2.00 TRY from 2027-01-01T00:00:00.000Z on by 1 transfers',
      ],
      [
        sql`insert into balance_snapshot_sums select merchant_id, 'EUR', available_at, 5, 1 from balance_snapshot_sums
          where available_at = '-infinity'`,
        '0.05 EUR by 1 transfers; expected: 0.00 EUR by 0 transfers',
      ],
      [
        sql`update ledger_transfers set amount = 300 where available_at is null`,
        '1.00 TRY by 1 transfers; expected: 3.00 TRY by 1 transfers',
      ],
    ]
    const { services, clock, merchant, post } = await testLedger()
    const { sql: database } = services
    await post()
    await post({ change: 200, availableAt: new Date('2027-01-01T00:00:00Z') })
    clock.advance(2 * hourMs)
    await takeSnapshot(services, merchant.id, running)
    const undone = new Error('undone')
    for (const [change, detail] of wrongs) {
      const work = database.transaction(async (transaction) => {
        await transaction.run(change)
        assert.deepEqual(await checkSnapshot(transaction, merchant.id, 1), [detail])
        throw undone
      })
      await assert.rejects(work, undone)
    }
    assert.deepEqual(await checkSnapshot(database, merchant.id), [])
  })
})
