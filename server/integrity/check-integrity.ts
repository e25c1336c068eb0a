import { signedDecimalText } from '../../kit/money/money.ts'
import type { BalanceSheet, PaymentIdRange } from '../ledger/index.ts'
import { accounts, balanceSheetsWithin, checkSnapshot, isBalanced } from '../ledger/index.ts'
import type { Services } from '../services.ts'
import { eventChecks } from './events.sql.ts'
import type { IntegrityViolation } from './integrity-check.sql.ts'
import {
  countRows,
  lastPaymentIdOfRange,
  nextMerchantToCheck,
  paymentRows,
  runIntegrityCheck,
  transferRows,
} from './integrity-check.sql.ts'
import { modificationChecks, paymentModificationChecks, refundChecks } from './modifications.sql.ts'
import {
  attemptChecks,
  currencyChecks,
  existenceChecks,
  instrumentChecks,
  overdueChecks,
  paymentChecks,
  transferChecks,
} from './payments.sql.ts'
import { paymentsWithTransfersWithin } from './postings.sql.ts'
import { postingViolations } from './postings.ts'
import { differenceEventChecks, verificationChecks } from './verifications.sql.ts'

export const integrityChecks = [
  transferChecks,
  existenceChecks,
  currencyChecks,
  paymentChecks,
  attemptChecks,
  instrumentChecks,
  paymentModificationChecks,
  refundChecks,
  modificationChecks,
  verificationChecks,
  differenceEventChecks,
  eventChecks,
].flat()

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
  const checks = [...integrityChecks, ...overdueChecks(new Date(clock.now().getTime() - overdueMs))]
  const problems = new Map<string, IntegrityViolationSummary>()
  const note = (
    what: string,
    violations: IntegrityViolation[],
    total = violations.length,
    isWarning = false,
  ) => {
    if (violations.length === 0) return
    const problem = problems.get(what) ?? { what, isWarning, total: 0, first: [] }
    problem.total += total
    problem.first.push(...violations.slice(0, maxListed - problem.first.length))
    problems.set(what, problem)
  }
  const report: IntegrityReport = { payments: 0, transfers: 0, sheets: [], problems: [] }
  const wrongSnapshots: IntegrityViolation[] = []
  for await (const merchantId of merchantIds({ sql })) {
    const sheets = new Map<string, BalanceSheet>()
    for await (const range of paymentIdRanges({ sql }, merchantId, rangeSize)) {
      report.payments += await countRows(sql, paymentRows, range)
      report.transfers += await countRows(sql, transferRows, range)
      addSheets(sheets, await balanceSheetsWithin(sql, range))
      for (const check of checks) {
        const violations = await runIntegrityCheck(sql, check, range, maxListed)
        note(check.what, violations, violations[0]?.total, check.isWarning)
      }
      const payments = await paymentsWithTransfersWithin(sql, range)
      for (const [what, violations] of postingViolations(payments)) note(what, violations)
    }
    report.sheets.push(...[...sheets.values()].toSorted((a, b) => a.currency.localeCompare(b.currency)))
    const mismatches = await checkSnapshot(sql, merchantId)
    wrongSnapshots.push(...mismatches.map((detail) => ({ merchantId, paymentId: null, detail })))
  }
  note('has a balance snapshot that differs from the sum of its transfers', wrongSnapshots)
  note('has accounts that do not balance', unbalanced(report.sheets))
  report.problems = [...problems.values()]
  return report
}

/** Lower bound below every id. Rows with an invalid id must be checked too. */
const beforeAll = Number.MIN_SAFE_INTEGER

async function* merchantIds({ sql }: Pick<Services, 'sql'>): AsyncIterable<number> {
  for (let id: number | undefined = beforeAll; ; ) {
    id = await nextMerchantToCheck(sql, id)
    if (id === undefined) return
    yield id
  }
}

/** All ranges. The first and the last are open-ended, so rows with an id outside the payments are checked too. */
async function* paymentIdRanges(
  { sql }: Pick<Services, 'sql'>,
  merchantId: number,
  size: number,
): AsyncIterable<PaymentIdRange> {
  for (let behind: number | undefined = beforeAll; behind !== undefined; ) {
    const last: number | undefined = await lastPaymentIdOfRange(sql, merchantId, behind, size)
    yield { merchantId, behind, upTo: last ?? Number.MAX_SAFE_INTEGER }
    behind = last
  }
}

/** Adds the sheets of a range to those of its merchant, by currency. */
function addSheets(sheets: Map<string, BalanceSheet>, added: readonly BalanceSheet[]): void {
  for (const sheet of added) {
    const known = sheets.get(sheet.currency)
    if (known) for (const account of accounts) known[account] += sheet[account]
    else sheets.set(sheet.currency, sheet)
  }
}

function unbalanced(sheets: readonly BalanceSheet[]): IntegrityViolation[] {
  const text = (minor: number) => signedDecimalText(minor, '.')
  return sheets
    .filter((sheet) => !isBalanced(sheet))
    .map(({ merchantId, currency, receivable, balance, commission, differences }) => ({
      merchantId,
      paymentId: null,
      detail: `receivable ${text(receivable)} ${currency}, but balance ${text(balance)}, commission ${text(commission)} and differences ${text(differences)} add up to ${text(balance + commission + differences)} ${currency}`,
    }))
}
