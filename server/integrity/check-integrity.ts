import { signedDecimalText } from '../../kit/money/money.ts'
import type { AccountBalance, BalanceSheet, IntegrityViolation, PaymentIdRange } from '../ledger/index.ts'
import {
  accountBalancesWithin,
  balanceSheetsOf,
  checkSnapshots,
  countTransfersWithin,
  isBalanced,
  malformedTransfers,
  mixedCurrencyPayments,
  nextMerchantWithTransfers,
} from '../ledger/index.ts'
import type { Services } from '../services.ts'
import { eventIntegrityChecks } from './events.sql.ts'
import { expectedPaymentEvents } from './expected-payment-events.ts'
import { modificationIntegrityChecks } from './modifications.sql.ts'
import {
  countPaymentsInIdRange,
  lastPaymentIdOfRange,
  nextMerchantWithPayments,
  paymentIntegrityChecks,
  paymentsWithTransfersInIdRange,
  runIntegrityCheck,
} from './payments.sql.ts'
import { postingViolations, refundAmountViolations } from './postings.ts'
import { verificationIntegrityChecks } from './verifications.sql.ts'

/** Violations of one kind: their number and the first of them. */
export interface IntegrityViolationSummary {
  what: string
  isWarning: boolean
  total: number
  first: IntegrityViolation[]
}

export interface IntegrityReport {
  payments: number
  transfers: number
  sheets: BalanceSheet[]
  problems: IntegrityViolationSummary[]
}

/** Violations of one kind that are listed one by one. */
const maxListed = 20
const overdueMs = 60 * 60 * 1000

/**
 * Checks that payments, attempts, modifications, refunds, verifications, transfers, snapshots and events
 * agree. The check reads range by range, so memory use and query time stay small for any number of payments.
 * It can run while the service runs: each check is one query, which sees one moment, and rows that belong
 * together are written in one query.
 */
export async function checkIntegrity(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  rangeSize = 5_000,
): Promise<IntegrityReport> {
  const overdueSince = new Date(clock.now().getTime() - overdueMs)
  const checks = [
    ...paymentIntegrityChecks(overdueSince),
    ...modificationIntegrityChecks(overdueSince),
    ...verificationIntegrityChecks,
    ...eventIntegrityChecks(expectedPaymentEvents),
  ]
  const problems = new Map<string, IntegrityViolationSummary>()
  const note = (what: string, violations: readonly IntegrityViolation[], isWarning = false) => {
    const [any] = violations
    if (!any) return
    const problem = problems.get(what) ?? { what, isWarning, total: 0, first: [] }
    problem.total += any.total
    problem.first.push(...violations.slice(0, maxListed - problem.first.length))
    problems.set(what, problem)
  }
  const report: IntegrityReport = { payments: 0, transfers: 0, sheets: [], problems: [] }
  let balances: AccountBalance[] = []
  for await (const range of paymentIdRanges({ sql }, rangeSize)) {
    report.payments += await countPaymentsInIdRange(sql, range)
    report.transfers += await countTransfersWithin(sql, range)
    balances = folded([...balances, ...(await accountBalancesWithin(sql, range))])
    note('has a malformed transfer', await malformedTransfers(sql, range, maxListed))
    note('has transfers in several currencies', await mixedCurrencyPayments(sql, range, maxListed))
    for (const check of checks) {
      note(check.what, await runIntegrityCheck(sql, check, range, maxListed), check.isWarning)
    }
    const payments = await paymentsWithTransfersInIdRange(sql, range)
    for (const [what, violations] of [...postingViolations(payments), ...refundAmountViolations(payments)])
      note(what, violations)
  }
  note('has a balance snapshot that differs from the sum of its transfers', await checkSnapshots(sql))
  report.sheets = balanceSheetsOf(balances)
  note('has accounts that do not balance', unbalanced(report.sheets))
  report.problems = [...problems.values()]
  return report
}

/** Lower bound below every id. Rows with an invalid id must be checked too. */
const beforeAll = Number.MIN_SAFE_INTEGER

/**
 * All ranges, merchant by merchant. The first and the last range of a merchant are open-ended, so rows with
 * an id outside its payments are checked too.
 */
async function* paymentIdRanges({ sql }: Pick<Services, 'sql'>, size: number): AsyncIterable<PaymentIdRange> {
  for (let merchantId: number | undefined = beforeAll; ; ) {
    merchantId = await nextMerchant({ sql }, merchantId)
    if (merchantId === undefined) return
    for (let behind: number | undefined = beforeAll; behind !== undefined; ) {
      const last: number | undefined = await lastPaymentIdOfRange(sql, { merchantId, behind }, size)
      yield { merchantId, behind, upTo: last ?? Number.MAX_SAFE_INTEGER }
      behind = last
    }
  }
}

async function nextMerchant({ sql }: Pick<Services, 'sql'>, behind: number): Promise<number | undefined> {
  const ids = [await nextMerchantWithPayments(sql, behind), await nextMerchantWithTransfers(sql, behind)]
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** Merges balances to one per account, so memory use depends only on the number of accounts. */
function folded(balances: readonly AccountBalance[]): AccountBalance[] {
  const accounts = new Map<string, AccountBalance>()
  for (const balance of balances) {
    const name = `${balance.merchantId} ${balance.currency} ${balance.account}`
    const known = accounts.get(name)
    if (known) {
      known.debitMinor += balance.debitMinor
      known.creditMinor += balance.creditMinor
    } else accounts.set(name, { ...balance })
  }
  return [...accounts.values()]
}

function unbalanced(sheets: readonly BalanceSheet[]): IntegrityViolation[] {
  const wrong = sheets.filter((sheet) => !isBalanced(sheet))
  const text = (minor: number) => signedDecimalText(minor, '.')
  return wrong.map(({ merchantId, currency, receivable, balance, commission, differences }) => ({
    merchantId,
    paymentId: null,
    detail: `receivable ${text(receivable)} ${currency}, but balance ${text(balance)}, commission ${text(commission)} and differences ${text(differences)} add up to ${text(balance + commission + differences)} ${currency}`,
    total: wrong.length,
  }))
}
