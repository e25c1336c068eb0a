import type { RowOf } from '../../kit/runtime/table.ts'
import type { Modification } from '../payments/for-reconciliation.ts'
import { attempts, modifications } from '../payments/for-reconciliation.ts'
import type { BankDay, TimeSpan } from './statement.ts'
import { clockToleranceMs } from './statement.ts'

/** Fields of modifications that are compared with the statement. */
export const recordedModifications = modifications.pick(
  'id',
  'kind',
  'refundId',
  'amountMinor',
  'state',
  'operation',
  'beganAt',
  'endedAt',
)

/** A modification of an approved charge. */
export type RecordedModification = RowOf<typeof recordedModifications> & Pick<Modification, 'bankAmountMinor'>

/** State of a charge after a modification of its whole amount. */
const stateAfterModification: Readonly<Record<Modification['kind'], 'taken' | 'undone'>> = {
  capture: 'taken',
  release: 'undone',
  refund: 'undone',
}

/** Fields of attempts that are compared with the statement. */
export const recordedAttempts = attempts.pick(
  'merchantId',
  'paymentId',
  'reference',
  'posId',
  'state',
  'preAuth',
  'currency',
  'chargedMinor',
  'bankChargedMinor',
  'endedAt',
)

/** A charge in our records: an attempt with its modifications. */
export interface RecordedCharge extends RowOf<typeof recordedAttempts> {
  attemptId: number
  /** Amount that the bank holds, if it is known to differ from ours. */
  bankHeldMinor: number | null
  /** Ids of the attempt and of modifications that are approved but not verified yet. */
  unverified: readonly number[]
  /** Time of the first authorization request; without a request, the start of the attempt. */
  askedAt: Date
  modifications: readonly RecordedModification[]
}

/** State and amount of a charge or a refund, in our records or on the statement. */
export interface StateAndAmount {
  state: string
  amountMinor: number
  currency: string
}

/** A state change of an approved charge, with the new state. */
export interface StateChange extends TimeSpan, StateAndAmount {}

/**
 * All state changes of an approved charge, in the order of time, with the amounts known from the bank. Empty
 * for any other charge, because its state at the bank is not certain.
 */
export function stateChangesOf(charge: RecordedCharge): StateChange[] {
  const { state, preAuth, currency, chargedMinor, askedAt, endedAt, modifications } = charge
  if (state !== 'approved') return []
  let change: StateChange = {
    ...timeSpanOf(askedAt, endedAt),
    state: preAuth ? 'held' : 'taken',
    amountMinor: (preAuth ? charge.bankHeldMinor : charge.bankChargedMinor) ?? chargedMinor,
    currency,
  }
  const changes = [change]
  for (const modification of sortedByEnd(
    modifications.filter((each) => each.state === 'done' && !hasRefundLine(each)),
  )) {
    const span = timeSpanOf(modification.beganAt, modification.endedAt)
    const state = stateAfterModification[modification.kind]
    // An undone charge is shown with its former amount.
    const amountMinor = state === 'taken' ? amountAtBank(modification) : change.amountMinor
    change = { ...change, ...span, state, amountMinor }
    changes.push(change)
  }
  return changes
}

/** Amount at the bank, if known; otherwise the requested amount. */
export function amountAtBank({ bankAmountMinor, amountMinor }: RecordedModification): number {
  return bankAmountMinor ?? amountMinor
}

/** True if the bank must keep nothing of the charge, whatever it charged. */
export function isReversed({ state }: RecordedCharge): boolean {
  return state === 'reversing' || state === 'reversed'
}

/**
 * True if the statement has a separate line for the refund. A refund by a void makes the charge undone
 * instead.
 */
export function hasRefundLine({ kind, operation }: RecordedModification): boolean {
  return kind === 'refund' && operation !== 'void'
}

export function timeSpanOf(from: Date, to: Date | null): TimeSpan {
  return { fromMs: from.getTime(), toMs: to?.getTime() ?? Number.POSITIVE_INFINITY }
}

export function sortedByEnd(modifications: readonly RecordedModification[]): RecordedModification[] {
  const end = ({ beganAt, endedAt }: RecordedModification) => timeSpanOf(beganAt, endedAt).toMs
  return modifications.toSorted((a, b) => end(a) - end(b) || a.id - b.id)
}

/** States that a charge may have on the statement of a day, according to our records. */
export interface Expectation {
  /** States that agree with our records. */
  acceptedStates: StateAndAmount[]
  /** State and amount in our records, for the report. */
  ours: StateAndAmount
  /** Reason for which our records may change soon. */
  note: string | null
}

/**
 * States that a day's statement may show for a charge. Around midnight several states are possible: the
 * bank's clock differs from ours, and the bank acts before we learn of it.
 */
export function expectationOf(charge: RecordedCharge, day: BankDay, isGivenBack: boolean): Expectation {
  const { state, preAuth, chargedMinor: amountMinor, currency, endedAt } = charge
  const as = (word: string): StateAndAmount => ({ state: word, amountMinor, currency })
  const requestedState = as(preAuth ? 'held' : 'taken')
  const ours = as(state)
  switch (state) {
    case 'approved':
      return expectationOfApproved(charge, day)
    case 'authorizing':
      return { acceptedStates: [], ours, note: 'not known yet: the service is still asking the bank' }
    case 'reversing':
      return {
        acceptedStates: [as('undone'), ...(isGivenBack ? [requestedState] : [])],
        ours,
        note: 'not known yet: it is being undone',
      }
    case 'reversed': {
      const stoodThen = timeSpanOf(charge.askedAt, endedAt).toMs > day.endMs - clockToleranceMs
      return {
        acceptedStates: [as('undone'), ...(stoodThen || isGivenBack ? [requestedState] : [])],
        ours,
        note: null,
      }
    }
    case 'authenticating':
    case 'declined':
    case 'abandoned':
      // Neither side has any money of the charge, so any reason is accepted.
      return { acceptedStates: [as('undone')], ours, note: null }
  }
}

function expectationOfApproved(charge: RecordedCharge, { endMs }: BankDay): Expectation {
  const changes = stateChangesOf(charge)
  const settled = changes.findLastIndex(({ toMs }) => toMs <= endMs - clockToleranceMs)
  const possible = changes.filter(
    ({ fromMs }, index) => index === settled || (index > settled && fromMs < endMs + clockToleranceMs),
  )
  // A line dated before our request means that the bank's day begins at another time than ours.
  const acceptedStates = possible.length > 0 ? possible : changes.slice(0, 1)
  const ours = acceptedStates.findLast(({ toMs }) => toMs < endMs) ?? acceptedStates[0]
  if (!ours) throw new Error('an approved charge has no state')
  const open = charge.modifications.find(
    (modification) =>
      modification.state === 'doing' &&
      modification.operation !== 'refund' &&
      modification.beganAt.getTime() < endMs + clockToleranceMs,
  )
  return { acceptedStates, ours, note: open ? `not known yet: a ${open.kind} is in progress` : null }
}
