import type { Account } from './transfer.ts'
import { accounts } from './transfer.ts'

/** Sum of all postings to an account of a merchant in one currency. */
export interface AccountBalance {
  merchantId: number
  currency: string
  account: Account
  debitMinor: number
  creditMinor: number
}

/** Balances of the accounts of a merchant in one currency, each with the sign of its normal side. */
export type BalanceSheet = Pick<AccountBalance, 'merchantId' | 'currency'> & Record<Account, number>

/** Debits increase the bank's debt to us; credits increase our debts to others. */
const growsByDebits: Record<Account, boolean> = {
  receivable: true,
  balance: false,
  commission: false,
  differences: false,
}

const nothing = { receivable: 0, balance: 0, commission: 0, differences: 0 }

/** Sheets of balances. Several balances may be parts of the same account. */
export function balanceSheetsOf(balances: Iterable<AccountBalance>): BalanceSheet[] {
  const sheets = new Map<string, BalanceSheet>()
  for (const { merchantId, currency, account, debitMinor, creditMinor } of balances) {
    const name = `${merchantId} ${currency}`
    const sheet = sheets.get(name) ?? { merchantId, currency, ...nothing }
    sheet[account] += growsByDebits[account] ? debitMinor - creditMinor : creditMinor - debitMinor
    sheets.set(name, sheet)
  }
  return [...sheets.values()].toSorted(
    (a, b) => a.merchantId - b.merchantId || a.currency.localeCompare(b.currency),
  )
}

/**
 * True if debit accounts equal credit accounts, as they do if every amount moved from one account to another.
 */
export function isBalanced(sheet: BalanceSheet): boolean {
  const sum = accounts.reduce((all, account) => all + (growsByDebits[account] ? 1 : -1) * sheet[account], 0)
  return sum === 0
}
