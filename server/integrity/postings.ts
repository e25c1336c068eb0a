import { signedDecimalText } from '../../kit/money/money.ts'
import type { ChargeAmounts, IntegrityViolation, Posting } from '../ledger/index.ts'
import {
  postingsOfDifference,
  postingsOfPayment,
  postingsOfRefund,
  postingsOfSurplusRefund,
  refundShareOf,
} from '../ledger/index.ts'
import { isPaid, surplusMinorOf } from '../payments/for-integrity.ts'
import type { PaymentWithTransfers, TransferTuple } from './payments.sql.ts'

/**
 * Payments whose transfers are wrong. A paid payment has the transfers of its charge, of each executed refund
 * and of each difference, each once; any other payment has none.
 */
export function postingViolations(
  payments: readonly PaymentWithTransfers[],
): [what: string, violations: IntegrityViolation[]][] {
  const paid = payments.filter((payment) => isPaid(payment.state) && !hasExpectedTransfers(payment))
  const others = payments.filter(({ state, transfers }) => !isPaid(state) && transfers.length > 0)
  const detailOf = (payment: PaymentWithTransfers) =>
    `${payment.state}, ${inWords(payment.transfers)}; expected: ${inWords(dueOf(payment))}`
  return [
    ['is paid, but its transfers do not match its charge and its refunds', violationsOf(paid, detailOf)],
    ['is not paid, but has transfers', violationsOf(others, detailOf)],
  ]
}

/** Payments with a refund that does not return its share of the charge and the commission. */
export function refundAmountViolations(
  payments: readonly PaymentWithTransfers[],
): [what: string, violations: IntegrityViolation[]][] {
  const wrong = payments.filter((payment) => wrongShares(payment).length > 0)
  const detailOf = (payment: PaymentWithTransfers) => wrongShares(payment).join(', ')
  return [['has a refund with a wrong share of the charge or the commission', violationsOf(wrong, detailOf)]]
}

function wrongShares({ amountMinor, attempt, refunds }: PaymentWithTransfers): string[] {
  if (!attempt) return []
  let refundedMinor = 0
  return refunds.flatMap(([id, state, minor, chargedMinor, commissionMinor]) => {
    const due = shareOf({ amountMinor, ...attempt }, refundedMinor, minor)
    if (state === 'executed') refundedMinor += minor
    const isRight = due.chargedMinor === chargedMinor && due.commissionMinor === commissionMinor
    const share = (of: typeof due) =>
      `${signedDecimalText(of.chargedMinor, '.')}, bank’s commission ${signedDecimalText(of.commissionMinor, '.')}`
    return isRight
      ? []
      : [`refund ${id}: ${share({ chargedMinor, commissionMinor })}; expected: ${share(due)}`]
  })
}

/** Share of a refund, limited to the amount that is left of the payment. */
function shareOf(charge: ChargeAmounts, beforeMinor: number, refundMinor: number) {
  const leftMinor = Math.max(0, charge.amountMinor - beforeMinor)
  return refundShareOf(charge, Math.min(beforeMinor, charge.amountMinor), Math.min(refundMinor, leftMinor))
}

function violationsOf(
  payments: readonly PaymentWithTransfers[],
  detailOf: (payment: PaymentWithTransfers) => string,
): IntegrityViolation[] {
  return payments.map((payment) => ({
    merchantId: payment.merchantId,
    paymentId: payment.paymentId,
    detail: detailOf(payment),
    total: payments.length,
  }))
}

function hasExpectedTransfers(payment: PaymentWithTransfers): boolean {
  const sorted = (list: readonly TransferTuple[]) => list.map((each) => JSON.stringify(each)).toSorted()
  return (
    payment.attempt !== null &&
    JSON.stringify(sorted(dueOf(payment))) === JSON.stringify(sorted(payment.transfers))
  )
}

function dueOf(payment: PaymentWithTransfers): TransferTuple[] {
  const { paymentId, state, amountMinor, attempt, refunds } = payment
  if (!isPaid(state) || !attempt) return []
  let refundedMinor = 0
  const executed = refunds.filter(([, refundState]) => refundState === 'executed')
  const given = executed.flatMap(([refundId, , minor]) => {
    const share = shareOf({ amountMinor, ...attempt }, refundedMinor, minor)
    refundedMinor += minor
    return postingsOfRefund({ paymentId, refundId, currency: attempt.currency, ...share })
  })
  const differing = differencesOf(payment, attempt.currency)
  return [...postingsOfPayment({ paymentId, ...attempt }), ...given, ...differing].map(
    ({ cause, reason, currency, debit, credit, amountMinor: minor }): TransferTuple => [
      cause,
      reason,
      currency,
      debit,
      credit,
      minor,
    ],
  )
}

/** Postings of differences, and of surpluses that banks refunded. */
function differencesOf(
  { paymentId, differences, returns }: PaymentWithTransfers,
  currency: string,
): Posting[] {
  return [
    ...differences.flatMap(([operationId, kind, minor, bankMinor, refundId]) => {
      if (kind === 'hold') return []
      const surplusMinor = surplusMinorOf(kind, minor, bankMinor)
      return postingsOfDifference({ paymentId, refundId, operationId, currency, surplusMinor })
    }),
    ...returns.flatMap(([operationId, refundId, minor, refundMinor]) =>
      postingsOfSurplusRefund({
        paymentId,
        refundId,
        operationId,
        currency,
        surplusRefundedMinor: minor - refundMinor,
      }),
    ),
  ]
}

function inWords(transfers: readonly TransferTuple[]): string {
  const words = transfers.map(
    ([, reason, currency, debit, credit, amountMinor]) =>
      `${reason} ${signedDecimalText(amountMinor, '.')} ${currency} (debit ${debit}, credit ${credit})`,
  )
  return words.join(', ') || 'no transfers'
}
