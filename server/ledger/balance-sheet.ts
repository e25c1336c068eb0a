import type { Account } from './transfer.ts'
import { accounts } from './transfer.ts'

/** Balances of the accounts of a merchant in one currency, each with the sign of its normal side. */
export type BalanceSheet = { merchantId: number; currency: string } & Record<Account, number>

/** Debits increase the bank's debt to us; credits increase our debts to others. */
export const debitSigns: Record<Account, 1 | -1> = {
  receivable: 1,
  balance: -1,
  commission: -1,
  differences: -1,
}

/**
 * True if debit accounts equal credit accounts, as they do if every amount moved from one account to another.
 */
export function isBalanced(sheet: BalanceSheet): boolean {
  return accounts.reduce((sum, account) => sum + debitSigns[account] * sheet[account], 0) === 0
}
