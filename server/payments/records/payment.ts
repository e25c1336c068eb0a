import type { KeyValuePair } from '../../../kit/input/fields.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { PaymentState, PreAuthResolution } from './states.ts'

/** By what a page is found: whose payment it is of, and the hash of what its address ends with. */
export interface PageToken extends Pick<Payment, 'merchantId' | 'id'> {
  pageKey: Buffer
}

/** Something that a payment is for, as it was when the payment was started. */
export interface PaymentItem {
  /** The id of the product, of one that was named by it. */
  id?: number
  product_name: string
  price: number
  description: string | null
}

/** Money that a merchant asks of a payer, from the start to the outcome. Merchants call it a transaction. */
export interface Payment {
  merchantId: number
  id: number
  state: PaymentState
  /** Number of its changes. */
  version: number
  amountMinor: number
  currency: string
  preAuth: boolean
  customerId: number | null
  /** Whether that customer was made on its page, and may be corrected there. */
  customerByPage: boolean
  items: PaymentItem[]
  metadata: KeyValuePair[]
  description: string | null
  redirectUrl: string | null
  startedBy: 'secret' | 'public'
  /** What the payer has chosen on the page; null where they chose none. */
  language: Language | null
  createdAt: Date
  expiresAt: Date
  /** When its page was first looked at. */
  viewedAt: Date | null
  /** When it had its outcome. */
  endedAt: Date | null
  /** Time at which it is due, unless its state has changed before. */
  dueAt: Date | null
  attemptCount: number
  /** The attempt that it waits for, or that decided it. */
  attemptId: number | null
  eventCount: number
  installmentCount: number
  /** What the bank said last. */
  code: string | null
  message: string | null
  /** What its pre-authorization was resolved by, who asked for it, and when. */
  resolution: PreAuthResolution | null
  resolvedBy: string | null
  resolvedAt: Date | null
  /** What refunds have given back of its amount. */
  refundedMinor: number
  /** The refund whose outcome is open. */
  refundId: number | null
}

/** Whether its page asks who pays: not where the merchant has said so. */
export function pageAsksForCustomer({ customerId, customerByPage }: Payment): boolean {
  return customerId === null || customerByPage
}

const hourMs = 60 * 60 * 1000

/** When a pre-authorization is resolved by itself; null where the merchant has set no deadline. */
export function preAuthDeadlineOf(
  { endedAt }: Pick<Payment, 'endedAt'>,
  { preAuthDeadlineHours: hours }: Pick<Merchant, 'preAuthDeadlineHours'>,
): Date | null {
  return endedAt && hours !== null ? new Date(endedAt.getTime() + hours * hourMs) : null
}
