import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NumericIdAllocator } from '../../../kit/runtime/numeric-id-allocator.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { eventLines } from '../../../testing/invariants/payment-rows.ts'
import { seed } from '../../../testing/seed/seed.ts'
import { bonusCard, preAuthForm } from '../../../testing/till/refunds.ts'
import { testTill } from '../../../testing/till/till.ts'
import { startCaptureOrRelease } from '../holds/start-capture-or-release.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import { modificationWithPaymentOf } from '../records/modification.sql.ts'
import type { ModificationWithPayment } from '../records/modification.ts'
import { paymentById } from '../records/payment.sql.ts'
import { verificationWithPaymentOf } from '../records/verification.sql.ts'
import { verifications } from '../records/verification.ts'
import { applyTransition } from './transition.ts'

const till = await testTill()
const { services, merchant, clock } = till
const { sql: database } = services

/** A payment to be captured, with its modification. */
async function capturing(): Promise<ModificationWithPayment> {
  const id = await till.start(preAuthForm)
  await till.pay(id, bonusCard)
  await startCaptureOrRelease(services, merchant, id, { resolution: 'capture', by: 'key 1' })
  const modification = await database.one<{ id: number }>(
    sql`select id from modifications where payment_id = ${id}`,
  )
  return (
    (await modificationWithPaymentOf(database, { merchantId: merchant.id, id: modification.id })) ??
    assert.fail()
  )
}

/** The payment after its modification is done. */
function taken({ payment, modification }: ModificationWithPayment) {
  const now = clock.now()
  return {
    payment: { ...payment, state: 'paid' as const, endedAt: now },
    modification: {
      ...modification,
      state: 'done' as const,
      operation: 'capture' as const,
      endedAt: now,
      dueAt: null,
    },
  }
}

describe('a transition', () => {
  it('is written only if the payment is unchanged since the decision', async () => {
    const id = await till.start(preAuthForm)
    await till.pay(id, bonusCard)
    const held = (await paymentById(database, merchant.id, id)) ?? assert.fail()
    const resolved = { ...held, dueAt: null, resolvedBy: 'key 1', resolvedAt: clock.now() }
    const capturing = { ...resolved, state: 'capturing' as const, resolution: 'capture' as const }
    const releasing = { ...resolved, state: 'releasing' as const, resolution: 'release' as const }
    assert.ok(await applyTransition(services, merchant, { before: { payment: held }, payment: capturing }))
    assert.equal(
      await applyTransition(services, merchant, { before: { payment: held }, payment: releasing }),
      undefined,
    )
    assert.equal((await paymentById(database, merchant.id, id))?.state, 'capturing')
  })

  it('is written only if the modification is unchanged since the decision', async () => {
    const seen = await capturing()
    const dueAt = new Date(clock.now().getTime() + 60_000)
    assert.ok(
      await applyTransition(services, merchant, {
        before: seen,
        modification: { ...seen.modification, dueAt },
      }),
    )
    assert.equal(await applyTransition(services, merchant, { before: seen, ...taken(seen) }), undefined)
    const now = (await modificationWithPaymentOf(database, seen.modification)) ?? assert.fail()
    assert.deepEqual(now, {
      ...seen,
      modification: { ...seen.modification, dueAt, version: seen.modification.version + 1 },
    })
    assert.deepEqual(await eventLines(database, seen.payment.id), ['1 payment.pre_authorized'])
    assert.ok(await applyTransition(services, merchant, { before: now, ...taken(now) }))
    assert.equal((await paymentById(database, merchant.id, seen.payment.id))?.state, 'paid')
  })

  it('is written only if the attempt is unchanged since the decision', async () => {
    const id = await till.start()
    const submitted = await till.submit(id, bonusCard)
    if (submitted.outcome !== 'begun') assert.fail(submitted.outcome)
    const seen = (await attemptWithPaymentOf(database, submitted.attempt)) ?? assert.fail()
    const dueAt = new Date(clock.now().getTime() + 60_000)
    assert.ok(
      await applyTransition(services, merchant, { before: seen, attempt: { ...seen.attempt, dueAt } }),
    )
    const payment = { ...seen.payment, state: 'authorizing' as const }
    const attempt = { ...seen.attempt, state: 'authorizing' as const }
    assert.equal(await applyTransition(services, merchant, { before: seen, payment, attempt }), undefined)
    const now = (await attemptWithPaymentOf(database, submitted.attempt)) ?? assert.fail()
    assert.deepEqual(now, { ...seen, attempt: { ...seen.attempt, dueAt, version: seen.attempt.version + 1 } })
  })

  it('is written only if the verification is unchanged since the decision', async () => {
    const { payment, attempt } = await capturing()
    const row = { paymentId: payment.id, attemptId: attempt.id, posId: attempt.posId, kind: 'hold' as const }
    const ownedId = { merchantId: merchant.id, id: attempt.id }
    await seed(database, verifications, [{ ...row, ...ownedId, approvedAt: clock.now() }])
    const seen = (await verificationWithPaymentOf(database, ownedId)) ?? assert.fail()
    const { verification } = seen
    const dueAt = new Date(clock.now().getTime() + 60_000)
    const postponed = { ...verification, dueAt }
    assert.ok(await applyTransition(services, merchant, { before: seen, verification: postponed }))
    const verified = { ...verification, state: 'verified' as const, dueAt: null, endedAt: clock.now() }
    assert.equal(
      await applyTransition(services, merchant, { before: seen, verification: verified }),
      undefined,
    )
    const now = (await verificationWithPaymentOf(database, ownedId)) ?? assert.fail()
    assert.deepEqual(now.verification, { ...postponed, version: verification.version + 1 })
  })

  it('moves an attempt only along the edges of its graph', async () => {
    const id = await till.start()
    const submitted = await till.submit(id, bonusCard)
    if (submitted.outcome !== 'begun') assert.fail(submitted.outcome)
    const seen = (await attemptWithPaymentOf(database, submitted.attempt)) ?? assert.fail()
    const attempt = { ...seen.attempt, state: 'approved' as const }
    await assert.rejects(
      applyTransition(services, merchant, { before: seen, attempt }),
      /an attempt does not go from authenticating to approved/,
    )
    assert.deepEqual(await attemptWithPaymentOf(database, submitted.attempt), seen)
  })

  it('is written with its event or not at all', async () => {
    const seen = await capturing()
    const event = await database.one<{ id: number }>(
      sql`select id from events where payment_id = ${seen.payment.id}`,
    )
    // The event's id is taken, so the event cannot be written.
    const ids = {
      next: async () => event.id,
      nextMany: (count: number) => services.ids.nextMany(count),
    } as NumericIdAllocator
    await assert.rejects(
      applyTransition({ ...services, ids }, merchant, { before: seen, ...taken(seen) }),
      /event(s|_positions)_pkey/,
    )
    assert.deepEqual(await modificationWithPaymentOf(database, seen.modification), seen)
    assert.ok(await applyTransition(services, merchant, { before: seen, ...taken(seen) }))
    const events = ['1 payment.pre_authorized', '2 pre_auth.completed']
    assert.deepEqual(await eventLines(database, seen.payment.id), events)
  })

  it('does not end a modification twice, and does not end another modification', async () => {
    const [seen, other] = [await capturing(), await capturing()]
    const { after: ended } =
      (await applyTransition(services, merchant, { before: seen, ...taken(seen) })) ?? assert.fail()
    await assert.rejects(
      applyTransition(services, merchant, { before: ended, modification: ended.modification }),
      /from done to done/,
    )
    await assert.rejects(
      applyTransition(services, merchant, { before: other, modification: seen.modification }),
      /does not go/,
    )
  })
})
