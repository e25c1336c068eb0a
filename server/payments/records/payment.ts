import type { KeyValuePair } from '../../../kit/input/fields.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import {
  bigint,
  boolean,
  bytea,
  defineMerchantTable,
  integer,
  jsonb,
  text,
  timestamptz,
} from '../../../kit/runtime/table.ts'
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
  /** Digest of the product's picture, if it had one. */
  image?: string
}

export const payments = defineMerchantTable('payments', {
  merchantId: bigint(),
  id: bigint(),
  state: text<PaymentState>(),
  /** Number of changes. */
  version: integer(),
  amountMinor: bigint(),
  currency: text(),
  preAuth: boolean(),
  customerId: bigint().orNull(),
  /** True if the customer was created on the payment page and can be corrected there. */
  customerByPage: boolean(),
  items: jsonb<PaymentItem[]>(),
  metadata: jsonb<KeyValuePair[]>(),
  description: text().orNull(),
  redirectUrl: text().orNull(),
  /** Hash of the secret in the page's address. */
  pageKey: bytea(),
  startedBy: text<'secret' | 'public'>(),
  /** Language that the payer chose on the page; null if none. */
  language: text<Language>().orNull(),
  createdAt: timestamptz(),
  expiresAt: timestamptz(),
  /** Time of the first view of the page. */
  viewedAt: timestamptz().orNull(),
  /** Time of the outcome. A hold is one; its capture or release is the next. */
  endedAt: timestamptz().orNull(),
  /** Time at which the payment is due in its current state. */
  dueAt: timestamptz().orNull(),
  attemptCount: integer(),
  /** Attempt that the payment waits for, or that decided it. */
  attemptId: bigint().orNull(),
  eventCount: integer(),
  installmentCount: integer(),
  /** The bank's last answer. */
  code: text().orNull(),
  message: text().orNull(),
  /** Resolution of the pre-authorization, its requester and its time. */
  resolution: text<PreAuthResolution>().orNull(),
  resolvedBy: text().orNull(),
  resolvedAt: timestamptz().orNull(),
  /** Refunded part of the amount. */
  refundedMinor: bigint(),
  /** The open refund. */
  refundId: bigint().orNull(),
})

/** A payment without the key of its page, which only the page's queries compare. */
export const readablePayments = payments.omit('pageKey')

/**
 * An amount that a merchant asks of a payer, from the start to the outcome. Merchants call it a transaction.
 */
export type Payment = RowOf<typeof readablePayments>

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
