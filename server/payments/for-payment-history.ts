export { attempts } from './records/attempt.ts'
export { bankCalls } from './records/bank-call.ts'
export { attemptTable, locateWork, modificationTable } from './records/bank-work.sql.ts'
export { modificationsOfPayment } from './records/modification.sql.ts'
export type { Modification } from './records/modification.ts'
export { refundWaitText } from './records/modification.ts'
export { payments } from './records/payment.ts'
export type { PaymentState } from './records/states.ts'
export {
  paymentStates,
  shownPaymentStatusCodes,
  shownStatusesByState,
  shownTransactionStatusCodes,
} from './records/states.ts'
export { verificationsOfPayment } from './records/verification.sql.ts'
export type { Verification } from './records/verification.ts'
export { evidenceTexts } from './records/verification.ts'
