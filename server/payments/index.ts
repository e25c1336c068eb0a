import { attemptJobs } from './attempts/process-due-attempts.ts'
import { captureAndReleaseJobs } from './holds/process-due-captures-and-releases.ts'
import { readTransactionRoute } from './read-transaction.ts'
import { resolvePreAuthRoute } from './resolve-pre-auth.ts'
import { startPaymentRoute } from './start-payment.ts'
import { verificationJobs } from './verifications/process-due-verifications.ts'

export { type AbandonmentOrDecline, abandonOrDeclineAttempt } from './attempts/abandon-or-decline-attempt.ts'
export { type Attempt, amountChargedAtBank } from './attempts/attempt.ts'
export {
  type AttemptToAuthorize,
  type AuthenticationProof,
  type AuthorizationRequestResult,
  authorizeAttempt,
} from './attempts/authorize-attempt.ts'
export type { AttemptWithPayment } from './attempts/decide.ts'
export { attemptById, requireApprovedAttempt } from './attempts/find-attempt.ts'
export { processDueAttempts, processPaymentDeadlines } from './attempts/process-due-attempts.ts'
export { settleAttemptManually } from './attempts/settle-attempt-manually.ts'
export {
  type AuthenticationStart,
  type CardSubmission,
  type CardSubmissionResult,
  type ExtraWrite,
  submitCard,
} from './attempts/submit-card.ts'
export { historyEventsOfPayment } from './history/store.ts'
export { onCaptureOrReleaseOutcome } from './holds/on-capture-or-release-outcome.ts'
export { processDueCapturesAndReleases } from './holds/process-due-captures-and-releases.ts'
export { perPosLaneJob, processDueConcurrently, processDueInLanes } from './lanes.ts'
export { bankTimeZone } from './modifications/bank-day.ts'
export { dueModificationQueue } from './modifications/due-modification-queue.ts'
export {
  completesFullRefund,
  isOpenSurplusRefund,
  type Modification,
  newModification,
  refundWaitText,
  totalRefundedByBank,
  waitsForBankDayEnd,
} from './modifications/modification.ts'
export type { OutcomeEffects, OutcomeHandler } from './modifications/settle-modification.ts'
export { settleModificationManually } from './modifications/settle-modification-manually.ts'
export { locateModification, modificationsOfPayment } from './modifications/store.ts'
export { decodePageToken, type PageToken } from './page-address.ts'
export {
  buildPaymentPageBatchQuery,
  buildPaymentPageQuery,
  type CheckoutContext,
  checkoutContextColumns,
  checkoutContextFromRow,
  type PageVisit,
  type PaymentWithLastAttempt,
  type PaymentWithLastAttemptRow,
  paymentWithLastAttemptFromRow,
  readPageRowByBatchQuery,
} from './pages/store.ts'
export { type Payment, type PaymentItem, pageAsksForCustomer } from './payment.ts'
export { redirectUrlWithTransactionId } from './redirect-url.ts'
export { repairPaymentDueTimes } from './repair-due-times.ts'
export {
  openReturnToken,
  type ReturnContext,
  type ReturnPurpose,
  type ReturnToken,
  sealReturnToken,
} from './return-token.ts'
export { startPayment } from './start-payment.ts'
export { maxAttempts, withStateByRefundedAmount } from './states.ts'
export { paymentById } from './store.ts'
export { ShownTransaction, shownTransaction, type TransactionPaymentFields } from './transaction.ts'
export { transactionIdField, unknownTransactionComplaint } from './transaction-id-field.ts'
export { conflictSentinel, retryOnConflict } from './transitions/retry-on-conflict.ts'
export { applyTransition } from './transitions/transition.ts'
export {
  acceptDifference,
  differenceDecisionAsBankCall,
  type ManualDifferenceDecision,
  requireOpenDifference,
} from './verifications/accept-difference.ts'
export { ShownDifference } from './verifications/difference.ts'
export {
  processDueVerifications,
  schedulePaymentVerificationsNow,
} from './verifications/process-due-verifications.ts'
export { recordStatementDifference } from './verifications/record-statement-difference.ts'
export {
  markDifferencesDecidedPart,
  markDifferencesSettledPart,
  markDifferencesUndecidedPart,
  markVerifiedByStatement,
} from './verifications/store.ts'
export type { VerificationKind, VerificationWithPayment } from './verifications/verification.ts'

/** In the order in which a reader meets them. */
export const paymentRoutes = [startPaymentRoute, readTransactionRoute, resolvePreAuthRoute]

export const paymentJobs = [...attemptJobs, ...captureAndReleaseJobs, ...verificationJobs]
