import { listTransactionRefundsRoute } from './list-transaction-refunds.ts'
import { requestRefundRoute } from './request-refund.ts'

export { decideRefund } from './decide-refund.ts'
export { ShownRefund } from './refund.ts'
export { attendRefunds, refundJobs, reviewDue } from './sweep.ts'

/** In the order in which a reader meets them. */
export const refundRoutes = [requestRefundRoute, listTransactionRefundsRoute]
