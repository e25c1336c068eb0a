export { decodePageToken } from './addresses/page-address.ts'
export { redirectUrlWithTransactionId } from './addresses/redirect-url.ts'
export type { ReturnContext } from './addresses/return-token.ts'
export { openReturnToken } from './addresses/return-token.ts'
export type { CardSubmissionResult } from './attempts/submit-card.ts'
export { submitCard } from './attempts/submit-card.ts'
export { attemptById } from './records/attempt.sql.ts'
export type {
  CheckoutContext,
  HourKeyRow,
  PageVisit,
  PaymentWithLastAttempt,
  PaymentWithLastAttemptRow,
} from './records/page.sql.ts'
export {
  buildPaymentPageBatchQuery,
  buildPaymentPageQuery,
  checkoutContextOfRow,
  hourKeyColumn,
  paymentWithLastAttemptFromRow,
  readPageRow,
  readPageRowByBatchQuery,
} from './records/page.sql.ts'
export { pageAsksForCustomer } from './records/payment.ts'
