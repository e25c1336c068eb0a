export { type Balance, type BalanceSheet, isBalanced, sheetsOf } from './balance.ts'
export type { Finding, Section } from './section.ts'
export {
  balancesOf,
  balancesWithin,
  merchantWithTransfers,
  misshapenTransfers,
  mixedCurrencies,
  transfersPart,
  transfersWithin,
} from './store.ts'
export type { Account, Taking, Transfer } from './transfer.ts'
export { accounts, postingsOfTaking } from './transfer.ts'
