/** What can happen that a merchant hears of. */
export const eventKinds = [
  'payment.succeeded',
  'payment.failed',
  'payment.expired',
  'payment.pre_authorized',
  'pre_auth.completed',
  'pre_auth.failed',
  'refund.created',
  'refund.executed',
  'refund.rejected',
  'refund.failed',
] as const

export type EventKind = (typeof eventKinds)[number]

/** Something that happened to a payment. */
export interface PaymentEvent {
  id: number
  kind: EventKind
  /** The payment as its merchant sees it from then on. */
  data: object
  at: Date
}
