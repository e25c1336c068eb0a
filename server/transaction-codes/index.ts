export { retryTexts, type TransactionCode, transactionCodeOf } from './transaction-code.ts'
export {
  type TransactionCodeRow,
  type TransactionCodeSection,
  transactionCodeRows,
} from './transaction-code-rows.ts'
