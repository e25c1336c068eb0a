import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { objectSchema } from '../../kit/input/fields.ts'
import { signedDecimalText } from '../../kit/money/money.ts'
import type { BalanceSheet } from '../ledger/index.ts'
import { countVerificationsByState } from '../payments/for-integrity.ts'
import type { Services } from '../services.ts'
import type { IntegrityViolationSummary } from './check-integrity.ts'
import { checkIntegrity } from './check-integrity.ts'

export const checkLedgerCommand = command({
  input: objectSchema({}),
  run: async (services: Services, _input, print) => {
    const { payments, transfers, sheets, problems } = await checkIntegrity(services)
    const warnings = problems.filter(({ isWarning }) => isWarning)
    const errors = problems.filter(({ isWarning }) => !isWarning)
    for (const line of warnings.flatMap(linesOf)) print(`Warning: ${line}`)
    if (errors.length > 0) {
      const lines = errors.flatMap(linesOf).map((line) => `  - ${line}`)
      throw new Error(
        [
          `Integrity checks failed. ${payments} payments and ${transfers} transfers were checked. Look at each payment: vezne payment show PAYMENT`,
          ...lines,
        ].join('\n'),
      )
    }
    print(`Integrity checks passed: ${payments} payments and ${transfers} transfers agree.`)
    const { unverified, verified, differs, settled } = await countVerificationsByState(services.sql)
    if (unverified + verified + differs + settled > 0)
      print(
        `Approvals whose amount the bank’s answer did not name: ${unverified} unverified, ${verified} verified, ${differs} differing, ${settled} settled.`,
      )
    if (sheets.length > 0) print(sheetsTable(sheets))
  },
})

function linesOf({ what, total, first }: IntegrityViolationSummary): string[] {
  const lines = first.map(({ merchantId, paymentId, detail }) => {
    const payment = paymentId === null ? '' : `payment ${paymentId} of `
    return `${payment}merchant ${merchantId} ${what} (${detail})`
  })
  return total > first.length ? [...lines, `and ${total - first.length} more like these`] : lines
}

function sheetsTable(sheets: readonly BalanceSheet[]): string {
  const rows = sheets.map(({ merchantId, currency, receivable, balance, commission, differences }) => [
    String(merchantId),
    currency,
    ...[receivable, balance, commission, differences].map((sumMinor) => signedDecimalText(sumMinor, '.')),
  ])
  return textTable(['MERCHANT', 'CURRENCY', 'RECEIVABLE', 'BALANCE', 'COMMISSION', 'DIFFERENCES'], rows)
}
