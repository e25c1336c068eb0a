import { attemptJob } from './attempts/attempt-work.ts'
import { paymentDeadlineJob } from './deadlines/process-payment-deadlines.ts'
import { captureAndReleaseJob } from './holds/process-due-captures-and-releases.ts'
import { readTransactionRoute } from './read-transaction.ts'
import { resolvePreAuthRoute } from './resolve-pre-auth.ts'
import { startPaymentRoute } from './start-payment.ts'
import { unsettledGaugesJob } from './update-unsettled-gauges.ts'
import { verificationJob } from './verifications/verification-work.ts'

export type { AbandonCode } from './attempts/abandon-or-decline-attempt.ts'
export type { Attempt, AttemptWithPayment } from './records/attempt.ts'
export type { Payment } from './records/payment.ts'
export { maxAttempts } from './records/states.ts'
export { ShownTransaction } from './records/transaction.ts'
export type { VerificationKind } from './records/verification.ts'
export { repairPaymentDueTimes } from './repair-due-times.ts'
export { startPayment } from './start-payment.ts'
export { ShownDifference } from './verifications/difference.ts'
export { schedulePaymentVerificationsNow } from './verifications/verification-work.ts'

/** In the order of the API documentation. */
export const paymentRoutes = [startPaymentRoute, readTransactionRoute, resolvePreAuthRoute]

export const paymentJobs = [unsettledGaugesJob]
export const duePaymentJobs = [paymentDeadlineJob, attemptJob, captureAndReleaseJob, verificationJob]
