import { approveRefundCommand } from './approve-refund.ts'
import { listRefundsCommand } from './list-refunds.ts'
import { listTransactionRefundsRoute } from './list-transaction-refunds.ts'
import { rejectRefundCommand } from './reject-refund.ts'
import { requestRefundRoute } from './request-refund.ts'
import { setPolicyCommand } from './set-policy.ts'
import { showRefundCommand } from './show-refund.ts'

export { concludePaymentCommand } from './conclude-payment.ts'
export { decideRefund } from './decide-refund.ts'
export { ShownRefund } from './refund.ts'
export { attendRefunds, refundJobs, reviewDue } from './sweep.ts'

/** In the order in which a reader meets them. */
export const refundRoutes = [requestRefundRoute, listTransactionRefundsRoute]

export const refundCommands = [
  listRefundsCommand,
  showRefundCommand,
  approveRefundCommand,
  rejectRefundCommand,
  setPolicyCommand,
]
