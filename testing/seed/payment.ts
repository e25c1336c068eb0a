import { sql } from '../../kit/runtime/sql.ts'
import type { EventKind } from '../../server/events/index.ts'
import { events } from '../../server/events/index.ts'
import { postingsOfPayment } from '../../server/ledger/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import { attempts as attemptTable } from '../../server/payments/records/attempt.ts'
import { payments } from '../../server/payments/records/payment.ts'
import type { PaymentState, PreAuthResolution } from '../../server/payments/records/states.ts'
import { paymentStateEdges } from '../../server/payments/records/states.ts'
import { shownTransaction } from '../../server/payments/records/transaction.ts'
import type { AttemptSeed, RefundSeed, SeededCharge, SeededRows, SeedServices } from './after-outcome.ts'
import {
  refundedAmount,
  seedBankCall,
  seedInstrument,
  seedPostings,
  seedRefunds,
  seedResolution,
} from './after-outcome.ts'
import { insertRows } from './insert-rows.ts'

/** A payment with all its rows, so that tests of reading need no code that writes. */
export interface PaymentSeed {
  state?: PaymentState
  amountMinor?: number
  currency?: string
  /** Default: true for held, capturing and releasing payments, and with a resolution. */
  preAuth?: boolean
  /** Resolution of the hold. Default for a paid pre-authorization: capture. */
  resolution?: PreAuthResolution
  /**
   * Default for a refunded payment: one full refund; for a partially refunded one: a refund of half the
   * amount.
   */
  refunds?: RefundSeed[]
  customerId?: number
  createdAt?: Date
  viewedAt?: Date
  items?: { product_name: string; price: number; description: string | null }[]
  metadata?: { key: string; value: string }[]
  description?: string
  /** The last attempt is the payment's current one. */
  attempts?: AttemptSeed[]
}

const secondMs = 1000

/** Time from the start to the outcome, to the resolution and to the first refund. */
const outcomeS = 60
const resolvedS = 120
const refundedS = 200

export async function seedPayment(
  services: SeedServices,
  { id: merchantId }: Pick<Merchant, 'id'>,
  seed: PaymentSeed = {},
): Promise<SeededPayment> {
  const { ids, clock } = services
  const { amountMinor = 10_000, currency = 'TRY', attempts = [] } = seed
  const createdAt = seed.createdAt ?? clock.now()
  const course = courseOf(seed, amountMinor)
  const id = await ids.next()
  const attemptIds = await ids.nextMany(attempts.length)
  const row: PaymentRow = { ...{ merchantId, id, amountMinor, currency, createdAt, attemptIds }, ...course }
  await seedPaymentRow(services, seed, row)
  for (const [index, attempt] of attempts.entries())
    await seedAttempt(services, row, attempt, { id: attemptIds[index] ?? 0, number: index + 1 })
  const seeded = await seedAfterOutcome(services, seed, row)
  const at = (seconds: number) => new Date(createdAt.getTime() + seconds * secondMs)
  const events = [...(course.outcome ? [{ ...course.outcome, at: at(outcomeS) }] : []), ...seeded.events]
  for (const [index, event] of events.entries()) {
    const data = { ...dataOf(event, seed, row), ...event.beside }
    const { kind, at: when } = event
    await seedEvent(services, { merchantId, paymentId: id, kind, number: index + 1, data, at: when })
  }
  await services.sql.run(sql`update payments set event_count = ${events.length}, refund_id = ${seeded.openRefundId}
    where merchant_id = ${merchantId} and id = ${id}`)
  return { id, attemptIds, modificationIds: seeded.modificationIds, refundIds: seeded.refundIds }
}

export interface SeededPayment {
  id: number
  attemptIds: number[]
  modificationIds: number[]
  refundIds: number[]
}

/** States and outcome of a seeded payment. */
interface Course {
  state: PaymentState
  preAuth: boolean
  resolution: PreAuthResolution | null
  refunds: RefundSeed[]
  /** First outcome and its event. */
  outcome: { kind: EventKind; state: PaymentState } | undefined
}

interface PaymentRow extends Course {
  merchantId: number
  id: number
  amountMinor: number
  currency: string
  createdAt: Date
  attemptIds: number[]
}

function courseOf(seed: PaymentSeed, amountMinor: number): Course {
  const { state = 'open' } = seed
  const isPaid = isPaidState(state)
  const { preAuth = isHeldState(state) || seed.resolution !== undefined } = seed
  const wished = state === 'capturing' || (preAuth && isPaid) ? 'capture' : state === 'releasing' && 'release'
  const resolution = seed.resolution ?? (wished || null)
  const all = { refunded: amountMinor, partly_refunded: Math.floor(amountMinor / 2) }
  const given = state === 'refunded' || state === 'partly_refunded' ? [{ amountMinor: all[state] }] : []
  const first: PaymentState = resolution ? 'held' : isPaid ? 'paid' : state
  const kind = paymentStateEdges.find(({ to, event }) => to === first && event)?.event
  const outcome = kind && { kind, state: first }
  return { state, preAuth, resolution, refunds: seed.refunds ?? given, outcome }
}

function isHeldState(state: PaymentState): boolean {
  return state === 'held' || state === 'capturing' || state === 'releasing'
}

function isPaidState(state: PaymentState): boolean {
  return state === 'paid' || state === 'partly_refunded' || state === 'refunded'
}

async function seedPaymentRow(
  { sql: database }: SeedServices,
  seed: PaymentSeed,
  row: PaymentRow,
): Promise<void> {
  const { merchantId, id, state, createdAt, outcome, resolution, attemptIds, refunds } = row
  const { attempts = [] } = seed
  const last = attempts.at(-1)
  const after = (seconds: number) => new Date(createdAt.getTime() + seconds * secondMs)
  const isResolved = resolution !== null
  const endedS = isResolved && !isHeldState(state) ? resolvedS + 2 : outcomeS
  const dueS = state.endsWith('ing') ? 3600 : 1800
  await insertRows(database, payments, [
    {
      ...{ merchantId, id, state, version: 1, amountMinor: row.amountMinor, currency: row.currency },
      ...{ preAuth: row.preAuth, customerId: seed.customerId ?? null, customerByPage: false },
      ...{ items: seed.items ?? [], metadata: seed.metadata ?? [], description: seed.description ?? null },
      ...{
        redirectUrl: 'https://shop.example/back',
        pageKey: Buffer.from('a page key'),
        startedBy: 'secret',
      },
      ...{ createdAt, expiresAt: after(1800), viewedAt: seed.viewedAt ?? null },
      ...{ endedAt: outcome ? after(endedS) : null, dueAt: outcome ? null : after(dueS) },
      ...{ attemptCount: attempts.length, attemptId: attemptIds.at(-1) ?? null, eventCount: 0 },
      installmentCount: last?.installment ?? 1,
      ...{ code: last?.code ?? null, message: last?.message ?? null, resolution },
      resolvedBy: isResolved ? 'key 10000000000002' : null,
      resolvedAt: isResolved ? after(resolvedS) : null,
      refundedMinor: refundedAmount(refunds),
    },
  ])
}

/** Seeds the modifications, postings and refunds after the outcome. */
async function seedAfterOutcome(
  services: SeedServices,
  seed: PaymentSeed,
  row: PaymentRow,
): Promise<SeededRows> {
  const { merchantId, id: paymentId, currency, amountMinor, state, createdAt, preAuth, resolution } = row
  const after = (seconds: number) => new Date(createdAt.getTime() + seconds * secondMs)
  const last = seed.attempts?.at(-1)
  const { chargedMinor = amountMinor, commissionMinor = 0, posId = 1 } = last ?? {}
  const attemptId = row.attemptIds.at(-1) ?? 0
  const charged: SeededCharge = {
    ...{ merchantId, paymentId, attemptId, posId, currency },
    ...{ amountMinor, chargedMinor, commissionMinor },
  }
  const resolved = resolution && last && (await seedResolution(services, charged, row, after(resolvedS)))
  if (isPaidState(state) && last) {
    const at = after(preAuth ? resolvedS + 2 : outcomeS)
    await seedPostings(services, merchantId, postingsOfPayment(charged), at)
  }
  const refunded = await seedRefunds(services, charged, row.refunds, after(refundedS))
  return {
    modificationIds: [...(resolved?.modificationIds ?? []), ...refunded.modificationIds],
    refundIds: refunded.refundIds,
    openRefundId: refunded.openRefundId,
    events: [...(resolved?.events ?? []), ...refunded.events],
  }
}

function dataOf({ state, at }: SeededRows['events'][number], seed: PaymentSeed, row: PaymentRow): object {
  const { id, amountMinor, currency, preAuth, createdAt } = row
  const { metadata = [], viewedAt = null, attempts = [] } = seed
  const { installment: installmentCount = 1, code = null, message = null } = attempts.at(-1) ?? {}
  const details = { installmentCount, code, message, metadata, viewedAt, createdAt, endedAt: at }
  return shownTransaction(
    { id, state, amountMinor, currency, preAuth, ...details },
    { timeZone: 'Europe/Istanbul' },
  )
}

async function seedAttempt(
  services: SeedServices,
  { merchantId, id: paymentId, amountMinor, currency, preAuth, createdAt }: PaymentRow,
  attempt: AttemptSeed,
  { id, number }: { id: number; number: number },
): Promise<void> {
  const after = (seconds: number) => new Date(createdAt.getTime() + (9 + number + seconds) * secondMs)
  const isOver = !attempt.state.endsWith('ing')
  const card = attempt.card ?? '415565******6111'
  await seedInstrument(services.sql, { merchantId, mask: card })
  await insertRows(services.sql, attemptTable, [
    {
      ...{ merchantId, id, paymentId, number, reference: String(id), state: attempt.state, version: 1 },
      ...{ posId: attempt.posId ?? 1, connector: 'sandbox', preAuth, currency },
      chargedMinor: attempt.chargedMinor ?? amountMinor,
      ...{ commissionMinor: attempt.commissionMinor ?? 0, commissionId: attempt.commissionId ?? 1 },
      installment: attempt.installment ?? 1,
      reason: { among: 'own_family', by: ['lowest_commission'] },
      ...{ instrumentFingerprint: Buffer.from(card), payerAddress: '203.0.113.7' },
      ...{ beganAt: after(0), askedAt: after(1), endedAt: isOver ? after(3) : null },
      ...{ code: attempt.code ?? null, message: attempt.message ?? null },
      ...{ dueAt: isOver ? null : after(3600), tries: 0 },
    },
  ])
  for (const [index, call] of callsOf(attempt, preAuth).entries()) {
    const about = { merchantId, paymentId, attemptId: id, modificationId: null, at: after(1 + index) }
    await seedBankCall(services, about, call)
  }
}

function callsOf(attempt: AttemptSeed, preAuth: boolean): NonNullable<AttemptSeed['calls']> {
  if (attempt.calls || attempt.state !== 'approved') return attempt.calls ?? []
  return [{ operation: preAuth ? 'pre_authorize' : 'authorize', outcome: 'approved' }]
}

export async function seedEvent(
  { sql: database, ids }: SeedServices,
  event: { merchantId: number; paymentId: number; kind: EventKind; number: number; data?: object; at: Date },
): Promise<number> {
  const id = await ids.next()
  const row = { ...event, id, data: event.data ?? {}, createdAt: event.at }
  // Both rows in one query: another seed of this merchant adds positions to events that have none.
  await database.run(sql`with inserted_event as (
      insert into events (${events.names}) values (${events.values(row)}) returning merchant_id, id, created_at)
    insert into event_positions (merchant_id, event_id, created_at) select * from inserted_event`)
  return id
}
