import { command } from '../kit/command.ts'
import { choice, id, integer, optional, record } from '../kit/fields.ts'
import { decimalText } from '../kit/money.ts'
import { plainText } from '../kit/plain-text.ts'
import { table } from '../kit/table.ts'
import { isoTime } from '../kit/zoned-time.ts'
import type { Services } from '../services.ts'
import { refundStates } from './refund.ts'
import type { ListedRefund } from './store.ts'
import { listedRefunds } from './store.ts'

export const listRefundsCommand = command({
  input: record({
    state: optional(choice('The state they are in; under_review if not given.', refundStates)),
    merchant: optional(id('Those of one merchant alone.')),
    limit: optional(integer('How many to show at most; 50 if not given.', { min: 1, max: 1000 })),
  }),
  run: async (services: Services, { state = 'under_review', merchant, limit = 50 }, print) => {
    const wanted = { merchantId: merchant, state, limit: limit + 1 }
    const found = await listedRefunds(services.sql, wanted)
    if (found.length === 0) return print(state === 'under_review' ? 'No refund waits.' : `None is ${state}.`)
    print(table(heads, found.slice(0, limit).map(lineOf)))
    if (found.length > limit) print('There are more: --limit')
    if (state === 'under_review') print('Look at one: vezne refund show REFUND')
  },
})

const heads = ['REFUND', 'ASKED', 'MERCHANT', 'PAYMENT', 'AMOUNT', 'DECIDED BY', 'WHY ASKED']

function lineOf(refund: ListedRefund): string[] {
  const { decidedBy, dueAt, timeZone } = refund
  const decides = dueAt ? `rules, at ${isoTime(dueAt, timeZone)}` : 'a person'
  return [
    String(refund.id),
    isoTime(refund.requestedAt, timeZone),
    `${refund.merchantId} ${refund.merchantName}`,
    String(refund.paymentId),
    `${decimalText(refund.amountMinor, '.')} ${refund.currency}`,
    decidedBy === null ? decides : plainText(decidedBy),
    shortened(refund.description),
  ]
}

function shortened(text: string): string {
  const letters = [...plainText(text)]
  return letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : letters.join('')
}
