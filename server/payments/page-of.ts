import type { Services } from '../services.ts'
import type { Attempt } from './attempts/attempt.ts'
import { situationOf, viewedPayment } from './attempts/store.ts'
import type { PageToken } from './page-address.ts'
import type { Payment } from './payment.ts'

/** A payment as its page shows it. */
export interface OpenPage {
  payment: Payment
  /** The attempt that it waits for, or the last one there was. */
  attempt: Attempt | undefined
}

/**
 * The payment whose page somebody looks at, undefined if the address is nobody's. The first look is written down: it is
 * when the payment began for its payer.
 */
export async function pageOf(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  token: PageToken,
): Promise<OpenPage | undefined> {
  const payment = await viewedPayment(sql, token, clock.now())
  if (!payment) return undefined
  const { merchantId, attemptId: id } = payment
  const situation = id === null ? undefined : await situationOf(sql, { merchantId, id })
  return { payment: situation?.payment ?? payment, attempt: situation?.attempt }
}
