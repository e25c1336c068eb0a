import { attemptJobs } from './attempts/process-due.ts'
import { captureAndReleaseJobs } from './holds/process-due.ts'
import { readTransactionRoute } from './read-transaction.ts'
import { resolvePreAuthRoute } from './resolve-pre-auth.ts'
import { startPaymentRoute } from './start-payment.ts'
import { verificationJobs } from './verifications/verify-due-approvals.ts'

export { type AbandonmentOrDecline, abandonAttempt } from './attempts/abandon-attempt.ts'
export { type Attempt, amountChargedAtBank } from './attempts/attempt.ts'
export {
  type AttemptToAuthorize,
  type AuthenticationProof,
  type AuthorizationResult,
  authorizeAttempt,
} from './attempts/authorize-attempt.ts'
export type { AttemptContext } from './attempts/decide.ts'
export { approvedAttempt, attemptById } from './attempts/find-attempt.ts'
export { expireOrResolveDuePayments, processDueAttempts } from './attempts/process-due.ts'
export { settleAttemptManually } from './attempts/settle-attempt-manually.ts'
export {
  type AuthenticationMode,
  type CardSubmission,
  type CardSubmissionResult,
  type ExtraWrite,
  submitCard,
} from './attempts/submit-card.ts'
export { eventsToShow } from './history/store.ts'
export { onCaptureOrReleaseOutcome } from './holds/on-capture-or-release-outcome.ts'
export { processDueCapturesAndReleases } from './holds/process-due.ts'
export { perPosLaneJob, processAllDue, processConcurrently } from './lanes.ts'
export { bankTimeZone } from './modifications/bank-day.ts'
export { dueModificationQueue } from './modifications/due-modification-queue.ts'
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
export { decodePageToken, type PageToken } from './page-address.ts'
export {
  buildPaymentPageBatchQuery,
  buildPaymentPageQuery,
  type CheckoutContext,
  checkoutContextColumns,
  checkoutContextFromRow,
  type PageVisit,
  type PaymentPageRow,
  type PaymentWithLastAttempt,
  paymentWithLastAttemptFromRow,
  readPageRowInBatch,
} from './pages/store.ts'
export { type Payment, type PaymentItem, pageAsksForCustomer } from './payment.ts'
export { redirectUrlWithTransactionId } from './redirect-url.ts'
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
export { ShownTransaction, shownTransaction, type TransactionFields } from './transaction.ts'
export { transactionIdField, unknownTransactionComplaint } from './transaction-id-field.ts'
export { conflictSentinel, retryOnConflict } from './transitions/retry-on-conflict.ts'
export { applyTransition } from './transitions/transition.ts'
export {
  acceptDifference,
  type DifferenceDecision,
  differenceDecisionAsBankCall,
  requireOpenDifference,
} from './verifications/accept-difference.ts'
export { ShownDifference } from './verifications/difference.ts'
export { recordStatementDifference } from './verifications/record-statement-difference.ts'
export {
  markDifferencesDecidedPart,
  markVerifiedByStatement,
  reopenDifferenceDecisionsPart,
  settleDifferencesPart,
} from './verifications/store.ts'
export type { VerificationContext, VerifiedKind } from './verifications/verification.ts'
export { scheduleVerificationsNow, verifyDueApprovals } from './verifications/verify-due-approvals.ts'

/** In the order in which a reader meets them. */
export const paymentRoutes = [startPaymentRoute, readTransactionRoute, resolvePreAuthRoute]

export const paymentJobs = [...attemptJobs, ...captureAndReleaseJobs, ...verificationJobs]
