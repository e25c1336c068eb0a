export type { DecisionEffects } from './bank-calls/bank-work.ts'
export {
  afterFailureMs,
  perPosLaneJob,
  processUntilNoneIsDue,
} from './bank-calls/lanes.ts'
export type { OutcomeHandler } from './modifications/modification-work.ts'
export { dueModificationQueue } from './modifications/modification-work.ts'
export { requireApprovedAttempt } from './records/attempt.sql.ts'
export { amountChargedAtBank } from './records/attempt.ts'
export type { Instrument } from './records/instrument.ts'
export { modificationsOfPayment } from './records/modification.sql.ts'
export type { Modification } from './records/modification.ts'
export {
  completesFullRefund,
  isOpenSurplusRefund,
  newModification,
  refundWaitText,
  totalRefundedByBank,
  waitsForBankDayEnd,
} from './records/modification.ts'
export { paymentById } from './records/payment.sql.ts'
export { withStateByRefundedAmount } from './records/states.ts'
export { markDifferencesSettledPart, markDifferencesUndecidedPart } from './records/verification.sql.ts'
export { transactionIdField, unknownTransactionComplaint } from './transaction-id-field.ts'
export { conflictSentinel, retryOnConflict } from './transitions/retry-on-conflict.ts'
export { applyTransition } from './transitions/transition.ts'
