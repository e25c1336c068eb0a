import type { Merchant } from '../../merchants/index.ts'
import type { Payment } from './payment.ts'

const hourMs = 60 * 60 * 1000

/** When a pre-authorization is resolved by itself; null where the merchant has set no deadline. */
export function preAuthDeadlineOf(
  { endedAt }: Pick<Payment, 'endedAt'>,
  { preAuthDeadlineHours: hours }: Pick<Merchant, 'preAuthDeadlineHours'>,
): Date | null {
  return endedAt && hours !== null ? new Date(endedAt.getTime() + hours * hourMs) : null
}
