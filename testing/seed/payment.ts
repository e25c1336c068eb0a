import assert from 'node:assert/strict'
import type { Sql } from '../../kit/runtime/sql.ts'
import type { RowOf, Table } from '../../kit/runtime/table.ts'
import { eventPositions, events } from '../../server/events/event.ts'
import type { EventKind } from '../../server/events/index.ts'
import type { Posting } from '../../server/ledger/index.ts'
import {
  ledgerTransfers,
  postingsOfPayment,
  postingsOfRefund,
  refundShareOf,
} from '../../server/ledger/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import { attempts } from '../../server/payments/records/attempt.ts'
import { bankCalls } from '../../server/payments/records/bank-call.ts'
import { instruments } from '../../server/payments/records/instrument.ts'
import { modifications } from '../../server/payments/records/modification.ts'
import type { Payment } from '../../server/payments/records/payment.ts'
import { payments } from '../../server/payments/records/payment.ts'
import type { PaymentState } from '../../server/payments/records/states.ts'
import {
  heldStates,
  isPaid,
  paymentStateEdges,
  withStateByRefundedAmount,
} from '../../server/payments/records/states.ts'
import { shownTransaction } from '../../server/payments/records/transaction.ts'
import { refunds, shownRefund } from '../../server/refunds/refund.ts'
import type { Services } from '../../server/services.ts'
import { secondsAfter, seededCard } from './defaults.ts'
import type { SeedRow } from './seed.ts'
import { completeRow, seed } from './seed.ts'

export type SeedServices = Pick<Services, 'sql' | 'ids' | 'clock'>

export interface AttemptSeed extends SeedRow<typeof attempts.map> {
  /** Mask of the card. */
  card?: string
  /** Default for an approved attempt: its approval. */
  calls?: SeedRow<typeof bankCalls.map>[]
}

/** A payment with all its rows, so that tests of reading need no code that writes. */
export interface PaymentSeed extends Partial<Payment> {
  /** Default for a refunded payment: one full refund; for a partially refunded one: a refund of half the amount. */
  refunds?: SeedRow<typeof refunds.map>[]
  /** The last attempt is the payment's current one. */
  attempts?: AttemptSeed[]
}

/** Tables of a payment. Rows come after the rows that they name. */
const tables = { payments, attempts, refunds, modifications, bankCalls, ledgerTransfers, events }

type TableName = keyof typeof tables

/** All rows of a payment, by table. */
export type PaymentRows = { [Name in TableName]: RowOf<(typeof tables)[Name]>[] }

/** Seconds from the start to the outcome, to the resolution and to the first refund. */
export const outcomeS = 60
const resolvedS = 120
const refundedS = 200

const timeZone = 'Europe/Istanbul'

export async function seedPayment(
  services: SeedServices,
  merchant: Pick<Merchant, 'id'>,
  given: PaymentSeed = {},
): Promise<Record<'attemptIds' | 'modificationIds' | 'refundIds', number[]> & { id: number }> {
  const rows = await newPaymentRows(services, merchant, given)
  await seedPaymentRows(services.sql, [rows])
  const idsOf = (name: TableName) => rows[name].map(({ id }) => id)
  const { 0: id = 0 } = idsOf('payments')
  const [attemptIds, modificationIds] = [idsOf('attempts'), idsOf('modifications')]
  return { id, attemptIds, modificationIds, refundIds: idsOf('refunds') }
}

/** Seeds payments in a fixed number of queries. */
export async function seedPaymentRows(database: Sql, all: readonly PaymentRows[]): Promise<void> {
  const cards = all
    .flatMap((rows) => [...rows.attempts, ...rows.refunds])
    .map((row) => ({ merchantId: row.merchantId, mask: row.instrumentFingerprint.toString() }))
  await seed(database, instruments, cards)
  for (const name of Object.keys(tables) as TableName[]) {
    const table: Table<never> = tables[name] as never
    const rows = all.flatMap((each) => each[name] as never[])
    await (name === 'events' ? seedEventRows(database, rows) : seed(database, table, rows))
  }
}

/** Seeds events that wait for a position in the merchant's list. */
export async function seedEventRows(database: Sql, rows: SeedRow<typeof events.map>[]): Promise<void> {
  const seeded = await seed(database, events, rows)
  const positions = seeded.map(({ merchantId, id, createdAt }) => ({ merchantId, eventId: id, createdAt }))
  await seed(database, eventPositions, positions)
}

export async function seedEvent(
  { sql: database, ids }: Pick<SeedServices, 'sql' | 'ids'>,
  { at, ...event }: SeedRow<typeof events.map> & { at: Date },
): Promise<number> {
  const id = await ids.next()
  await seedEventRows(database, [{ ...event, id, createdAt: at }])
  return id
}

/** A payment while its rows are made. */
interface Seeding {
  rows: PaymentRows
  payment: RowOf<typeof payments>
  nextId(): Promise<number>
}

/** The rows of a consistent payment in its state. */
export async function newPaymentRows(
  { ids, clock }: Pick<SeedServices, 'ids' | 'clock'>,
  { id: merchantId }: Pick<Merchant, 'id'>,
  { attempts: attemptSeeds = [], refunds: refundSeeds, ...given }: PaymentSeed = {},
): Promise<PaymentRows> {
  const payment = completeRow(payments, {
    ...{ merchantId, id: await ids.next(), redirectUrl: 'https://shop.example/back' },
    ...resolvedFields({ createdAt: clock.now(), ...given }),
  })
  const { state, resolution, createdAt, amountMinor } = payment
  const none = { refunds: [], modifications: [], bankCalls: [], ledgerTransfers: [], events: [] }
  const rows: PaymentRows = { payments: [payment], attempts: [], ...none }
  const seeding = { rows, payment, nextId: () => ids.next() }
  for (const attempt of attemptSeeds) await addAttempt(seeding, attempt)
  const first: PaymentState = resolution ? 'held' : isPaid(state) ? 'paid' : state
  const kind = outcomeEvent(first)
  if (kind) await addEvent(seeding, { kind, state: first, at: secondsAfter(createdAt, outcomeS) })
  if (attemptSeeds.length > 0) await addResolution(seeding)
  if (attemptSeeds.length > 0 && isPaid(state)) await addTaking(seeding)
  const wanted = { refunded: amountMinor, partly_refunded: Math.floor(amountMinor / 2) }
  const usual = state === 'refunded' || state === 'partly_refunded' ? [{ amountMinor: wanted[state] }] : []
  for (const refund of refundSeeds ?? usual) await addRefund(seeding, refund)
  return rows
}

function outcomeEvent(state: PaymentState): EventKind | undefined {
  return paymentStateEdges.find(({ to, event }) => to === state && event)?.event
}

/** The given fields, with the resolution and the end that the state implies. */
function resolvedFields(given: Partial<Payment> & { createdAt: Date }): Partial<Payment> {
  const { state = 'open', createdAt } = given
  const isHeld = heldStates.some((each) => each === state)
  const { preAuth = isHeld || Boolean(given.resolution) } = given
  const captured = state === 'capturing' || (preAuth && isPaid(state)) ? 'capture' : null
  const { resolution = state === 'releasing' ? 'release' : captured } = given
  const { resolvedAt = resolution && secondsAfter(createdAt, resolvedS) } = given
  const endedAt = resolvedAt && !isHeld ? secondsAfter(resolvedAt, 2) : secondsAfter(createdAt, outcomeS)
  const end = isHeld || isPaid(state) || outcomeEvent(state) ? { endedAt } : {}
  return { preAuth, resolution, resolvedBy: resolution && 'key 10000000000002', resolvedAt, ...end, ...given }
}

async function addAttempt({ rows, payment, nextId }: Seeding, seeded: AttemptSeed): Promise<void> {
  const { card = seededCard, calls, ...given } = seeded
  const { merchantId, id: paymentId, currency, createdAt, amountMinor: chargedMinor, preAuth } = payment
  const attempt = completeRow(attempts, {
    ...{ merchantId, id: await nextId(), paymentId, number: rows.attempts.length + 1, preAuth, currency },
    ...{ chargedMinor, instrumentFingerprint: Buffer.from(card) },
    ...{ beganAt: secondsAfter(createdAt, 10 + rows.attempts.length), ...given },
  })
  rows.attempts.push(attempt)
  const { id: attemptId, number: attemptCount, installment: installmentCount, code, message } = attempt
  Object.assign(payment, { attemptId, attemptCount, installmentCount, code, message })
  const approval = { operation: preAuth ? 'pre_authorize' : 'authorize', outcome: 'approved' } as const
  for (const [index, call] of (calls ?? (attempt.state === 'approved' ? [approval] : [])).entries()) {
    const askedAt = secondsAfter(attempt.beganAt, 1 + index)
    const about = { merchantId, id: await nextId(), paymentId, attemptId, askedAt }
    rows.bankCalls.push(completeRow(bankCalls, { ...about, ...call }))
  }
}

/** Adds the modifications that led a hold to the payment's state. */
async function addResolution(seeding: Seeding): Promise<void> {
  const { state, resolution: kind, resolvedAt } = seeding.payment
  if (!kind || !resolvedAt) return
  const endedAt = secondsAfter(resolvedAt, 2)
  if (state === 'capturing' || state === 'releasing')
    return addModification(seeding, { kind, state: 'doing', beganAt: resolvedAt })
  const isRefused = kind === 'capture' && state === 'failed'
  await addModification(seeding, { kind, state: isRefused ? 'refused' : 'done', beganAt: resolvedAt })
  // A hold is released after its capture was refused.
  if (isRefused) await addModification(seeding, { kind: 'release', beganAt: endedAt })
  if (state === 'failed') await addEvent(seeding, { kind: 'pre_auth.failed', state, at: endedAt })
  else await addEvent(seeding, { kind: 'pre_auth.completed', state: 'paid', at: endedAt })
}

async function addTaking(seeding: Seeding): Promise<void> {
  const { id: paymentId, currency, endedAt } = seeding.payment
  const { chargedMinor, commissionMinor } = chargeOf(seeding)
  await addTransfers(
    seeding,
    postingsOfPayment({ paymentId, currency, chargedMinor, commissionMinor }),
    endedAt,
  )
}

/** The current attempt, or the values that an attempt would have. */
function chargeOf({ rows, payment }: Seeding) {
  const none = { id: 0, posId: 1, chargedMinor: payment.amountMinor, commissionMinor: 0 }
  return { ...none, instrumentFingerprint: Buffer.from(seededCard), ...rows.attempts.at(-1) }
}

async function addModification(seeding: Seeding, given: SeedRow<typeof modifications.map>): Promise<void> {
  const { rows, payment, nextId } = seeding
  const { id: attemptId, posId, chargedMinor: amountMinor } = chargeOf(seeding)
  const about = { merchantId: payment.merchantId, paymentId: payment.id, attemptId }
  const row = completeRow(modifications, { ...about, id: await nextId(), posId, amountMinor, ...given })
  rows.modifications.push(row)
  const { id: modificationId, operation, state, code, askedAt } = row
  if (!operation || !askedAt) return
  const answer = { operation, outcome: state === 'done' ? 'approved' : 'declined', code, askedAt }
  rows.bankCalls.push(completeRow(bankCalls, { ...about, id: await nextId(), modificationId, ...answer }))
}

const modificationStates = { approved: 'doing', executed: 'done', failed: 'refused' } as const

/** Adds a refund after the earlier ones, as far as its state says. */
async function addRefund(seeding: Seeding, given: SeedRow<typeof refunds.map>): Promise<void> {
  const { rows, payment, nextId } = seeding
  const { merchantId, id: paymentId, currency, amountMinor: paidMinor, refundedMinor, createdAt } = payment
  const { instrumentFingerprint, chargedMinor, commissionMinor } = chargeOf(seeding)
  const charge = { amountMinor: paidMinor, chargedMinor, commissionMinor }
  const refund = completeRow(refunds, {
    ...{ merchantId, id: await nextId(), paymentId, currency, instrumentFingerprint },
    ...refundShareOf(charge, refundedMinor, given.amountMinor ?? paidMinor),
    requestedAt: secondsAfter(createdAt, refundedS + rows.refunds.length * 100),
    ...given,
  })
  rows.refunds.push(refund)
  const { id: refundId, state, amountMinor, requestedAt, decidedAt, endedAt } = refund
  const paidState = () => withStateByRefundedAmount(payment).state
  const shown = (then: typeof refund) => ({
    ...{ refund: shownRefund({ ...then, nextBankCallAt: null, declineReason: null }, { timeZone }) },
  })
  const requested = { ...refund, state: 'under_review' as const, decidedAt: null, endedAt: null }
  const created = { kind: 'refund.created', state: paidState(), at: requestedAt } as const
  await addEvent(seeding, created, shown(requested))
  if (state !== 'under_review' && state !== 'rejected' && decidedAt) {
    const priorRefundedMinor = refundShareOf(charge, 0, refundedMinor).chargedMinor
    const about = { refundId, priorRefundedMinor, amountMinor: refund.chargedMinor, beganAt: decidedAt }
    await addModification(seeding, { ...about, state: modificationStates[state] })
  }
  if (state === 'executed') payment.refundedMinor += amountMinor
  if (state === 'executed') await addTransfers(seeding, postingsOfRefund({ ...refund, refundId }), endedAt)
  if (state === 'under_review' || state === 'approved' || !endedAt) payment.refundId = refundId
  else await addEvent(seeding, { kind: `refund.${state}`, state: paidState(), at: endedAt }, shown(refund))
}

async function addTransfers(
  { rows, payment: { merchantId }, nextId }: Seeding,
  postings: readonly Posting[],
  createdAt: Date | null,
): Promise<void> {
  for (const posting of postings) {
    const row = { ...posting, merchantId, id: await nextId(), createdAt: createdAt ?? assert.fail() }
    rows.ledgerTransfers.push(completeRow(ledgerTransfers, row))
  }
}

/** Adds an event with the payment as it was then. */
async function addEvent(
  { rows, payment, nextId }: Seeding,
  { kind, state, at }: { kind: EventKind; state: PaymentState; at: Date },
  beside: object = {},
): Promise<void> {
  const { merchantId, id: paymentId } = payment
  const data = { ...shownTransaction({ ...payment, state, endedAt: at }, { timeZone }), ...beside }
  payment.eventCount += 1
  const about = { merchantId, id: await nextId(), paymentId, number: payment.eventCount }
  rows.events.push(completeRow(events, { ...about, kind, data, createdAt: at }))
}
