import { command } from '../../kit/command-line/command.ts'
import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { choiceField, idField, integerField, objectSchema, optional } from '../../kit/input/fields.ts'
import { decimalText } from '../../kit/money/money.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { refundWaitText } from '../payments/for-refunds.ts'
import type { Services } from '../services.ts'
import { refundStates, waitReasonAndDueAt } from './refund.ts'
import type { RefundWithMerchantName } from './store.ts'
import { refundsWithMerchantNames } from './store.ts'

export const listRefundsCommand = command({
  input: objectSchema({
    state: optional(choiceField('State of the refunds. Default: all open refunds.', refundStates)),
    merchant: optional(idField('Id of a merchant. Lists only its refunds.')),
    limit: optional(integerField('Maximum number to show. Default: 50.', { min: 1, max: 1000 })),
  }),
  run: async (services: Services, { state, merchant, limit = 50 }, print) => {
    const filter = { merchantId: merchant, state, limit: limit + 1 }
    const refunds = await refundsWithMerchantNames(services.sql, filter)
    if (refunds.length === 0)
      return print(state === undefined ? 'There are no open refunds.' : `No refund has the state ${state}.`)
    const isOpen = state === undefined || state === 'under_review' || state === 'approved'
    const { heads, cells } = isOpen ? openColumns : endedColumns
    const rows = refunds.slice(0, limit).map((refund) => lineOf(refund, cells(refund)))
    print(textTable(['REFUND', 'REQUESTED', 'MERCHANT', 'PAYMENT', 'AMOUNT', ...heads, 'DESCRIPTION'], rows))
    if (refunds.length > limit) print('There are more. To list more: --limit N')
    if (isOpen) print('To see one: vezne refund show REFUND')
  },
})

const openColumns = {
  heads: ['WAITS FOR', 'DUE'],
  cells: (refund: RefundWithMerchantName) => {
    const { dueAt } = waitReasonAndDueAt(refund)
    return [refundWaitText(refund), dueAt ? isoTime(dueAt, refund.timeZone) : '']
  },
}

const endedColumns = {
  heads: ['DECIDED BY'],
  cells: ({ decidedBy }: RefundWithMerchantName) => [terminalSafeText(decidedBy ?? '')],
}

function lineOf(refund: RefundWithMerchantName, cells: string[]): string[] {
  return [
    String(refund.id),
    isoTime(refund.requestedAt, refund.timeZone),
    `${refund.merchantId} ${refund.merchantName}`,
    String(refund.paymentId),
    `${decimalText(refund.amountMinor, '.')} ${refund.currency}`,
    ...cells,
    shortened(refund.description),
  ]
}

function shortened(text: string): string {
  const characters = [...terminalSafeText(text)]
  return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : characters.join('')
}
