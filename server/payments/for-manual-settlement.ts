export { settleAttemptManually } from './attempts/settle-attempt-manually.ts'
export { onCaptureOrReleaseOutcome } from './holds/on-capture-or-release-outcome.ts'
export { settleModificationManually } from './modifications/settle-modification-manually.ts'
export { amountChargedAtBank } from './records/attempt.ts'
export { locateModification } from './records/modification.sql.ts'
export { newModification, totalRefundedByBank } from './records/modification.ts'
export { markDifferencesDecidedPart } from './records/verification.sql.ts'
export type { VerificationWithPayment } from './records/verification.ts'
export { applyTransition } from './transitions/transition.ts'
export type { ManualDifferenceDecision } from './verifications/accept-difference.ts'
export {
  acceptDifference,
  differenceDecisionAsBankCall,
  requireOpenDifference,
} from './verifications/accept-difference.ts'
