export { type AccountBalance, type BalanceSheet, isBalanced, sheetsOf } from './account-balance.ts'
export { availableAt } from './available-at.ts'
export type { IntegrityViolation, Section } from './integrity.ts'
export { type ChargeAmounts, givenBack } from './refund-share.ts'
export { checkSnapshots } from './snapshots/check-snapshots.ts'
export { type MerchantBalance, merchantBalancesOf } from './snapshots/merchant-balance.ts'
export { takeSnapshot } from './snapshots/take-snapshot.ts'
export {
  balanceChange,
  balancesOf,
  balancesWithin,
  commissionBeside,
  merchantWithTransfers,
  misshapenTransfers,
  mixedCurrencies,
  movesBalance,
  recentTakings,
  transfersPart,
  transfersWithin,
} from './store.ts'
export type { Account, GivingBack, Posting, PostingReason, Taking, Transfer } from './transfer.ts'
export {
  accounts,
  postingsOfDifference,
  postingsOfRefund,
  postingsOfReturn,
  postingsOfTaking,
} from './transfer.ts'
