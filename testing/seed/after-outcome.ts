import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { EventKind } from '../../server/events/index.ts'
import type { Posting } from '../../server/ledger/index.ts'
import { ledgerTransfers, postingsOfRefund, refundShareOf } from '../../server/ledger/index.ts'
import type { AttemptState } from '../../server/payments/records/attempt.ts'
import type { BankCallOperation } from '../../server/payments/records/bank-call.ts'
import { bankCalls } from '../../server/payments/records/bank-call.ts'
import { instruments } from '../../server/payments/records/instrument.ts'
import type { Modification } from '../../server/payments/records/modification.ts'
import { modifications } from '../../server/payments/records/modification.ts'
import type { PaymentState, PreAuthResolution } from '../../server/payments/records/states.ts'
import { withStateByRefundedAmount } from '../../server/payments/records/states.ts'
import type { Refund, RefundState } from '../../server/refunds/refund.ts'
import { shownRefund } from '../../server/refunds/refund.ts'
import type { Services } from '../../server/services.ts'
import { insertRows } from './insert-rows.ts'

export interface AttemptSeed {
  state: AttemptState
  posId?: number
  chargedMinor?: number
  commissionMinor?: number
  commissionId?: number
  installment?: number
  card?: string
  code?: string
  message?: string
  /** Default for an approved attempt: its approval. */
  calls?: { operation: BankCallOperation; outcome?: string; code?: string; detail?: string }[]
}

export type SeedServices = Pick<Services, 'sql' | 'ids' | 'clock'>

/** The charge of a paid or held payment. */
export interface SeededCharge {
  merchantId: number
  paymentId: number
  attemptId: number
  posId: number
  currency: string
  amountMinor: number
  chargedMinor: number
  commissionMinor: number
}

export interface RefundSeed {
  amountMinor: number
  /** Default: executed. */
  state?: RefundState
  description?: string
}

/** Seeded rows and the events that they need. */
export interface SeededRows {
  modificationIds: number[]
  refundIds: number[]
  openRefundId: number | null
  events: { kind: EventKind; state: PaymentState; at: Date; beside?: object }[]
}

const secondMs = 1000

/** Sum of the executed refunds. */
export function refundedAmount(refunds: readonly RefundSeed[]): number {
  return refunds.filter(isExecuted).reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

function isExecuted({ state = 'executed' }: RefundSeed): boolean {
  return state === 'executed'
}

/** Seeds the modifications that led a hold to the payment's state. */
export async function seedResolution(
  services: SeedServices,
  charged: SeededCharge,
  { state: paymentState, resolution }: { state: PaymentState; resolution: PreAuthResolution | null },
  beganAt: Date,
): Promise<Pick<SeededRows, 'modificationIds' | 'events'>> {
  if (!resolution) return { modificationIds: [], events: [] }
  const isRefused = resolution === 'capture' && paymentState === 'failed'
  const isOpen = paymentState === 'capturing' || paymentState === 'releasing'
  const state = isOpen ? 'doing' : isRefused ? 'refused' : 'done'
  const whole = { amountMinor: charged.chargedMinor, beganAt }
  const modificationIds = [await seedModification(services, charged, { ...whole, kind: resolution, state })]
  const at = new Date(beganAt.getTime() + 2 * secondMs)
  // A hold is released after its capture was refused.
  if (isRefused)
    modificationIds.push(
      await seedModification(services, charged, { ...whole, beganAt: at, kind: 'release', state: 'done' }),
    )
  if (isOpen) return { modificationIds, events: [] }
  if (paymentState === 'failed')
    return { modificationIds, events: [{ kind: 'pre_auth.failed', state: 'failed', at }] }
  return { modificationIds, events: [{ kind: 'pre_auth.completed', state: 'paid', at }] }
}

/** Seeds refunds of a payment, one after the other. */
export async function seedRefunds(
  services: SeedServices,
  charged: SeededCharge,
  refunds: readonly RefundSeed[],
  firstAt: Date,
): Promise<SeededRows> {
  const seeded: SeededRows = { modificationIds: [], refundIds: [], openRefundId: null, events: [] }
  let refundedMinor = 0
  for (const [index, seed] of refunds.entries()) {
    const requestedAt = new Date(firstAt.getTime() + index * 100 * secondMs)
    const refund = await newRefund(services, charged, seed, { refundedMinor, requestedAt })
    await seedRefund(services, refund)
    const before = refundShareOf(charged, 0, refundedMinor).chargedMinor
    const modification = modificationOf(refund, before)
    if (modification) seeded.modificationIds.push(await seedModification(services, charged, modification))
    if (refund.state === 'executed') {
      refundedMinor += refund.amountMinor
      const postings = postingsOfRefund({ ...refund, refundId: refund.id })
      await seedPostings(services, refund.merchantId, postings, refund.endedAt ?? requestedAt)
    }
    seeded.refundIds.push(refund.id)
    if (refund.endedAt === null) seeded.openRefundId = refund.id
    seeded.events.push(...eventsOf(refund, { amountMinor: charged.amountMinor, refundedMinor }))
  }
  return seeded
}

function modificationOf(refund: Refund, priorRefundedMinor: number): ModificationSeed | undefined {
  const states = { approved: 'doing', executed: 'done', failed: 'refused' } as const
  const { state, id: refundId, chargedMinor: amountMinor, decidedAt } = refund
  if (state === 'under_review' || state === 'rejected' || !decidedAt) return undefined
  return {
    kind: 'refund',
    state: states[state],
    amountMinor,
    beganAt: decidedAt,
    refundId,
    priorRefundedMinor,
  }
}

function eventsOf(
  refund: Refund,
  after: { amountMinor: number; refundedMinor: number },
): SeededRows['events'] {
  const { state, requestedAt, endedAt, amountMinor } = refund
  const paid = (refundedMinor: number) => withStateByRefundedAmount({ ...after, refundedMinor }).state
  const before = paid(after.refundedMinor - (state === 'executed' ? amountMinor : 0))
  const shown = (then: Refund) => ({ refund: shownRefund(then, { timeZone: 'Europe/Istanbul' }) })
  const requested: Refund = { ...refund, state: 'under_review', decidedAt: null, endedAt: null }
  const created = {
    kind: 'refund.created',
    state: before,
    at: requestedAt,
    beside: shown(requested),
  } as const
  if (state === 'under_review' || state === 'approved' || !endedAt) return [created]
  return [
    created,
    { kind: `refund.${state}`, state: paid(after.refundedMinor), at: endedAt, beside: shown(refund) },
  ]
}

async function newRefund(
  { ids }: SeedServices,
  charged: SeededCharge,
  { amountMinor, state = 'executed', description = 'Ürün iade edildi' }: RefundSeed,
  { refundedMinor, requestedAt }: { refundedMinor: number; requestedAt: Date },
): Promise<Refund> {
  const after = (seconds: number) => new Date(requestedAt.getTime() + seconds * secondMs)
  const { merchantId, paymentId, currency } = charged
  const isDecided = state !== 'under_review'
  const isEnded = isDecided && state !== 'approved'
  return {
    ...{ merchantId, id: await ids.next(), paymentId, state, amountMinor, currency },
    ...refundShareOf(charged, refundedMinor, amountMinor),
    ...{ description, requestedBy: 'key 10000000000002', requestedAt, policy: 'manual', dueAt: null },
    violations: [],
    decidedBy: isDecided ? 'Ayşe Işık' : null,
    decidedAt: isDecided ? after(10) : null,
    reason: isDecided ? 'The goods came back.' : null,
    endedAt: isEnded ? after(state === 'rejected' ? 10 : 12) : null,
    code: state === 'executed' ? '00' : state === 'failed' ? '57' : null,
    message: null,
    nextBankCallAt: null,
    declineReason: null,
  }
}

async function seedRefund({ sql: database }: SeedServices, r: Refund): Promise<void> {
  await seedInstrument(database, { merchantId: r.merchantId, mask: 'a card' })
  await database.run(sql`insert into refunds (merchant_id, id, payment_id, state, amount, currency, charged, commission,
      description, instrument_fingerprint, requested_by, requested_at, policy, due_at, violations, decided_by, decided_at, reason, ended_at, code,
      message)
    values (${r.merchantId}, ${r.id}, ${r.paymentId}, ${r.state}, ${r.amountMinor}, ${r.currency}, ${r.chargedMinor},
      ${r.commissionMinor}, ${r.description}, 'a card', ${r.requestedBy}, ${r.requestedAt}, ${r.policy}, ${r.dueAt},
      ${JSON.stringify(r.violations)}, ${r.decidedBy}, ${r.decidedAt}, ${r.reason}, ${r.endedAt}, ${r.code},
      ${r.message})`)
}

type ModificationSeed = Pick<Modification, 'kind' | 'state' | 'amountMinor' | 'beganAt'> &
  Partial<Pick<Modification, 'refundId' | 'priorRefundedMinor'>>

const operations = { capture: 'capture', release: 'void', refund: 'refund' } as const

/** Seeds a modification, with the bank's answer unless the request is still due. */
async function seedModification(
  services: SeedServices,
  charged: SeededCharge,
  modification: ModificationSeed,
): Promise<number> {
  const { kind, state, amountMinor, beganAt, refundId = null, priorRefundedMinor = 0 } = modification
  const { merchantId, paymentId, attemptId, posId } = charged
  const id = await services.ids.next()
  const after = (seconds: number) => new Date(beganAt.getTime() + seconds * secondMs)
  const isEnded = state !== 'doing'
  const operation = isEnded ? operations[kind] : null
  const code = isEnded ? (state === 'done' ? '00' : '57') : null
  await insertRows(services.sql, modifications, [
    {
      ...{ merchantId, id, paymentId, attemptId, posId, kind, refundId, amountMinor, priorRefundedMinor },
      ...{ state, version: 1, operation, beganAt, code, tries: 0 },
      ...{ askedAt: isEnded ? after(1) : null, endedAt: isEnded ? after(2) : null },
      declineReason: state === 'refused' ? 'not_permitted_to_terminal' : null,
      dueAt: isEnded ? null : beganAt,
    },
  ])
  if (operation && code) {
    const about = { merchantId, paymentId, attemptId, modificationId: id, at: after(1) }
    const outcome = state === 'done' ? 'approved' : 'declined'
    await seedBankCall(services, about, { operation, outcome, code })
  }
  return id
}

/** Seeds an instrument whose fingerprint is its mask, unless it exists. */
export async function seedInstrument(
  database: Sql,
  { merchantId, mask }: { merchantId: number; mask: string },
): Promise<void> {
  const row = { merchantId, fingerprint: Buffer.from(mask), kind: 'card', mask, brand: 'visa' } as const
  await database.run(sql`insert into instruments (${instruments.names})
    values (${instruments.values({ ...row, createdAt: new Date(0) })}) on conflict do nothing`)
}

export async function seedBankCall(
  { sql: database, ids }: SeedServices,
  about: {
    merchantId: number
    paymentId: number
    attemptId: number
    modificationId: number | null
    at: Date
  },
  call: NonNullable<AttemptSeed['calls']>[number],
): Promise<void> {
  const { merchantId, paymentId, attemptId, modificationId, at } = about
  const answeredAt = call.outcome === undefined ? null : new Date(at.getTime() + secondMs)
  const row = {
    merchantId,
    id: await ids.next(),
    paymentId,
    attemptId,
    modificationId,
    askedAt: at,
    answeredAt,
  }
  await insertRows(database, bankCalls, [{ ...row, ...call }])
}

export async function seedPostings(
  { sql: database, ids }: SeedServices,
  merchantId: number,
  postings: readonly Posting[],
  createdAt: Date,
): Promise<void> {
  for (const posting of postings)
    await insertRows(database, ledgerTransfers, [{ ...posting, merchantId, id: await ids.next(), createdAt }])
}
