import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { postTransfers } from '../../testing/seed/post-transfers.ts'
import { seed } from '../../testing/seed/seed.ts'
import type { Transfer } from './index.ts'
import {
  accounts,
  balanceSheetsWithin,
  isBalanced,
  isMalformed,
  ledgerTransfers,
  postingsOfPayment,
  postingsOfRefund,
  recentVolume,
  refundShareOf,
} from './index.ts'

const { services, clock } = await testApi()
const { sql: database, ids, random } = services
const currencies = ['TRY', 'USD', 'EUR']

it('the balances of a merchant equal the sums of its transfers, one by one, and balance', async () => {
  const pick = <Value>(list: readonly Value[]) => list[random.bytes(1).readUInt8() % list.length] as Value
  const transfers = (await ids.nextMany(301)).map((id, index) => {
    const debit = pick(accounts)
    const credit = pick(accounts.filter((account) => account !== debit))
    const amountMinor = index === 0 ? 99_999_999_999 : 1 + (random.bytes(4).readUInt32BE() % 99_999_999)
    const chosen = { merchantId: pick([1, 2]), currency: pick(currencies), debit, credit, amountMinor }
    return { ...chosen, id, createdAt: clock.now() }
  })
  await seed(database, ledgerTransfers, transfers)
  for (const merchantId of [1, 2]) {
    const naive = new Map<string, number>()
    for (const { currency, debit, credit, amountMinor } of transfers.filter(
      (row) => row.merchantId === merchantId,
    )) {
      const add = (account: string, minor: number) =>
        naive.set(`${currency} ${account}`, (naive.get(`${currency} ${account}`) ?? 0) + minor)
      add(debit, debit === 'receivable' ? amountMinor : -amountMinor)
      add(credit, credit === 'receivable' ? -amountMinor : amountMinor)
    }
    const sheets = await sheetsOf(merchantId)
    const actual = sheets.flatMap((sheet) =>
      accounts.map((account) => [`${sheet.currency} ${account}`, sheet[account]] as const),
    )
    assert.deepEqual(new Map(actual.toSorted()), new Map([...naive].toSorted()))
    assert.equal(sheets.length, 3)
    assert.ok(sheets.every((sheet) => sheet.merchantId === merchantId && isBalanced(sheet)))
  }
  assert.deepEqual(await sheetsOf(3), [])
})

function sheetsOf(merchantId: number) {
  const all = { behind: Number.MIN_SAFE_INTEGER, upTo: Number.MAX_SAFE_INTEGER }
  return balanceSheetsWithin(database, { merchantId, ...all })
}

const dayMs = 24 * 60 * 60 * 1000

async function post(merchantId: number, transfers: readonly Omit<Transfer, 'id'>[]): Promise<void> {
  const rows: Transfer[] = []
  for (const transfer of transfers) rows.push({ ...transfer, id: await ids.next() })
  await postTransfers(database, merchantId, rows)
}

/** Takes a payment of 100.00 of which the bank keeps 1.79. */
async function take(merchantId: number, paymentId: number, availableAt: Date | null): Promise<void> {
  const taking = { paymentId, currency: 'TRY', chargedMinor: 10_000, commissionMinor: 179 }
  const createdAt = clock.now()
  await post(
    merchantId,
    postingsOfPayment(taking).map((posting) => ({ ...posting, availableAt, createdAt })),
  )
}

async function refund(
  merchantId: number,
  paymentId: number,
  refundId: number,
  given: { chargedMinor: number; commissionMinor: number },
  createdAt: Date,
): Promise<void> {
  const postings = postingsOfRefund({ paymentId, refundId, currency: 'TRY', ...given })
  await post(
    merchantId,
    postings.map((posting) => ({ ...posting, availableAt: 'with its payment', createdAt })),
  )
}

function malformedTransfers(merchantId: number) {
  return database.many(
    sql`select cause from ledger_transfers where merchant_id = ${merchantId} and ${isMalformed}`,
  )
}

describe('a refund', () => {
  it('debits the merchant and the commission by their shares, and after a full refund every account is at zero', async () => {
    const merchantId = await ids.next()
    await take(merchantId, 1, null)
    const charge = { amountMinor: 10_000, chargedMinor: 10_000, commissionMinor: 179 }
    let refunded = 0
    for (const [index, amountMinor] of [3_333, 3_333, 3_334].entries()) {
      await refund(merchantId, 1, 100 + index, refundShareOf(charge, refunded, amountMinor), clock.now())
      refunded += amountMinor
      const [sheet] = await sheetsOf(merchantId)
      assert.ok(sheet && isBalanced(sheet))
      assert.equal(sheet.receivable, 10_000 - refunded)
      assert.equal(sheet.balance + sheet.commission, 10_000 - refunded)
    }
    assert.deepEqual(await sheetsOf(merchantId), [
      { merchantId, currency: 'TRY', receivable: 0, balance: 0, commission: 0, differences: 0 },
    ])
    assert.deepEqual(await malformedTransfers(merchantId), [])
  })

  it('posts no zero amount, and posts each cause once', async () => {
    const merchantId = await ids.next()
    await refund(merchantId, 1, 5, { chargedMinor: 100, commissionMinor: 0 }, clock.now())
    await refund(merchantId, 1, 6, { chargedMinor: 100, commissionMinor: 100 }, clock.now())
    const transfers =
      await database.many(sql`select cause, reason, payment_id, refund_id, debit, credit, amount
      from ledger_transfers where merchant_id = ${merchantId} order by cause`)
    const common = { payment_id: 1, credit: 'receivable', amount: 100 }
    assert.deepEqual(transfers, [
      { cause: 'refund 5', reason: 'refund', refund_id: 5, debit: 'balance', ...common },
      {
        cause: 'refund_commission 6',
        reason: 'refund_commission',
        refund_id: 6,
        debit: 'commission',
        ...common,
      },
    ])
    await assert.rejects(refund(merchantId, 1, 5, { chargedMinor: 1, commissionMinor: 0 }, clock.now()))
  })

  it('is available together with its payment, or immediately if the payment already is', async () => {
    const merchantId = await ids.next()
    const now = clock.now()
    const due = new Date(now.getTime() + dayMs)
    const given = { chargedMinor: 100, commissionMinor: 10 }
    await take(merchantId, 1, due)
    await take(merchantId, 2, null)
    await refund(merchantId, 1, 11, given, now)
    await refund(merchantId, 1, 12, given, new Date(due.getTime() - 1))
    await refund(merchantId, 1, 13, given, due)
    await refund(merchantId, 2, 21, given, now)
    await take(await ids.next(), 3, due)
    await refund(merchantId, 3, 31, given, now)
    const actual = await database.many<{ refund_id: number; available_at: Date | null }>(sql`select refund_id,
        available_at from ledger_transfers where merchant_id = ${merchantId} and reason = 'refund' order by refund_id`)
    assert.deepEqual(
      actual.map(({ refund_id, available_at }) => [refund_id, available_at]),
      [
        [11, due],
        [12, due],
        [13, null],
        [21, null],
        [31, null],
      ],
    )
  })
})

it('the recent volume has the charged and the refunded amounts of a currency, commission included', async () => {
  const merchantId = await ids.next()
  const since = clock.now()
  await take(merchantId, 1, null)
  clock.advance(1)
  await take(merchantId, 2, null)
  await take(merchantId, 3, null)
  await refund(merchantId, 1, 7, { chargedMinor: 100, commissionMinor: 10 }, clock.now())
  await take(await ids.next(), 4, null)
  assert.deepEqual(await recentVolume(database, { merchantId, currency: 'TRY', since }), {
    takenMinor: 20_000,
    payments: 2,
    refundedMinor: 100,
  })
  const nothing = { takenMinor: 0, payments: 0, refundedMinor: 0 }
  assert.deepEqual(await recentVolume(database, { merchantId, currency: 'EUR', since }), nothing)
})

describe('a malformed transfer is reported', () => {
  const wrongs: [what: string, reason: string, change: ReturnType<typeof sql>][] = [
    ['a payment for a refund', 'payment', sql`refund_id = 7`],
    ['a refund for none', 'refund', sql`refund_id = null`],
    ['a refund with the cause of another', 'refund', sql`cause = 'refund 8'`],
    ['a refund with the cause of its payment', 'refund', sql`cause = 'refund 1'`],
    ['a refund that moves the other way', 'refund', sql`debit = credit, credit = debit`],
    ['a commission of a refund out of the balance', 'refund_commission', sql`debit = 'balance'`],
    [
      'a payment that is available too late',
      'payment',
      sql`available_at = ${new Date(clock.now().getTime() + 93 * dayMs)}`,
    ],
    ['one at a part of a millisecond', 'payment', sql`created_at = '2026-01-01T00:00:00.000001Z'`],
    ['one for a reason that there is not', 'payment', sql`reason = 'gift', cause = 'gift 1'`],
  ]
  for (const [what, reason, change] of wrongs) {
    it(what, async () => {
      const merchantId = await ids.next()
      await take(merchantId, 1, null)
      await refund(merchantId, 1, 7, { chargedMinor: 100, commissionMinor: 10 }, clock.now())
      assert.deepEqual(await malformedTransfers(merchantId), [])
      await database.run(
        sql`update ledger_transfers set ${change} where merchant_id = ${merchantId} and reason = ${reason}`,
      )
      assert.equal((await malformedTransfers(merchantId)).length, 1)
    })
  }
})
