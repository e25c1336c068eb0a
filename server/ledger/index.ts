export { type AccountBalance, type BalanceSheet, balanceSheetsOf, isBalanced } from './account-balance.ts'
export { availableAt } from './available-at.ts'
export { checkSnapshots } from './check-snapshots.ts'
export type { IntegrityViolation, PaymentIdRange } from './integrity-violation.ts'
export { type MerchantBalance, merchantBalancesOf } from './merchant-balance.ts'
export { type ChargeAmounts, refundShareOf } from './refund-share.ts'
export { balanceSnapshots } from './snapshot.ts'
export {
  accountBalancesOf,
  accountBalancesWithin,
  affectsBalance,
  balanceChange,
  commissionOfTransfer,
  countTransfersWithin,
  malformedTransfers,
  mixedCurrencyPayments,
  nextMerchantWithTransfers,
  recentVolume,
  transfersPart,
} from './store.ts'
export { takeSnapshot } from './take-snapshot.ts'
export type { Posting, Transfer } from './transfer.ts'
export {
  accounts,
  ledgerTransfers,
  postingsOfDifference,
  postingsOfPayment,
  postingsOfRefund,
  postingsOfSurplusRefund,
} from './transfer.ts'
