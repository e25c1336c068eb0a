import { command } from '../../kit/command-line/command.ts'
import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { recordTable } from '../../kit/command-line/text-table.ts'
import type { DayOrInstant } from '../../kit/input/day-or-instant.ts'
import { endInstant, parseDayOrInstantField, startInstant } from '../../kit/input/day-or-instant.ts'
import {
  choiceField,
  idField,
  integerField,
  moneyField,
  objectSchema,
  optional,
  parsedTextField,
} from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantOrDefault, merchantOrDefaultArgument } from '../merchants/index.ts'
import type { PaymentState } from '../payments/for-payment-history.ts'
import {
  paymentStates,
  shownPaymentStatusCodes,
  shownStatusesByState,
  shownTransactionStatusCodes,
} from '../payments/for-payment-history.ts'
import type { Services } from '../services.ts'
import type { ListedPayment, PaymentFilters } from './store.ts'
import { matchingPaymentsInSlice } from './store.ts'

const defaultLimit = 20

/** Payments that one query reads, so that no query takes long even if few of them match. */
const sliceSize = 20_000

export const listPaymentsCommand = command({
  input: objectSchema({
    merchant: optional(merchantOrDefaultArgument),
    state: optional(choiceField('State of the payments.', paymentStates)),
    payment_status: optional(
      choiceField('Payment status, as merchants see it.', namesOf(shownPaymentStatusCodes)),
    ),
    transaction_status: optional(
      choiceField('Transaction status, as merchants see it.', namesOf(shownTransactionStatusCodes)),
    ),
    currency: optional(
      parsedTextField<string>('Currency of the payments.', { max: 3, parse: parseCurrencyField }),
    ),
    amount: optional(moneyField('Amount of the payments, in the minor unit: 10000 is 100.00.')),
    from: optional(
      momentField(
        'Started at this time or later: a day in the merchant’s time zone, or a time with its UTC offset.',
      ),
    ),
    to: optional(momentField('Started at this time or earlier. A day is included.')),
    customer: optional(idField('Id of the customer.')),
    card: optional(
      parsedTextField<string>(
        'Card that was tried: its last four digits, its first six, or both, for example 415565*6111.',
        {
          max: 19,
          parse: readCard,
        },
      ),
    ),
    pos: optional(idField('Id of a POS that was tried.')),
    limit: optional(integerField('Maximum number to show. Default: 20.', { min: 1, max: 1000 })),
    after: optional(idField('Id of a payment. Shows the payments that come after it in the list.')),
  }),
  run: async (services: Services, input, print) => {
    const merchant = await merchantOrDefault(services, input.merchant)
    const createdFrom = input.from && startInstant(input.from, merchant.timeZone)
    const createdBefore = input.to && endInstant(input.to, merchant.timeZone)
    if (createdFrom && createdBefore && createdFrom >= createdBefore) throw invalidParameter('to', beforeFrom)
    const filters: PaymentFilters = {
      merchantId: merchant.id,
      states: paymentStates.filter((state) => matchesStatus(state, input)),
      currency: input.currency,
      amountMinor: input.amount,
      createdFrom,
      createdBefore,
      customerId: input.customer,
      card: input.card,
      posId: input.pos,
    }
    const limit = input.limit ?? defaultLimit
    // One row more than shown reveals that there are more.
    const payments = await listPaymentsForOperator(services, filters, {
      after: input.after,
      limit: limit + 1,
    })
    const shown = payments.slice(0, limit)
    if (shown.length === 0) return print('No payment matches.')
    print(paymentsTable(shown, merchant))
    if (payments.length > limit) print(`There are more. For the next page add: --after ${shown.at(-1)?.id}`)
  },
})

/** The newest matching payments, read slice by slice. */
export async function listPaymentsForOperator(
  { sql }: Pick<Services, 'sql'>,
  filters: PaymentFilters,
  { after, limit }: { after: number | undefined; limit: number },
  size = sliceSize,
): Promise<ListedPayment[]> {
  const payments: ListedPayment[] = []
  let before: number | null = after ?? Number.MAX_SAFE_INTEGER
  while (before !== null && payments.length < limit && filters.states.length > 0) {
    const slice: Awaited<ReturnType<typeof matchingPaymentsInSlice>> = await matchingPaymentsInSlice(
      sql,
      filters,
      { before, size },
      limit - payments.length,
    )
    payments.push(...slice.payments)
    before = slice.end
  }
  return payments
}

function namesOf<Names extends object>(names: Names): readonly (keyof Names & string)[] {
  return Object.keys(names) as (keyof Names & string)[]
}

function momentField(about: string) {
  return parsedTextField<DayOrInstant>(about, { max: 40, parse: parseDayOrInstantField })
}

/** True if the state, and its statuses as merchants see them, match the given filters. */
function matchesStatus(
  state: PaymentState,
  given: Partial<Record<'state' | 'payment_status' | 'transaction_status', string>>,
): boolean {
  const { payment, transaction } = shownStatusesByState[state]
  const {
    state: wanted = state,
    payment_status: wantedPayment = payment,
    transaction_status: wantedTransaction = transaction,
  } = given
  return wanted === state && wantedPayment === payment && wantedTransaction === transaction
}

const beforeFrom: LocalizedText = { tr: '--from değerinden önce olamaz.', en: 'Must not be before --from.' }

const notCard: LocalizedText = {
  tr: 'Kartın son dört hanesi, ilk altı hanesi veya ikisi birlikte (415565*6111) olmalıdır. Kart numarasının tamamını yazmayın.',
  en: 'Must be the last four digits of the card, its first six, or both as 415565*6111. Do not enter a whole card number.',
}

/** Refuses a whole card number: it would stay in the shell history. */
function readCard(typed: string): { value: string } | LocalizedText {
  if (/^\d{4}$/.test(typed)) return { value: `%*${typed}` }
  if (/^\d{6}$/.test(typed)) return { value: `${typed}*%` }
  const [, first, last] = /^(\d{6})\*+(\d{4})$/.exec(typed) ?? []
  return first && last ? { value: `${first}*%${last}` } : notCard
}

function paymentsTable(payments: readonly ListedPayment[], { timeZone }: Merchant): string {
  return recordTable(payments, {
    ID: ({ id }) => id,
    STARTED: ({ createdAt }) => isoTime(createdAt, timeZone),
    STATE: ({ state }) => state,
    AMOUNT: ({ amountMinor }) => decimalText(amountMinor, '.'),
    CURRENCY: ({ currency }) => currency,
    INSTALLMENTS: ({ installmentCount }) => installmentCount,
    CARD: ({ card }) => card ?? '',
    CUSTOMER: ({ customerId }) => customerId ?? '',
    CODE: ({ code }) => terminalSafeText(code ?? ''),
    POS: ({ pos }) => terminalSafeText(pos ?? ''),
  })
}
