import type { EventKind } from '../../events/index.ts'

/**
 * States of a payment. In states that end in -ing, an answer of another party is pending; a payment never
 * stays in them.
 */
export const paymentStates = [
  'open',
  'authenticating',
  'authorizing',
  'reversing',
  'paid',
  'held',
  'capturing',
  'releasing',
  'partly_refunded',
  'refunded',
  'failed',
  'expired',
] as const

export type PaymentState = (typeof paymentStates)[number]

/** Resolution of a pre-authorization. */
export type PreAuthResolution = 'capture' | 'release'

/** States of a payment whose amount was taken. */
export const paidStates = ['paid', 'partly_refunded', 'refunded'] as const satisfies readonly PaymentState[]

/** States of a payment whose amount the bank holds. */
export const heldStates = ['held', 'capturing', 'releasing'] as const satisfies readonly PaymentState[]

export function isPaid(state: PaymentState): boolean {
  return (paidStates as readonly PaymentState[]).includes(state)
}

/** A paid payment with the state that follows from its refunded amount. */
export function withStateByRefundedAmount<Paid extends { amountMinor: number; refundedMinor: number }>(
  payment: Paid,
): Paid & { state: PaymentState } {
  const { amountMinor, refundedMinor } = payment
  if (refundedMinor === 0) return { ...payment, state: 'paid' }
  return { ...payment, state: refundedMinor < amountMinor ? 'partly_refunded' : 'refunded' }
}

/** A transition between two states, and the event that it emits. */
export interface PaymentStateEdge {
  from: PaymentState
  to: PaymentState
  when: string
  event?: EventKind
}

/** All transitions of a payment. No other transition is allowed. */
export const paymentStateEdges: readonly PaymentStateEdge[] = [
  { from: 'open', to: 'authenticating', when: 'the payer submits a card' },
  { from: 'open', to: 'expired', when: 'the page expires', event: 'payment.expired' },
  {
    from: 'authenticating',
    to: 'open',
    when: 'the payer is not proven to be the holder, or submits another card',
  },
  {
    from: 'authenticating',
    to: 'failed',
    when: 'the payer is not proven, and has no attempt left',
    event: 'payment.failed',
  },
  { from: 'authenticating', to: 'expired', when: 'the page expires', event: 'payment.expired' },
  { from: 'authenticating', to: 'authorizing', when: 'the bank is about to be asked for the money' },
  { from: 'authorizing', to: 'paid', when: 'the bank approves', event: 'payment.succeeded' },
  { from: 'authorizing', to: 'held', when: 'the bank holds the money', event: 'payment.pre_authorized' },
  { from: 'authorizing', to: 'open', when: 'the bank declines' },
  {
    from: 'authorizing',
    to: 'failed',
    when: 'the bank declines, and no attempt is left',
    event: 'payment.failed',
  },
  {
    from: 'authorizing',
    to: 'expired',
    when: 'the bank declines, and the page has expired',
    event: 'payment.expired',
  },
  { from: 'authorizing', to: 'reversing', when: 'the bank’s answer is not known in time' },
  { from: 'reversing', to: 'open', when: 'the charge is undone' },
  {
    from: 'reversing',
    to: 'failed',
    when: 'the charge is undone, and no attempt is left',
    event: 'payment.failed',
  },
  {
    from: 'reversing',
    to: 'expired',
    when: 'the charge is undone, and the page has expired',
    event: 'payment.expired',
  },
  {
    from: 'reversing',
    to: 'paid',
    when: 'a manual review says that it was taken',
    event: 'payment.succeeded',
  },
  {
    from: 'reversing',
    to: 'held',
    when: 'a manual review says that it is held',
    event: 'payment.pre_authorized',
  },
  { from: 'held', to: 'capturing', when: 'the merchant, or its deadline, resolves it to be taken' },
  { from: 'held', to: 'releasing', when: 'the merchant, or its deadline, resolves it to be let go' },
  { from: 'capturing', to: 'paid', when: 'the bank has taken what it held', event: 'pre_auth.completed' },
  { from: 'capturing', to: 'failed', when: 'the bank refuses to take it', event: 'pre_auth.failed' },
  { from: 'releasing', to: 'failed', when: 'the bank has let go of it', event: 'pre_auth.failed' },
  {
    from: 'paid',
    to: 'partly_refunded',
    when: 'a part of it is given back',
    event: 'refund.executed',
  },
  { from: 'paid', to: 'refunded', when: 'all of it is given back', event: 'refund.executed' },
  {
    from: 'partly_refunded',
    to: 'refunded',
    when: 'what was left of it is given back',
    event: 'refund.executed',
  },
]

/** The transition between two states. Throws if there is none, because that is a bug. */
export function paymentStateEdgeBetween(from: PaymentState, to: PaymentState): PaymentStateEdge {
  const edge = paymentStateEdges.find((candidate) => candidate.from === from && candidate.to === to)
  if (!edge) throw new Error(`a payment does not go from ${from} to ${to}`)
  return edge
}

/** Attempts that a payment allows. */
export const maxAttempts = 5

/** State of a payment after a failed attempt. */
export function stateAfterFailedAttempt(
  { attemptCount, expiresAt }: { attemptCount: number; expiresAt: Date },
  now: Date,
): 'open' | 'failed' | 'expired' {
  if (attemptCount >= maxAttempts) return 'failed'
  return now.getTime() >= expiresAt.getTime() ? 'expired' : 'open'
}

/** The two statuses that merchants see for a state. */
export const shownStatusesByState: Readonly<
  Record<PaymentState, { payment: ShownPaymentStatus; transaction: ShownTransactionStatus }>
> = {
  open: { payment: 'waiting', transaction: 'pending' },
  authenticating: { payment: 'waiting', transaction: 'pending' },
  authorizing: { payment: 'waiting', transaction: 'pending' },
  reversing: { payment: 'waiting', transaction: 'pending' },
  paid: { payment: 'success', transaction: 'completed' },
  held: { payment: 'pre_authorized', transaction: 'completed' },
  capturing: { payment: 'pre_authorized', transaction: 'completed' },
  releasing: { payment: 'pre_authorized', transaction: 'completed' },
  partly_refunded: { payment: 'partially_refunded', transaction: 'completed' },
  refunded: { payment: 'refunded', transaction: 'completed' },
  failed: { payment: 'failed', transaction: 'failed' },
  expired: { payment: 'failed', transaction: 'expired' },
}

export const shownPaymentStatusCodes = {
  waiting: 0,
  success: 1,
  failed: 2,
  pre_authorized: 3,
  refunded: 4,
  partially_refunded: 5,
} as const

export type ShownPaymentStatus = keyof typeof shownPaymentStatusCodes

export const shownTransactionStatusCodes = { pending: 1, completed: 2, failed: 3, expired: 4 } as const

export type ShownTransactionStatus = keyof typeof shownTransactionStatusCodes
