/**
 * A sent or received message, without the data that must not be stored: card, security code, cryptograms and
 * secrets.
 */
export interface Trace {
  merchantId: number
  paymentId: number
  attemptId: number
  /** Other side of the message. */
  peer: 'directory' | 'browser' | 'bank'
  direction: 'sent' | 'received'
  kind: string
  body: object
}

export interface StoredTrace extends Trace {
  id: number
  at: Date
}
