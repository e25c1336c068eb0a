/** A message as it went or came, without what must not be kept: no card, no code, no cryptogram, no secret. */
export interface Trace {
  merchantId: number
  paymentId: number
  attemptId: number
  /** Whom it went to or came from. */
  peer: 'directory' | 'browser' | 'bank'
  direction: 'sent' | 'received'
  kind: string
  body: object
}

export interface StoredTrace extends Trace {
  id: number
  at: Date
}
