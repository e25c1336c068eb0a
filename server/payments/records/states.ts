import type { EventKind } from '../../events/index.ts'

/** States of a payment. In those that end in -ing somebody else is being asked, and a payment never stays in them. */
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

/** State as it is stored. An older program knows no other words; what it lacks follows from what was done since. */
export type StoredPaymentState = Exclude<
  PaymentState,
  'capturing' | 'releasing' | 'partly_refunded' | 'refunded'
>

export function storedPaymentStateOf(state: PaymentState): StoredPaymentState {
  if (state === 'capturing' || state === 'releasing') return 'held'
  return state === 'partly_refunded' || state === 'refunded' ? 'paid' : state
}

/** What was done to a payment since it was paid or held. */
export interface PreAuthResolutionAndRefunds {
  amountMinor: number
  resolution: PreAuthResolution | null
  refundedMinor: number
}

/** What a pre-authorization is resolved by. */
export type PreAuthResolution = 'capture' | 'release'

/** The state of a payment, of what is written of it. */
export function paymentStateOf(
  stored: StoredPaymentState,
  { amountMinor, resolution, refundedMinor }: PreAuthResolutionAndRefunds,
): PaymentState {
  if (stored === 'held' && resolution) return resolution === 'capture' ? 'capturing' : 'releasing'
  if (stored !== 'paid' || refundedMinor === 0) return stored
  return refundedMinor < amountMinor ? 'partly_refunded' : 'refunded'
}

/** A payment that is paid, with the state that what was given back of it makes. */
export function withStateByRefundedAmount<Paid extends PreAuthResolutionAndRefunds>(
  payment: Paid,
): Paid & { state: PaymentState } {
  return { ...payment, state: paymentStateOf('paid', payment) }
}

/** A transition from one state to another, and the event that it emits. */
export interface PaymentStateEdge {
  from: PaymentState
  to: PaymentState
  when: string
  event?: EventKind
}

/** Every way that a payment can go. There is no other. */
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

/** The way from one state to another. Asking for one that is not there is a bug. */
export function paymentStateEdgeBetween(from: PaymentState, to: PaymentState): PaymentStateEdge {
  const edge = paymentStateEdges.find((candidate) => candidate.from === from && candidate.to === to)
  if (!edge) throw new Error(`a payment does not go from ${from} to ${to}`)
  return edge
}

/** How often a payer may try. */
export const maxAttempts = 5

/** Where a payment goes on that was not paid by an attempt. */
export function stateAfterFailedAttempt(
  { attemptCount, expiresAt }: { attemptCount: number; expiresAt: Date },
  now: Date,
): 'open' | 'failed' | 'expired' {
  if (attemptCount >= maxAttempts) return 'failed'
  return now.getTime() >= expiresAt.getTime() ? 'expired' : 'open'
}

/** The two numbers and words that merchants know a state by. */
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
