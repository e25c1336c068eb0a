export { availableAt } from './available-at.ts'
export { type Balance, type BalanceSheet, isBalanced, sheetsOf } from './balance.ts'
export type { IntegrityViolation, Section } from './integrity.ts'
export { type Charge, givenBack } from './refund-share.ts'
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
export type { Account, GivingBack, Posting, Reason, Taking, Transfer } from './transfer.ts'
export {
  accounts,
  postingsOfDifference,
  postingsOfRefund,
  postingsOfReturn,
  postingsOfTaking,
} from './transfer.ts'
