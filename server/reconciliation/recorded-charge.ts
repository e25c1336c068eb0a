import type { Modification } from '../payments/for-reconciliation.ts'
import type { Attempt } from '../payments/index.ts'
import type { BankDay, TimeSpan } from './statement.ts'
import { clockToleranceMs } from './statement.ts'

/** Something that a bank was asked to do to a charge that it had approved. */
export type RecordedModification = Pick<
  Modification,
  | 'id'
  | 'kind'
  | 'refundId'
  | 'amountMinor'
  | 'bankAmountMinor'
  | 'state'
  | 'operation'
  | 'beganAt'
  | 'endedAt'
>

/** State of a charge after a modification of the whole of it. */
const stateAfterModification: Readonly<Record<Modification['kind'], 'taken' | 'undone'>> = {
  capture: 'taken',
  release: 'undone',
  refund: 'undone',
}

/** A charge as our book has it: an attempt, with everything that was to be done to it later. */
export interface RecordedCharge {
  merchantId: number
  paymentId: number
  attemptId: number
  reference: string
  posId: number
  state: Attempt['state']
  preAuth: boolean
  currency: string
  chargedMinor: number
  /** The amounts that the bank charged and held before, where they are known to be others. */
  bankChargedMinor: number | null
  bankHeldMinor: number | null
  /** The ids of its attempt and its modifications that are approved and not verified yet. */
  unverified: readonly number[]
  /** When the bank was first asked for the money; of one that it was never asked for, when it began. */
  askedAt: Date
  endedAt: Date | null
  modifications: readonly RecordedModification[]
}

/** State and amount of a charge or a refund, as we have it or as they do. */
export interface StateAndAmount {
  state: string
  amountMinor: number
  currency: string
}

/** A change of the state of an approved charge, with its state from then on. */
export interface StateChange extends TimeSpan, StateAndAmount {}

/**
 * All changes of the state of an approved charge, in the order of time, with the amounts that the bank is known to have. Of
 * any other nothing is certain.
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
    // What is undone is shown with the amount that it had.
    const amountMinor = state === 'taken' ? amountAtBank(modification) : change.amountMinor
    change = { ...change, ...span, state, amountMinor }
    changes.push(change)
  }
  return changes
}

/** The amount at the bank, as far as we know. */
export function amountAtBank({ bankAmountMinor, amountMinor }: RecordedModification): number {
  return bankAmountMinor ?? amountMinor
}

/** Whether nothing of it is to be left at the bank, whatever it had charged. */
export function isReversed({ state }: RecordedCharge): boolean {
  return state === 'reversing' || state === 'reversed'
}

/** Whether the bank has a line of its own for it: a refund by a void undoes the charge instead. */
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

/** States that a charge may have on the statement of a day, by what we know of it. */
export interface Expectation {
  /** Each of these agrees with our book. */
  acceptedStates: StateAndAmount[]
  /** State and amount in our book, for the report. */
  ours: StateAndAmount
  /** Why our book may say something else before long. */
  note: string | null
}

/**
 * What the statement of a day may say of a charge at the end of that day. Around midnight that is not one thing: the
 * bank's clock is not ours, and what we learnt later it may have done before.
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
      return { acceptedStates: [], ours, note: 'not known yet: the bank is still being asked' }
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
      // Where neither has any money of it, it does not matter how it came to that.
      return { acceptedStates: [as('undone')], ours, note: null }
  }
}

function expectationOfApproved(charge: RecordedCharge, { endMs }: BankDay): Expectation {
  const changes = stateChangesOf(charge)
  const settled = changes.findLastIndex(({ toMs }) => toMs <= endMs - clockToleranceMs)
  const possible = changes.filter(
    ({ fromMs }, index) => index === settled || (index > settled && fromMs < endMs + clockToleranceMs),
  )
  // A bank that has it before we asked, by our clock, has its days otherwise than we do.
  const acceptedStates = possible.length > 0 ? possible : changes.slice(0, 1)
  const ours = acceptedStates.findLast(({ toMs }) => toMs < endMs) ?? acceptedStates[0]
  if (!ours) throw new Error('an approved charge has no state')
  const open = charge.modifications.find(
    (modification) =>
      modification.state === 'doing' &&
      modification.operation !== 'refund' &&
      modification.beganAt.getTime() < endMs + clockToleranceMs,
  )
  return { acceptedStates, ours, note: open ? `not known yet: a ${open.kind} is under way` : null }
}
