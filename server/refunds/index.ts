import { listTransactionRefundsRoute } from './list-transaction-refunds.ts'
import { requestRefundRoute } from './request-refund.ts'

export { decideRefund } from './decide-refund.ts'
export { dueRefundJobs, refundJobs, reviewDueRefunds } from './process-due-refunds.ts'
export { refunds, ShownRefund } from './refund.ts'

/** Routes in the order of the API reference. */
export const refundRoutes = [requestRefundRoute, listTransactionRefundsRoute]
