export { attemptStates } from './records/attempt.ts'
export type { PaymentState, PreAuthResolution } from './records/states.ts'
export {
  heldStates,
  isPaid,
  maxAttempts,
  paidStates,
  paymentStateEdgeBetween,
  paymentStateEdges,
  paymentStates,
} from './records/states.ts'
export { shownStatusFields } from './records/transaction.ts'
export { countVerificationsByState } from './records/verification.sql.ts'
export { surplusMinorOf } from './records/verification.ts'
