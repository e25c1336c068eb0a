export type { RetryAdvice, TransactionCode } from './transaction-code.ts'
export { retryTexts, transactionCodeOf, transactionCodes } from './transaction-code.ts'
