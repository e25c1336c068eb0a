import type { BackgroundJob } from '../../../kit/runtime/job.ts'
import type { Services } from '../../services.ts'
import { afterFailureMs, processDueConcurrently } from '../bank-calls/lanes.ts'
import { duePaymentIds, postponePayment } from '../records/payment.sql.ts'
import { processPaymentDeadline } from './process-payment-deadline.ts'

/** Payments read in one pass, and payments processed at the same time. */
const paymentsInOneGo = 100

const paymentsAtOnce = 10

/** Expires unpaid payments and resolves pre-authorizations past their deadline, until none is due. */
export async function processPaymentDeadlines(services: Services, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = services
  let all = 0
  for (;;) {
    const due = await duePaymentIds(sql, clock.now(), paymentsInOneGo)
    const done = await processDueConcurrently(services, due, {
      atOnce: paymentsAtOnce,
      signal,
      work: (ownedId) => processPaymentDeadline(services, ownedId),
      postpone: (ownedId) => postponePayment(sql, ownedId, new Date(clock.now().getTime() + afterFailureMs)),
    })
    all += done
    if (due.length < paymentsInOneGo || done === 0 || signal?.aborted) return all
  }
}

export const paymentDeadlineJob: BackgroundJob<Services> = {
  name: 'process payment deadlines',
  everyMs: 1_000,
  work: processPaymentDeadlines,
}
