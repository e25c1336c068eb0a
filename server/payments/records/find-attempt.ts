import type { Services } from '../../services.ts'
import { attemptWithPaymentOf } from './attempt.sql.ts'
import type { Attempt } from './attempt.ts'
import type { Payment } from './payment.ts'

/** The attempt that has paid a payment, or holds it. */
export async function requireApprovedAttempt(
  { sql }: Pick<Services, 'sql'>,
  { merchantId, attemptId }: Pick<Payment, 'merchantId' | 'attemptId'>,
): Promise<Attempt> {
  const attempt = attemptId === null ? undefined : await attemptById({ sql }, { merchantId, attemptId })
  if (attempt?.state !== 'approved') throw new Error('what is paid or held was approved')
  return attempt
}

/** An attempt in its current state. */
export async function attemptById(
  { sql }: Pick<Services, 'sql'>,
  { merchantId, attemptId }: { merchantId: number; attemptId: number },
): Promise<Attempt | undefined> {
  return (await attemptWithPaymentOf(sql, { merchantId, id: attemptId }))?.attempt
}
