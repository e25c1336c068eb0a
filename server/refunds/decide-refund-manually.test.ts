import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { newInstance } from '../../testing/harness/new-instance.ts'
import { eventLines, eventRows, modificationLines } from '../../testing/invariants/payment-rows.ts'
import { seedCharges } from '../../testing/seed/charges.ts'
import { posByConnector } from '../../testing/seed/modifications.ts'
import { refundActions } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import { openDatabase } from '../database/pool.ts'
import { createKey } from '../merchants/index.ts'
import { decideRefundManually } from './decide-refund-manually.ts'
import { reviewDueRefunds } from './index.ts'
import { requestRefund } from './request-refund.ts'

const till = await testTill()
const { services, clock, merchant } = till
const { sql: database } = services
const { paid, asked, refundsOf, statusOf, withManualReview, command } = refundActions(till)
const by = ['--by', 'Ayşe Işık', '--reason', 'Mallar geri geldi.']

/** Creates a payment with a refund in manual review. */
async function waiting(): Promise<{ paymentId: number; id: number }> {
  const paymentId = await paid()
  await withManualReview(() => asked(paymentId, 4_000))
  const [refund] = await refundsOf(paymentId)
  return { paymentId, id: refund?.id ?? 0 }
}

/** True for a refusal of this parameter with this text. */
const refusedFor =
  (name: string, words: RegExp) => (error: { complaints?: Map<string, { en: string }[]> }) => {
    const [complaint] = error.complaints?.get(name) ?? []
    assert.match(complaint?.en ?? String(error), words)
    return true
  }

describe('a manual review', () => {
  it('that approves stores who decided, when and why, and starts the refund at the bank', async () => {
    const { paymentId, id } = await waiting()
    clock.advance(5_000)
    assert.equal(
      await command('approve', id, ...by),
      `Refund ${id} is approved. To see the outcome: vezne refund show ${id}`,
    )
    const row = await database.one(
      sql`select state, decided_by, decided_at, reason from refunds where id = ${id}`,
    )
    const decided = { decided_by: 'Ayşe Işık', decided_at: clock.now(), reason: 'Mallar geri geldi.' }
    assert.deepEqual(row, { state: 'approved', ...decided })
    assert.deepEqual(await modificationLines(database, paymentId), ['refund doing'])
    await till.pass(0)
    assert.deepEqual(await statusOf(paymentId), [5, 2])
    assert.deepEqual((await eventLines(database, paymentId)).slice(1), [
      '2 refund.created',
      '3 refund.executed',
    ])
  })

  it('that rejects shows the merchant the reason, refunds nothing, and allows another refund', async () => {
    const { paymentId, id } = await waiting()
    assert.equal(
      await command('reject', id, '--by', 'Ayşe Işık', '--reason', 'Mallar geri gelmedi.'),
      `Refund ${id} is rejected.`,
    )
    const { data } = (await eventRows(database, paymentId))[2] ?? {}
    assert.deepEqual([data.refund.status, data.refund.reason], ['rejected', 'Mallar geri gelmedi.'])
    assert.equal(data.refund.end_at, data.refund.reviewed_at)
    assert.deepEqual([await statusOf(paymentId), await modificationLines(database, paymentId)], [[1, 2], []])
    await asked(paymentId, 10_000)
  })

  it('can decide before the rules do', async () => {
    const paymentId = await paid()
    await asked(paymentId)
    const [refund] = await refundsOf(paymentId)
    await command('reject', refund?.id ?? 0, ...by)
    await till.pass(60_000)
    assert.equal((await refundsOf(paymentId))[0]?.state, 'rejected')
    assert.equal((await eventLines(database, paymentId)).length, 3)
  })

  it('decides once: a second decision is refused and changes nothing', async () => {
    const { id } = await waiting()
    await command('reject', id, ...by)
    for (const verdict of ['approve', 'reject'])
      await assert.rejects(
        command(verdict, id, ...by),
        refusedFor('refund', /^This refund is not under review: it is rejected\.$/),
      )
    const other = await waiting()
    await command('approve', other.id, ...by)
    await assert.rejects(command('reject', other.id, ...by), refusedFor('refund', /it is approved\.$/))
    await till.pass(0)
    await assert.rejects(command('reject', other.id, ...by), refusedFor('refund', /it is executed\.$/))
  })

  it('needs an existing refund, a decider and a reason', async () => {
    await assert.rejects(
      command('approve', '99999999999999', ...by),
      refusedFor('refund', /no refund with this ID/),
    )
    const { id } = await waiting()
    await assert.rejects(command('approve', id, '--by', 'Ayşe Işık'))
    await assert.rejects(command('approve', id, '--reason', 'x'))
    await assert.rejects(command('approve', id, '--by', ' ', '--reason', 'x'))
    await assert.rejects(command('approve', id, '--by', 'Ayşe Işık', '--reason', 'x'.repeat(501)))
    const { state } = await database.one<{ state: string }>(sql`select state from refunds where id = ${id}`)
    assert.equal(state, 'under_review')
  })
})

describe('the requester of a refund', () => {
  it('cannot decide about it under any name of its key, in any spelling', async () => {
    const { key, text } = await createKey(services, merchant, 'secret', 'İade: Işık Şef')
    const paymentId = await paid()
    const form = `transaction_id=${paymentId}&description=x`
    const token = await till.token(text)
    await withManualReview(() => till.call({ method: 'POST', url: '/v1/transaction/refund', token, form }))
    const [refund] = await refundsOf(paymentId)
    const id = refund?.id ?? 0
    for (const name of [
      String(key.id),
      `key ${key.id}`,
      `KEY  ${key.id}`,
      'İade: Işık Şef',
      'iade: ışık şef',
      'IADE ISIK SEF',
      ' i̇ade  işik   şef ',
      key.hint,
      key.hint.toUpperCase(),
    ]) {
      await assert.rejects(
        command('approve', id, '--by', name, '--reason', 'x'),
        refusedFor('by', /another person must decide/),
        name,
      )
      await assert.rejects(command('reject', id, '--by', name, '--reason', 'x'), name)
    }
    assert.equal((await refundsOf(paymentId))[0]?.state, 'under_review')
    // A name that is only similar is allowed.
    await command('approve', id, '--by', 'Işık Şefik', '--reason', 'x')
  })

  it('is not matched by a name without letters or digits', async () => {
    const { id } = await waiting()
    await command('approve', id, '--by', '—', '--reason', 'x')
  })
})

describe('at the same time', () => {
  const { sql: pool, close } = openDatabase({ url: till.database.url }, 5, silentLog)
  after(close)
  const other = newInstance(services, pool)

  /** Creates refunds that are due for a decision by the rules. */
  async function due(count: number): Promise<{ id: number; paymentId: number }[]> {
    const posId = (await posByConnector(till)).get('sandbox') ?? 0
    const ids = await seedCharges(till, { posId, preAuth: false, fault: null, count })
    const input = { amountMinor: 6_000, description: 'x', by: 'key 1' }
    const refunds = await Promise.all(
      ids.map((paymentId) => requestRefund(services, merchant, { ...input, paymentId })),
    )
    clock.advance(2_000)
    return refunds
  }

  const decide = (on: typeof services, refund: number, verdict: 'approved' | 'rejected') =>
    decideRefundManually(on, { refund, by: `who ${verdict}`, reason: 'x' }, verdict).then(
      () => verdict,
      () => undefined,
    )

  /** Rows of each refund: the decision, the decider, its modifications, and the number of events. */
  const decisionRows = (refunds: readonly { id: number }[]) =>
    database.many<{ state: string; by: string; modifications: number; events: number }>(sql`
      select r.state, r.decided_by as by, p.event_count - 1 as events, (select count(*)::int from modifications d
        where d.merchant_id = r.merchant_id and d.refund_id = r.id) as modifications
      from refunds r join payments p on p.merchant_id = r.merchant_id and p.id = r.payment_id
      where r.id = any(${refunds.map(({ id }) => id)}::bigint[])`)

  it('an approval and a rejection by two operators make one decision', async () => {
    const refunds = await due(60)
    const outcomes = await Promise.all(
      refunds.map(({ id }, index) => {
        const [one, two] = index % 2 === 0 ? [services, other] : [other, services]
        return Promise.all([decide(one, id, 'approved'), decide(two, id, 'rejected')])
      }),
    )
    for (const both of outcomes) assert.equal(both.filter((each) => each !== undefined).length, 1)
    for (const { state, by: who, modifications, events } of await decisionRows(refunds)) {
      assert.deepEqual(
        [who, modifications, events],
        state === 'approved' ? ['who approved', 1, 1] : ['who rejected', 0, 2],
      )
    }
    await database.run(sql`update modifications set due_at = null`)
  })

  it('a rejection by an operator and the rules in two instances make one decision', async () => {
    const refunds = await due(60)
    const [persons] = await Promise.all([
      Promise.all(refunds.map(({ id }) => decide(services, id, 'rejected'))),
      reviewDueRefunds(services),
      reviewDueRefunds(other),
    ])
    const rejected = persons.filter((each) => each !== undefined).length
    const rows = await decisionRows(refunds)
    assert.equal(rows.filter(({ state }) => state === 'rejected').length, rejected)
    for (const { state, by: who, modifications, events } of rows) {
      assert.deepEqual(
        [who, modifications, events],
        state === 'approved' ? ['rules', 1, 1] : ['who rejected', 0, 2],
      )
    }
    await database.run(sql`update modifications set due_at = null`)
  })
})
