import { command } from '../../kit/command-line/command.ts'
import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { recordTable } from '../../kit/command-line/text-table.ts'
import { objectSchema, parsedTextField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { atOneMoment } from '../database/one-moment.ts'
import type { Merchant } from '../merchants/index.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Modification, Verification } from '../payments/for-payment-history.ts'
import {
  attemptTable,
  locateWork,
  modificationTable,
  refundWaitText,
  shownStatusesByState,
} from '../payments/for-payment-history.ts'
import type { Services } from '../services.ts'
import { codeAndMessage, historyEntries, manualDecisionText } from './history-entries.ts'
import type { HistoryAttempt, HistoryPayment, HistoryRefund, PaymentHistoryRecords } from './store.ts'
import { historyPaymentOfAnyMerchant, historyRecordsOfPayment } from './store.ts'

export const showPaymentCommand = command({
  positionals: ['payment'],
  input: objectSchema({
    payment: parsedTextField<IdOrReference>(
      'Id of the payment (merchants call it the transaction id), id of an attempt, id of a modification (a capture, a release or a refund), or the bank’s reference of an attempt.',
      { max: 20, parse: readIdOrReference },
    ),
  }),
  run: async (services: Services, input, print) => {
    const history = await readPaymentHistory(services, input.payment)
    const merchant = await requireMerchant(services, history.payment.merchantId)
    const { payment, attempts, refunds, modifications, verifications } = history
    const time: TimeText = (at, otherwise = '') => (at ? isoTime(at, merchant.timeZone) : otherwise)
    const match = matchText(history, input.payment)
    if (match) print(`${match} of payment ${payment.id}.\n`)
    for (const line of paymentTextLines(history, merchant, time)) print(line)
    print(payment.items.length === 0 ? '\nNo items.' : `\n${recordTable(payment.items, itemColumns)}`)
    print(attempts.length === 0 ? '\nNo attempts.' : `\n${recordTable(attempts, attemptColumns)}`)
    if (refunds.length > 0) print(`\n${recordTable(refunds, refundColumns)}`)
    if (modifications.length > 0) print(`\n${recordTable(modifications, modificationColumns(time))}`)
    if (verifications.length > 0) print(`\n${recordTable(verifications, verificationColumns(time))}`)
    print(
      `\n${recordTable(historyEntries(history), { WHEN: ({ at }) => time(at), WHAT: ({ what }) => what })}`,
    )
    if (attempts.length > 0) print(`\nCardholder authentications: vezne authentication list ${payment.id}`)
  },
})

/** Shows a time in the merchant's time zone, or another text if there is none. */
type TimeText = (at: Date | null, otherwise?: string) => string

/** The typed id, or the reference of an attempt, which begins with the attempt's id. */
interface IdOrReference {
  id: number
  reference?: string
}

function readIdOrReference(typed: string): { value: IdOrReference } | LocalizedText {
  const [, digits, ending] = /^([1-9]\d{13})([0-9A-Z]{6})?$/.exec(typed.toUpperCase()) ?? []
  if (digits === undefined)
    return {
      tr: '14 haneli bir numara veya bankadaki 20 karakterlik referans olmalıdır.',
      en: 'Must be an ID of 14 digits, or the 20-character reference at the bank.',
    }
  const id = Number(digits)
  return { value: ending === undefined ? { id } : { id, reference: digits + ending } }
}

/** Text that names the attempt or modification, if the typed id is not the payment's. */
function matchText(
  { attempts, modifications }: PaymentHistoryRecords,
  { id }: IdOrReference,
): string | undefined {
  const attempt = attempts.find((each) => each.id === id)
  if (attempt) return `${attempt.reference} is attempt ${attempt.number}`
  const modification = modifications.find((each) => each.id === id)
  return modification && `${id} is the id of a ${modification.kind}`
}

/**
 * All records of a payment at one moment. The id can be that of the payment, an attempt or a modification.
 */
export function readPaymentHistory(
  { sql }: Pick<Services, 'sql'>,
  { id, reference }: IdOrReference,
): Promise<PaymentHistoryRecords> {
  return atOneMoment(sql, async (reading) => {
    const location =
      (await locateWork(reading, attemptTable, id)) ?? (await locateWork(reading, modificationTable, id))
    const payment = await historyPaymentOfAnyMerchant(reading, location?.paymentId ?? id)
    const history = payment && (await historyRecordsOfPayment(reading, payment))
    const isMatch = reference === undefined || history?.attempts.some((each) => each.reference === reference)
    if (!history || !isMatch) {
      throw invalidParameter('payment', {
        tr: 'Bu numara veya referansla bir ödeme, ödeme denemesi veya banka işlemi yok.',
        en: 'There is no payment or modification with this ID, and no attempt with this ID or reference.',
      })
    }
    return history
  })
}

function paymentTextLines(
  history: PaymentHistoryRecords,
  { id: merchantId, name, live }: Merchant,
  time: TimeText,
): string[] {
  const { payment } = history
  const hasEnded = payment.endedAt !== null
  const { payment: paymentStatus, transaction } = shownStatusesByState[payment.state]
  const rows: (string | number)[][] = [
    ['id', payment.id],
    ['merchant', `${merchantId} ${name} (${live ? 'live' : 'test'})`],
    ['state', `${payment.state} (payment ${paymentStatus}, transaction ${transaction})`],
    ['amount', `${decimalText(payment.amountMinor, '.')} ${payment.currency}`],
    ['pre-auth', payment.preAuth ? 'yes' : 'no'],
    ['customer', payment.customerId ?? 'none'],
    ['description', terminalSafeText(payment.description ?? 'none')],
    ['redirect URL', terminalSafeText(payment.redirectUrl ?? 'our own result page')],
    ['started', time(payment.createdAt)],
    ['page expires', time(payment.expiresAt)],
    ['viewed', time(payment.viewedAt, hasEnded ? 'never' : 'not yet')],
    ['ended', time(payment.endedAt, 'not yet')],
    ...resolutionRows(payment, time),
    ...refundRows(history, time),
    ['next check', time(nextDueAt(history), 'none')],
    ['bank answer', bankAnswerText(history)],
    ...payment.metadata.map(({ key, value }) => ['metadata', terminalSafeText(`${key}=${value}`)]),
  ]
  return rows.map(([field, value]) => `${String(field).padEnd(14)}${value}`)
}

function resolutionRows(
  { preAuth, resolution, resolvedBy, resolvedAt, endedAt, dueAt, state }: HistoryPayment,
  time: TimeText,
): string[][] {
  if (!preAuth) return []
  const deadline = state === 'held' && dueAt ? `, deadline ${time(dueAt)}` : ''
  if (!resolution) return [['resolved', endedAt && state !== 'held' ? 'never' : `not yet${deadline}`]]
  return [['resolved', `${resolution}, by ${terminalSafeText(resolvedBy ?? '')}, ${time(resolvedAt)}`]]
}

function refundRows({ payment, refunds, modifications }: PaymentHistoryRecords, time: TimeText): string[][] {
  if (refunds.length === 0) return []
  const refunded = ['refunded', `${decimalText(payment.refundedMinor, '.')} ${payment.currency}`]
  const open = refunds.find(({ id }) => id === payment.refundId)
  if (!open) return [refunded]
  return [refunded, ['open refund', `${open.id} ${open.state}, ${openText(open, modifications, time)}`]]
}

function openText(
  { id, state, dueAt }: HistoryRefund,
  modifications: readonly Modification[],
  time: TimeText,
): string {
  const modification = modifications.find(({ refundId }) => refundId === id)
  const declineReason = modification?.declineReason ?? null
  const waits = `waits for ${refundWaitText({ state, dueAt, declineReason })}`
  if (state !== 'under_review') return `${waits}, next try ${time(modification?.dueAt ?? null, 'unknown')}`
  return dueAt ? `${waits}, due ${time(dueAt)}` : waits
}

/** Time of the next check: of the payment, of one of its attempts, or of a modification, verification or refund. */
function nextDueAt(history: PaymentHistoryRecords): Date | null {
  const { payment, attempts, modifications, verifications, refunds } = history
  const records = [payment, ...attempts, ...modifications, ...verifications, ...refunds]
  const times = records.flatMap(({ dueAt }) => dueAt ?? [])
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}

/** The bank's last answer, or the operator's decision in its place. */
function bankAnswerText({ payment: { code, message, endedAt }, calls }: PaymentHistoryRecords): string {
  const answerText = codeAndMessage(code, message) || (endedAt ? 'none' : 'none yet')
  const decision = calls.findLast(
    ({ operation, outcome }) => operation === 'manual' && (outcome === 'taken' || outcome === 'done'),
  )
  return decision ? `${answerText}; ${manualDecisionText(decision)}` : answerText
}

/** Columns of a table about these rows. */
type ColumnsOf<Row> = Parameters<typeof recordTable<Row>>[1]

const itemColumns: ColumnsOf<HistoryPayment['items'][number]> = {
  PRICE: ({ price }) => decimalText(price, '.'),
  PRODUCT: ({ id }) => id ?? '',
  NAME: ({ product_name }) => terminalSafeText(product_name),
  DESCRIPTION: ({ description }) => terminalSafeText(description ?? ''),
}

const attemptColumns: ColumnsOf<HistoryAttempt> = {
  ATTEMPT: ({ number }) => number,
  REFERENCE: ({ reference }) => reference,
  STATE: ({ state }) => state,
  CARD: ({ card }) => card,
  INSTALLMENTS: ({ installment }) => installment,
  CHARGED: ({ chargedMinor }) => decimalText(chargedMinor, '.'),
  COMMISSION: ({ commissionMinor }) => decimalText(commissionMinor, '.'),
  CODE: ({ code, declineReason }) => codeAndMessage(code, declineReason),
  POS: ({ pos }) => terminalSafeText(pos),
  WHY: ({ reason }) => whyThisPos(reason),
}

const refundColumns: ColumnsOf<HistoryRefund> = {
  REFUND: ({ id }) => id,
  STATE: ({ state }) => state,
  AMOUNT: ({ amountMinor }) => decimalText(amountMinor, '.'),
  'TO THE CARD': ({ chargedMinor }) => decimalText(chargedMinor, '.'),
  COMMISSION: ({ commissionMinor }) => decimalText(commissionMinor, '.'),
  CODE: ({ code }) => codeAndMessage(code, null),
  DESCRIPTION: ({ description }) => terminalSafeText(description),
}

const modificationColumns = (time: TimeText): ColumnsOf<Modification> => ({
  MODIFICATION: ({ id }) => id,
  WHAT: ({ kind }) => kind,
  STATE: ({ state }) => state,
  AMOUNT: ({ amountMinor }) => decimalText(amountMinor, '.'),
  BY: ({ operation }) => operation ?? '',
  REFUND: ({ refundId }) => refundId ?? '',
  CODE: ({ code, declineReason }) => codeAndMessage(code, declineReason),
  'NEXT TRY': ({ dueAt }) => time(dueAt),
})

/**
 * Approvals whose amount the bank's answer did not name. Approvals not listed had their amount in the answer.
 */
const verificationColumns = (time: TimeText): ColumnsOf<Verification> => ({
  APPROVAL: ({ id }) => id,
  WHAT: ({ kind }) => kind,
  VERIFICATION: ({ state }) => state,
  REQUESTED: ({ amountMinor }) => decimalText(amountMinor, '.'),
  'AT THE BANK': bankAmountText,
  BY: ({ source }) => source ?? '',
  'NEXT INQUIRY': ({ dueAt }) => time(dueAt),
})

function bankAmountText({ state, bankAmountMinor }: Verification): string {
  if (bankAmountMinor !== null) return decimalText(bankAmountMinor, '.')
  return state === 'unverified' ? 'unknown' : 'the same'
}

const amongWhom: Readonly<Record<string, string>> = {
  own_family: 'takes cards of this family as its own',
  all: 'no POS takes this card as its own',
  all_for_unknown_card: 'the card is not in the BIN table',
}

const decidedBy: Readonly<Record<string, string>> = {
  lowest_commission: 'the lowest commission',
  priority: 'the first by priority',
  age: 'the one added first',
}

/**
 * Reason for the choice of the POS, as stored with the attempt: rates and card tables may have changed since.
 */
function whyThisPos({ among, by }: HistoryAttempt['reason']): string {
  const criteria = by.map((criterion) => decidedBy[criterion] ?? criterion)
  const decided = criteria.length === 0 ? 'the only POS that offered this' : criteria.join('; among equals ')
  return `${amongWhom[among] ?? among}; ${decided}`
}
