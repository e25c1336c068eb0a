import type { DueJob } from '../../../kit/runtime/job.ts'
import type { Services } from '../../services.ts'
import { afterFailureMs, processUntilNoneIsDue } from '../bank-calls/lanes.ts'
import { duePaymentIds, duePayments, postponePayment } from '../records/payment.sql.ts'
import { processPaymentDeadline } from './process-payment-deadline.ts'

/** Expires unpaid payments and resolves pre-authorizations past their deadline, until none is due. */
export function processPaymentDeadlines(services: Services, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = services
  return processUntilNoneIsDue(services, {
    due: (limit) => duePaymentIds(sql, clock.now(), limit),
    inOnePass: 100,
    atOnce: 10,
    signal,
    work: (ownedId) => processPaymentDeadline(services, ownedId),
    postpone: (ownedId) => postponePayment(sql, ownedId, new Date(clock.now().getTime() + afterFailureMs)),
  })
}

export const paymentDeadlineJob: DueJob<Services> = {
  name: 'process payment deadlines',
  due: duePayments,
  work: processPaymentDeadlines,
}
