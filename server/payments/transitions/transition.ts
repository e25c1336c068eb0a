import type { SealedCardWithKey } from '../../cards/index.ts'
import type { EventKind, PaymentEvent } from '../../events/index.ts'
import { noteNewEvent } from '../../events/index.ts'
import { upcomingWork } from '../../instances/index.ts'
import type { Posting, Transfer } from '../../ledger/index.ts'
import { availableAt, postingsOfPayment } from '../../ledger/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { Attempt } from '../records/attempt.ts'
import { attemptEdges } from '../records/attempt.ts'
import type { Modification } from '../records/modification.ts'
import type { Payment } from '../records/payment.ts'
import { preAuthDeadlineOf } from '../records/payment.ts'
import { paymentStateEdgeBetween } from '../records/states.ts'
import { shownTransaction } from '../records/transaction.ts'
import type { Verification } from '../records/verification.ts'
import type { TransitionWrite } from './transition.sql.ts'
import { writeTransition } from './transition.sql.ts'

type AccompanyingField =
  | 'newVerification'
  | 'activeMerchantId'
  | 'claim'
  | 'customer'
  | 'bankCall'
  | 'answeredCall'
  | 'sealedCard'
  | 'cardToTake'
  | 'cardToErase'
  | 'newModification'
  | 'commitsAsynchronously'
  | 'extraWrites'

/** Records from which a transition starts. */
interface TransitionRecords {
  payment: Payment
  attempt?: Attempt
  modification?: Modification
  verification?: Verification
}

/** Change of a payment, an attempt, a modification or a verification, with all writes that belong to it. */
export interface Transition<Before extends TransitionRecords = TransitionRecords>
  extends Pick<TransitionWrite, AccompanyingField> {
  before: Before
  /** Undefined if the payment does not change. */
  payment?: Payment | undefined
  /** Undefined if the attempt does not change; a new attempt if `before` has none. */
  attempt?: Attempt | undefined
  /** Undefined if it does not change. */
  modification?: Modification | undefined
  /** Undefined if it does not change. */
  verification?: Verification | undefined
  /** Event to emit even if the payment's state does not change, with its extra data. */
  eventToEmit?: { kind: EventKind | undefined; extraData: object } | undefined
  /** Postings beside those of the charge. */
  postings?: readonly Posting[] | undefined
}

export interface TransitionResult<Before> {
  /** `before`, with the records as they are now. */
  after: Before
  card: SealedCardWithKey | undefined
}

type Needs = Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>

/**
 * Changes the state of a payment, an attempt, a modification or a verification; no other code does.
 * Guarantee:
 * - The change follows an edge of the graph.
 * - The event and the transfers of the edge are written in the same query.
 * - The change starts from exactly the state in `before`. If that has changed, nothing is written and the
 * result is undefined.
 */
export async function applyTransition<Before extends TransitionRecords>(
  services: Needs,
  merchant: Merchant,
  transition: Transition<Before>,
): Promise<TransitionResult<Before> | undefined> {
  const { before, attempt, modification, verification, payment, eventToEmit, postings, ...rest } = transition
  if (attempt) assertEdge(before.attempt, attempt)
  if (modification) assertModification(before.modification, modification)
  const after = payment && (await withEvent(services, merchant, transition, payment))
  const { isWritten, card } = await writeTransition(services.sql, before.payment, {
    ...rest,
    ...(after && { payment: { before: before.payment, after: after.payment } }),
    ...(after?.event && { event: after.event }),
    ...(after && { transfers: await transfersOf(services, merchant, transition, after.payment) }),
    ...(attempt && { attempt: { after: attempt, ...(before.attempt && { before: before.attempt }) } }),
    ...(modification &&
      before.modification && { modification: { before: before.modification, after: modification } }),
    ...(verification &&
      before.verification && { verification: { before: before.verification, after: verification } }),
  })
  if (!isWritten) return undefined
  announce(services, transition, after)
  if (after?.event && before.payment.state !== after.payment.state) countEnd(services, after.payment)
  const changed: Partial<TransitionRecords> = {
    ...(after && { payment: { ...after.payment, version: before.payment.version + 1 } }),
    ...(attempt && before.attempt && { attempt: { ...attempt, version: before.attempt.version + 1 } }),
    ...(modification && { modification: { ...modification, version: modification.version + 1 } }),
    ...(verification && { verification: { ...verification, version: verification.version + 1 } }),
  }
  return { after: { ...before, ...changed }, card }
}

/** Announces what is due after the change, so that it begins without a search. */
function announce(
  services: Needs,
  { attempt, modification, newModification, verification }: Transition,
  after: { payment: Payment; event: PaymentEvent | undefined } | undefined,
): void {
  if (after?.event) noteNewEvent(services, after.payment.merchantId)
  const upcoming = upcomingWork(services)
  const now = services.clock.now()
  for (const each of [after?.payment, attempt, modification, newModification, verification])
    upcoming.announce(each?.dueAt, now)
}

function countEnd({ metrics }: Needs, { state }: Payment): void {
  metrics
    .counter('vezne_payments_total', 'Payments that have come to an outcome, by which.', ['state'])
    .inc({ state })
}

function assertEdge(before: Attempt | undefined, after: Attempt): void {
  const isNew = !before && after.state === 'authenticating'
  if (isNew || before?.state === after.state) return
  if (before && attemptEdges[before.state].includes(after.state)) return
  throw new Error(`an attempt does not go from ${before?.state} to ${after.state}`)
}

/** An ended modification never changes. */
function assertModification(before: Modification | undefined, after: Modification): void {
  if (before?.id !== after.id || before.state !== 'doing')
    throw new Error(`a modification does not go from ${before?.state} to ${after.state}`)
}

async function withEvent(
  { clock, ids }: Needs,
  merchant: Merchant,
  { before, eventToEmit, newModification, postings }: Transition,
  target: Payment,
): Promise<{ payment: Payment; event: PaymentEvent | undefined }> {
  const isStateChange = before.payment.state !== target.state
  if (!isStateChange && !eventToEmit && !newModification && !postings)
    throw new Error(`nothing happens to a payment that stays ${target.state}`)
  const kind = isStateChange
    ? paymentStateEdgeBetween(before.payment.state, target.state).event
    : eventToEmit?.kind
  if (isStateChange && eventToEmit && eventToEmit.kind !== kind)
    throw new Error(`${eventToEmit.kind} is to be emitted, but the transition emits ${kind}`)
  const isHeld = isStateChange && target.state === 'held'
  const after = isHeld ? { ...target, dueAt: preAuthDeadlineOf(target, merchant) } : target
  if (!kind) return { payment: after, event: undefined }
  const payment = { ...after, eventCount: before.payment.eventCount + 1 }
  const data = { ...shownTransaction(payment, merchant), ...eventToEmit?.extraData }
  return { payment, event: { id: await ids.next(), kind, data, createdAt: clock.now() } }
}

/** Transfers are posted when a payment becomes paid, and for the given postings. */
async function transfersOf(
  { clock, ids }: Needs,
  merchant: Merchant,
  { before, attempt = before.attempt, postings = [] }: Transition,
  payment: Payment,
): Promise<Transfer[]> {
  const isTaken = payment.state === 'paid' && before.payment.state !== 'paid'
  const createdAt = clock.now()
  const taken = isTaken ? takingOf(payment, attempt) : []
  const transferIds = await ids.nextMany(taken.length + postings.length)
  const transfers = [
    ...taken.map((posting) => ({ ...posting, availableAt: availableAt(createdAt, merchant) })),
    ...postings.map((posting) => ({ ...posting, availableAt: 'with its payment' as const })),
  ]
  return transfers.map((transfer, index) => ({ ...transfer, id: transferIds[index] ?? 0, createdAt }))
}

function takingOf({ id: paymentId }: Payment, attempt: Attempt | undefined): Posting[] {
  if (attempt?.state !== 'approved') throw new Error('a payment is paid by an attempt that was approved')
  const { chargedMinor, commissionMinor, currency } = attempt
  return postingsOfPayment({ paymentId, currency, chargedMinor, commissionMinor })
}
