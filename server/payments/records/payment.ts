import type { KeyValuePair } from '../../../kit/input/fields.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { PaymentState, PreAuthResolution } from './states.ts'

/** Key of a payment page: the merchant, the payment, and the hash of the secret in its address. */
export interface PageToken extends Pick<Payment, 'merchantId' | 'id'> {
  pageKey: Buffer
}

/** An item of a payment, as it was when the payment was started. */
export interface PaymentItem {
  /** Id of the product, if the item is a registered product. */
  id?: number
  product_name: string
  price: number
  description: string | null
}

/**
 * An amount that a merchant asks of a payer, from the start to the outcome. Merchants call it a transaction.
 */
export interface Payment {
  merchantId: number
  id: number
  state: PaymentState
  /** Number of changes. */
  version: number
  amountMinor: number
  currency: string
  preAuth: boolean
  customerId: number | null
  /** True if the customer was created on the payment page and can be corrected there. */
  customerByPage: boolean
  items: PaymentItem[]
  metadata: KeyValuePair[]
  description: string | null
  redirectUrl: string | null
  startedBy: 'secret' | 'public'
  /** Language that the payer chose on the page; null if none. */
  language: Language | null
  createdAt: Date
  expiresAt: Date
  /** Time of the first view of the page. */
  viewedAt: Date | null
  /** Time of the outcome. */
  endedAt: Date | null
  /** Time at which the payment is due in its current state. */
  dueAt: Date | null
  attemptCount: number
  /** Attempt that the payment waits for, or that decided it. */
  attemptId: number | null
  eventCount: number
  installmentCount: number
  /** The bank's last answer. */
  code: string | null
  message: string | null
  /** Resolution of the pre-authorization, its requester and its time. */
  resolution: PreAuthResolution | null
  resolvedBy: string | null
  resolvedAt: Date | null
  /** Refunded part of the amount. */
  refundedMinor: number
  /** The open refund. */
  refundId: number | null
}

/** True if the page asks for the payer's data: the merchant has named no customer. */
export function pageAsksForCustomer({ customerId, customerByPage }: Payment): boolean {
  return customerId === null || customerByPage
}

const hourMs = 60 * 60 * 1000

/** Time at which a pre-authorization is resolved automatically; null if the merchant has no deadline. */
export function preAuthDeadlineOf(
  { endedAt }: Pick<Payment, 'endedAt'>,
  { preAuthDeadlineHours: hours }: Pick<Merchant, 'preAuthDeadlineHours'>,
): Date | null {
  return endedAt && hours !== null ? new Date(endedAt.getTime() + hours * hourMs) : null
}
