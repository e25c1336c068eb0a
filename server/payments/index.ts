import { attemptJobs } from './attempts/process-due.ts'
import { holdJobs } from './holds/process-due.ts'
import { readTransactionRoute } from './read-transaction.ts'
import { resolvePreAuthRoute } from './resolve-pre-auth.ts'
import { startPaymentRoute } from './start-payment.ts'
import { verificationJobs } from './verifications/verify-due-approvals.ts'

export { type AbandonReason, abandonAttempt } from './attempts/abandon-attempt.ts'
export { type Attempt, amountChargedAtBank } from './attempts/attempt.ts'
export {
  type AuthenticatedAttempt,
  type AuthenticationProof,
  type AuthorizationResult,
  authorizeAttempt,
} from './attempts/authorize-attempt.ts'
export type { AttemptContext } from './attempts/decide.ts'
export { approvedAttempt, attemptById } from './attempts/find-attempt.ts'
export { expireDuePayments, processDueAttempts } from './attempts/process-due.ts'
export { settleAttemptManually } from './attempts/settle-attempt-manually.ts'
export {
  type AuthenticationMode,
  type ExtraWrite,
  type Submission,
  type SubmissionResult,
  submitCard,
} from './attempts/submit-card.ts'
export { eventsToShow } from './history/store.ts'
export { onHoldOutcome } from './holds/on-hold-outcome.ts'
export { processDueHolds } from './holds/process-due.ts'
export { laneJob, processAllDue, processConcurrently } from './lanes.ts'
export { bankTimeZone } from './modifications/bank-day.ts'
export { dueModificationWork } from './modifications/due-work.ts'
export {
  amountRefundedByBank,
  completesFullRefund,
  isOpenSurplusRefund,
  type Modification,
  newModification,
  refundWaitReason,
  waitsForBankDayEnd,
} from './modifications/modification.ts'
export type { OutcomeEffects, OutcomeHandler } from './modifications/settle-modification.ts'
export { settleModificationManually } from './modifications/settle-modification-manually.ts'
export { locateModification, modificationsOf } from './modifications/store.ts'
export { type PageToken, readPageToken } from './page-address.ts'
export {
  batchedPageRow,
  type CheckoutContext,
  checkoutContextColumns,
  checkoutContextIn,
  type PageLookup,
  type PageRow,
  type PaymentPage,
  pageBatchQuery,
  pageQuery,
  paymentPageIn,
} from './pages/store.ts'
export { type Item, type Payment, pageAsksForCustomer } from './payment.ts'
export { returnAddress } from './redirect-url.ts'
export { resetFarPaymentDueTimes } from './reset-far-due-times.ts'
export {
  openReturnToken,
  type ReturnContext,
  type ReturnPurpose,
  type ReturnToken,
  sealReturnToken,
} from './return-token.ts'
export { startPayment } from './start-payment.ts'
export { maxAttempts, withRefundState } from './states.ts'
export { paymentById } from './store.ts'
export { ShownTransaction, shownTransaction, type Transaction } from './transaction.ts'
export { transactionIdField, unknownTransaction } from './transaction-id-field.ts'
export { conflict, retryOnConflict } from './transitions/retry-on-conflict.ts'
export { applyTransition } from './transitions/transition.ts'
export {
  acceptDifference,
  type DifferenceDecision,
  differenceDecisionCall,
  differingApproval,
} from './verifications/accept-difference.ts'
export { ShownDifference } from './verifications/difference.ts'
export { recordStatementDifference } from './verifications/record-statement-difference.ts'
export {
  decidedDifferencesPart,
  settledDifferencesPart,
  undecidedDifferencesPart,
  verifyByStatement,
} from './verifications/store.ts'
export type { VerificationContext, VerifiedKind } from './verifications/verification.ts'
export { verifyAtOnce, verifyDueApprovals } from './verifications/verify-due-approvals.ts'

/** In the order in which a reader meets them. */
export const paymentRoutes = [startPaymentRoute, readTransactionRoute, resolvePreAuthRoute]

export const paymentJobs = [...attemptJobs, ...holdJobs, ...verificationJobs]
