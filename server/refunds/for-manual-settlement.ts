export { onRefundOutcome } from './on-refund-outcome.ts'
export type { Refund } from './refund.ts'
export { requestRefund } from './request-refund.ts'
