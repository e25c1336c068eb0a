import type { EventKind } from '../events/index.ts'

/** How a payment stands. In those that end in -ing somebody else is being asked, and a payment never stays in them. */
export const paymentStates = [
  'open',
  'authenticating',
  'authorizing',
  'reversing',
  'paid',
  'held',
  'failed',
  'expired',
] as const

export type PaymentState = (typeof paymentStates)[number]

/** A way from one state to another, and what the merchant is told when a payment goes it. */
export interface Edge {
  from: PaymentState
  to: PaymentState
  when: string
  event?: EventKind
}

/** Every way that a payment can go. There is no other. */
export const edges: readonly Edge[] = [
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
  { from: 'reversing', to: 'paid', when: 'a person says that it was taken', event: 'payment.succeeded' },
  { from: 'reversing', to: 'held', when: 'a person says that it is held', event: 'payment.pre_authorized' },
]

/** The way from one state to another. Asking for one that is not there is a bug. */
export function edgeBetween(from: PaymentState, to: PaymentState): Edge {
  const edge = edges.find((candidate) => candidate.from === from && candidate.to === to)
  if (!edge) throw new Error(`a payment does not go from ${from} to ${to}`)
  return edge
}

/** How often a payer may try. */
export const mostAttempts = 5

/** Where a payment goes on that was not paid by an attempt. */
export function stateAfterRefusal(
  { attemptCount, expiresAt }: { attemptCount: number; expiresAt: Date },
  now: Date,
): 'open' | 'failed' | 'expired' {
  if (attemptCount >= mostAttempts) return 'failed'
  return now.getTime() >= expiresAt.getTime() ? 'expired' : 'open'
}

/** The two numbers and words that merchants know a state by. */
export const statuses: Readonly<
  Record<PaymentState, { payment: PaymentStatus; transaction: TransactionStatus }>
> = {
  open: { payment: 'waiting', transaction: 'pending' },
  authenticating: { payment: 'waiting', transaction: 'pending' },
  authorizing: { payment: 'waiting', transaction: 'pending' },
  reversing: { payment: 'waiting', transaction: 'pending' },
  paid: { payment: 'success', transaction: 'completed' },
  held: { payment: 'pre_authorized', transaction: 'completed' },
  failed: { payment: 'failed', transaction: 'failed' },
  expired: { payment: 'failed', transaction: 'expired' },
}

export const paymentStatuses = {
  waiting: 0,
  success: 1,
  failed: 2,
  pre_authorized: 3,
  refunded: 4,
  partially_refunded: 5,
} as const

export type PaymentStatus = keyof typeof paymentStatuses

export const transactionStatuses = { pending: 1, completed: 2, failed: 3, expired: 4 } as const

export type TransactionStatus = keyof typeof transactionStatuses
