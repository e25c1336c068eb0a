import { listTransactionRefundsRoute } from './list-transaction-refunds.ts'
import { requestRefundRoute } from './request-refund.ts'

export { decideRefund } from './decide-refund.ts'
export { processDueRefunds, refundJobs, reviewDueRefunds } from './process-due-refunds.ts'
export { ShownRefund } from './refund.ts'

/** In the order in which a reader meets them. */
export const refundRoutes = [requestRefundRoute, listTransactionRefundsRoute]
