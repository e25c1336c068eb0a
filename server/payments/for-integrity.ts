export type { PaymentState, PreAuthResolution, StoredPaymentState } from './records/states.ts'
export {
  paymentStateEdgeBetween,
  paymentStateEdges,
  paymentStates,
  storedPaymentStateOf,
} from './records/states.ts'
export { shownStatusFields } from './records/transaction.ts'
export { countVerificationsByState } from './records/verification.sql.ts'
export { surplusMinorOf } from './records/verification.ts'
