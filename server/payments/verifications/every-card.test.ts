import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { cards } from '../../../sandbox/index.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import type { ModificationCase } from '../../../testing/seed/modifications.ts'
import { posByConnector, seedDueModifications } from '../../../testing/seed/modifications.ts'
import { bankPageTill, payAtBankPage } from '../../../testing/till/pay-at-bank-page.ts'
import {
  processDueCapturesAndReleases,
  processDueRefunds,
  processDueVerifications,
} from '../../../testing/till/process-due.ts'
import { testTill } from '../../../testing/till/till.ts'

const hourMs = 60 * 60 * 1000

/** Final amounts at the bank for a charge of 100.00, by the name of the fault. */
const differing: Readonly<Record<string, number>> = { 'other-amount': 10_100, more: 10_100, less: 9_900 }

for (const preAuth of [false, true]) {
  it(`every card at a bank that reports no amounts, ${preAuth ? 'held' : 'charged'}: each difference is found once, and nothing else differs`, async () => {
    const till = await bankPageTill()
    const names = new Map<number, string>()
    for (const { number, fault } of cards) {
      const form = `amount=10000&currency=TRY${preAuth ? '&pre_auth=true' : ''}`
      names.set(await payAtBankPage(till, number, form, till.passUntil), fault?.name ?? '')
    }
    await till.pass(6 * hourMs)
    const rows = await till.services.sql.many<{
      paymentId: number
      state: string
      bankAmount: number | null
    }>(
      sql`select payment_id as "paymentId", state, bank_amount as "bankAmount" from verifications order by payment_id`,
    )
    const actual = rows
      .filter(({ state }) => state !== 'verified')
      .map(({ paymentId, state, bankAmount }) => `${names.get(paymentId)} ${state} ${bankAmount}`)
    assert.deepEqual(
      actual.toSorted(),
      Object.entries(differing)
        .map(([name, bankAmount]) => `${name} differs ${bankAmount}`)
        .toSorted(),
    )
    assert.deepEqual(await inconsistencies(till), [])
  })
}

it('at a bank that reports amounts nothing needs verification: a different amount is reversed before any event', async () => {
  const till = await testTill()
  for (const { number, fault } of cards) {
    if (!((fault?.name ?? '') in differing)) continue
    const id = await till.start()
    await till.passUntil(till.pay(id, number))
  }
  await till.pass(6 * hourMs)
  const rows = await till.services.sql.many(sql`select from verifications`)
  assert.equal(rows.length, 0)
  assert.deepEqual(await inconsistencies(till), [])
})

const shortOf: Readonly<Record<ModificationCase, string[]>> = {
  capture: ['capture differs 9900'],
  release: ['release verified'],
  undo: ['refund differs 9900'],
  refund: ['refund differs 9900'],
  part: ['refund differs 3233'],
}

it('a capture or refund of less than requested differs at a bank that reports no amounts', async () => {
  const till = await testTill({ withBankPage: true })
  const posId = (await posByConnector(till)).get('sandbox-nestpay') ?? assert.fail()
  for (const [modificationCase, expected] of Object.entries(shortOf)) {
    const [id] = await seedDueModifications(till, modificationCase as ModificationCase, {
      posId,
      fault: 'modification-short',
      count: 1,
    })
    await till.pass(6 * hourMs)
    const rows = await till.services.sql.many<{ kind: string; state: string; bankAmount: number | null }>(
      sql`select kind, state, bank_amount as "bankAmount" from verifications where payment_id = ${id}`,
    )
    const actual = rows.map(({ kind, state, bankAmount }) => `${kind} ${state} ${bankAmount ?? ''}`.trim())
    assert.deepEqual(actual, expected, modificationCase)
  }
  assert.deepEqual(await inconsistencies(till), [])
})

it('a capture or refund of less than requested needs manual review at a bank that reports amounts, without a failure event', async () => {
  const till = await testTill({ withBankPage: true })
  const posId = (await posByConnector(till)).get('sandbox') ?? assert.fail()
  for (const modificationCase of ['capture', 'refund', 'part'] as const) {
    const [id] = await seedDueModifications(till, modificationCase, {
      posId,
      fault: 'modification-short',
      count: 1,
    })
    await till.pass(6 * hourMs)
    const rows = await till.services.sql.many<{ state: string; needsReview: boolean }>(
      sql`select state, needs_review_at is not null as "needsReview" from modifications where payment_id = ${id}`,
    )
    assert.deepEqual(rows, [{ state: 'doing', needsReview: true }], modificationCase)
  }
  while ((await processDueCapturesAndReleases(till.services)) + (await processDueRefunds(till.services)) > 0);
  assert.equal(await processDueVerifications(till.services), 0)
  assert.deepEqual(await inconsistencies(till), [])
})
