import { command } from '../../kit/command-line/command.ts'
import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { objectSchema, parsedTextField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Modification, Verification } from '../payments/for-payment-history.ts'
import {
  locateAttempt,
  locateModification,
  modificationsOfPayment,
  refundWaitText,
  shownStatusesByState,
  verificationsOfPayment,
} from '../payments/for-payment-history.ts'
import type { Services } from '../services.ts'
import type { PaymentHistoryRecords } from './history-entries.ts'
import { codeAndMessage, historyEntries, manualDecisionText } from './history-entries.ts'
import type { HistoryAttempt, HistoryBankCall, HistoryPayment, HistoryRefund } from './store.ts'
import {
  historyAttemptsOfPayment,
  historyBankCallsOfAttempts,
  historyEventsOfPayment,
  historyPaymentOfAnyMerchant,
  historyRefundsOfPayment,
  historyTransfersOfPayment,
  setRepeatableRead,
} from './store.ts'

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
    const match = matchText(history, input.payment)
    if (match) print(`${match} of payment ${history.payment.id}.\n`)
    for (const line of paymentTextLines(history, merchant)) print(line)
    print(itemsText(history.payment))
    print(attemptsText(history.attempts))
    if (history.refunds.length > 0) print(refundsText(history.refunds))
    if (history.modifications.length > 0) print(modificationsText(history.modifications, merchant))
    if (history.verifications.length > 0) print(verificationsText(history.verifications, merchant))
    const rows = historyEntries(history).map(({ at, what }) => [isoTime(at, merchant.timeZone), what])
    print(`\n${textTable(['WHEN', 'WHAT'], rows)}`)
    const { id } = history.payment
    if (history.attempts.length > 0) print(`\nCardholder authentications: vezne authentication list ${id}`)
  },
})

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
  return sql.transaction(async (reading) => {
    await setRepeatableRead(reading)
    const attempt = await locateAttempt(reading, id)
    const location = attempt ?? (await locateModification(reading, id))
    const isMatch = reference === undefined || reference === attempt?.reference
    const payment = isMatch
      ? await historyPaymentOfAnyMerchant(reading, location?.paymentId ?? id)
      : undefined
    if (!payment) {
      throw invalidParameter('payment', {
        tr: 'Bu numara veya referansla bir ödeme, ödeme denemesi veya banka işlemi yok.',
        en: 'There is no payment or modification with this ID, and no attempt with this ID or reference.',
      })
    }
    const attempts = await historyAttemptsOfPayment(reading, payment)
    const attemptIds = attempts.map((attempt) => attempt.id)
    return {
      payment,
      attempts,
      modifications: await modificationsOfPayment(reading, payment),
      verifications: await verificationsOfPayment(reading, payment),
      refunds: await historyRefundsOfPayment(reading, payment),
      calls: await historyBankCallsOfAttempts(reading, payment, attemptIds),
      events: await historyEventsOfPayment(reading, payment),
      transfers: await historyTransfersOfPayment(reading, payment),
    }
  })
}

function paymentTextLines(
  history: PaymentHistoryRecords,
  { id: merchantId, name, live, timeZone }: Merchant,
): string[] {
  const { payment, calls } = history
  const time = (at: Date | null, otherwise: string) => (at ? isoTime(at, timeZone) : otherwise)
  const hasEnded = payment.endedAt !== null
  const { payment: paymentStatus, transaction } = shownStatusesByState[payment.state]
  const rows: [string, string | number][] = [
    ['id', payment.id],
    ['merchant', `${merchantId} ${name} (${live ? 'live' : 'test'})`],
    ['state', `${payment.state} (payment ${paymentStatus}, transaction ${transaction})`],
    ['amount', `${decimalText(payment.amountMinor, '.')} ${payment.currency}`],
    ['pre-auth', payment.preAuth ? 'yes' : 'no'],
    ['customer', payment.customerId ?? 'none'],
    ['description', terminalSafeText(payment.description ?? 'none')],
    ['redirect URL', terminalSafeText(payment.redirectUrl ?? 'our own result page')],
    ['started', time(payment.createdAt, '')],
    ['page expires', time(payment.expiresAt, '')],
    ['viewed', time(payment.viewedAt, hasEnded ? 'never' : 'not yet')],
    ['ended', time(payment.endedAt, 'not yet')],
    ...resolutionRows(payment, time),
    ...refundRows(history, time),
    ['next check', time(nextDueAt(history), 'none')],
    ['bank answer', bankAnswerText(payment, calls)],
    ...payment.metadata.map(({ key, value }): [string, string] => [
      'metadata',
      terminalSafeText(`${key}=${value}`),
    ]),
  ]
  return rows.map(([field, value]) => `${field.padEnd(14)}${value}`)
}

function resolutionRows(
  { preAuth, resolution, resolvedBy, resolvedAt, endedAt, dueAt, state }: HistoryPayment,
  time: (at: Date | null, otherwise: string) => string,
): [string, string][] {
  if (!preAuth) return []
  const deadline = state === 'held' && dueAt ? `, deadline ${time(dueAt, '')}` : ''
  if (!resolution) return [['resolved', endedAt && state !== 'held' ? 'never' : `not yet${deadline}`]]
  const how = `${resolution}, by ${terminalSafeText(resolvedBy ?? '')}`
  return [['resolved', `${how}, ${time(resolvedAt, '')}`]]
}

function refundRows(
  { payment, refunds, modifications }: PaymentHistoryRecords,
  time: (at: Date | null, otherwise: string) => string,
): [string, string][] {
  const { refundedMinor, currency, refundId } = payment
  const open = refunds.find(({ id }) => id === refundId)
  return [
    ...(refunds.length > 0
      ? [['refunded', `${decimalText(refundedMinor, '.')} ${currency}`] as [string, string]]
      : []),
    ...(open
      ? [
          ['open refund', `${open.id} ${open.state}, ${openText(open, modifications, time)}`] as [
            string,
            string,
          ],
        ]
      : []),
  ]
}

function openText(
  { id, state, dueAt }: HistoryRefund,
  modifications: readonly Modification[],
  time: (at: Date | null, otherwise: string) => string,
): string {
  const modification = modifications.find(({ refundId }) => refundId === id) ?? {
    declineReason: null,
    dueAt: null,
  }
  const waits = `waits for ${refundWaitText({ state, dueAt, declineReason: modification.declineReason })}`
  if (state !== 'under_review') return `${waits}, next try ${time(modification.dueAt, 'unknown')}`
  return dueAt ? `${waits}, due ${time(dueAt, '')}` : waits
}

/** Time of the next check: of the payment, of one of its attempts, or of a modification, verification or refund. */
function nextDueAt({
  payment,
  attempts,
  modifications,
  verifications,
  refunds,
}: PaymentHistoryRecords): Date | null {
  const times = [payment, ...attempts, ...modifications, ...verifications, ...refunds].flatMap(
    ({ dueAt }) => dueAt ?? [],
  )
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}

/** The bank's last answer, or the operator's decision in its place. */
function bankAnswerText(
  { code, message, endedAt }: HistoryPayment,
  calls: readonly HistoryBankCall[],
): string {
  const answerText = codeAndMessage(code, message) || (endedAt ? 'none' : 'none yet')
  const decision = calls.findLast(
    ({ operation, outcome }) => operation === 'manual' && (outcome === 'taken' || outcome === 'done'),
  )
  return decision ? `${answerText}; ${manualDecisionText(decision)}` : answerText
}

function itemsText({ items }: HistoryPayment): string {
  if (items.length === 0) return '\nNo items.'
  const rows = items.map((item) => [
    decimalText(item.price, '.'),
    String(item.id ?? ''),
    terminalSafeText(item.product_name),
    terminalSafeText(item.description ?? ''),
  ])
  return `\n${textTable(['PRICE', 'PRODUCT', 'NAME', 'DESCRIPTION'], rows)}`
}

function attemptsText(attempts: readonly HistoryAttempt[]): string {
  if (attempts.length === 0) return '\nNo attempts.'
  const rows = attempts.map((attempt) => [
    String(attempt.number),
    attempt.reference,
    attempt.state,
    attempt.card,
    String(attempt.installment),
    decimalText(attempt.chargedMinor, '.'),
    decimalText(attempt.commissionMinor, '.'),
    codeAndMessage(attempt.code, attempt.declineReason),
    terminalSafeText(attempt.pos),
    whyThisPos(attempt.reason),
  ])
  const headings = [
    'ATTEMPT',
    'REFERENCE',
    'STATE',
    'CARD',
    'INSTALLMENTS',
    'CHARGED',
    'COMMISSION',
    'CODE',
    'POS',
    'WHY',
  ]
  return `\n${textTable(headings, rows)}`
}

function refundsText(refunds: readonly HistoryRefund[]): string {
  const rows = refunds.map((refund) => [
    String(refund.id),
    refund.state,
    decimalText(refund.amountMinor, '.'),
    decimalText(refund.chargedMinor, '.'),
    decimalText(refund.commissionMinor, '.'),
    codeAndMessage(refund.code, null),
    terminalSafeText(refund.description),
  ])
  return `\n${textTable(['REFUND', 'STATE', 'AMOUNT', 'TO THE CARD', 'COMMISSION', 'CODE', 'DESCRIPTION'], rows)}`
}

function modificationsText(modifications: readonly Modification[], { timeZone }: Merchant): string {
  const rows = modifications.map((modification) => [
    String(modification.id),
    modification.kind,
    modification.state,
    decimalText(modification.amountMinor, '.'),
    modification.operation ?? '',
    String(modification.refundId ?? ''),
    codeAndMessage(modification.code, modification.declineReason),
    modification.dueAt ? isoTime(modification.dueAt, timeZone) : '',
  ])
  return `\n${textTable(['MODIFICATION', 'WHAT', 'STATE', 'AMOUNT', 'BY', 'REFUND', 'CODE', 'NEXT TRY'], rows)}`
}

/**
 * Approvals whose amount the bank's answer did not name. Approvals not listed had their amount in the answer.
 */
function verificationsText(verifications: readonly Verification[], { timeZone }: Merchant): string {
  const rows = verifications.map((each) => [
    String(each.id),
    each.kind,
    each.state,
    decimalText(each.amountMinor, '.'),
    bankAmountText(each),
    each.source ?? '',
    each.dueAt ? isoTime(each.dueAt, timeZone) : '',
  ])
  return `\n${textTable(['APPROVAL', 'WHAT', 'VERIFICATION', 'REQUESTED', 'AT THE BANK', 'BY', 'NEXT INQUIRY'], rows)}`
}

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
