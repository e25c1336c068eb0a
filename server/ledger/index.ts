export { availableAt } from './available-at.ts'
export { type BalanceSheet, isBalanced } from './balance-sheet.ts'
export { checkSnapshot } from './check-snapshot.ts'
export { type MerchantBalance, merchantBalancesOf } from './merchant-balance.ts'
export { type ChargeAmounts, refundShareOf } from './refund-share.ts'
export { balanceSnapshots } from './snapshot.ts'
export {
  affectsBalance,
  balanceChange,
  balanceSheetsWithin,
  commissionOfTransfer,
  isMalformed,
  nextMerchantWithTransfers,
  type PaymentIdRange,
  recentVolume,
  transfersPart,
} from './store.ts'
export { takeSnapshot } from './take-snapshot.ts'
export type { AmountDifference, LedgerPayment, Posting, Transfer } from './transfer.ts'
export {
  accounts,
  ledgerTransfers,
  postingsOfDifference,
  postingsOfPayment,
  postingsOfRefund,
  postingsOfSurplusRefund,
} from './transfer.ts'
