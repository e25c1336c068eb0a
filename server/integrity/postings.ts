import { signedDecimalText } from '../../kit/money/money.ts'
import {
  postingsOfDifference,
  postingsOfPayment,
  postingsOfRefund,
  postingsOfSurplusRefund,
  refundShareOf,
} from '../ledger/index.ts'
import { isPaid, surplusMinorOf } from '../payments/for-integrity.ts'
import type { IntegrityViolation } from './integrity-check.sql.ts'
import type { CheckedRefund, CheckedTransfer, PaymentWithTransfers } from './postings.sql.ts'

/**
 * Checks of the transfers and the refunds of a payment. A paid payment has the transfers of its charge, of each
 * executed refund and of each difference, each once; any other payment has none.
 */
const postingChecks: { what: string; detailOf(payment: PaymentWithTransfers): string }[] = [
  {
    what: 'is paid, but its transfers do not match its charge and its refunds',
    detailOf: (payment) => (isPaid(payment.state) && !hasExpectedTransfers(payment) ? textOf(payment) : ''),
  },
  {
    what: 'is not paid, but has transfers',
    detailOf: (payment) => (!isPaid(payment.state) && payment.transfers.length > 0 ? textOf(payment) : ''),
  },
  {
    what: 'has a refund with a wrong share of the charge or the commission',
    detailOf: (payment) =>
      refundsWithShares(payment)
        .map(({ refund, due }) => ({ refund, actual: shareText(refund), expected: shareText(due) }))
        .filter(({ actual, expected }) => actual !== expected)
        .map(({ refund, actual, expected }) => `refund ${refund.id}: ${actual}; expected: ${expected}`)
        .join(', '),
  },
]

/** The violations of each check. */
export function postingViolations(
  payments: readonly PaymentWithTransfers[],
): [what: string, violations: IntegrityViolation[]][] {
  return postingChecks.map(({ what, detailOf }) => [
    what,
    payments
      .map((payment) => ({ ...payment, detail: detailOf(payment) }))
      .filter(({ detail }) => detail !== '')
      .map(({ merchantId, paymentId, detail }) => ({ merchantId, paymentId, detail })),
  ])
}

type Share = ReturnType<typeof refundShareOf>

function shareText({ chargedMinor, commissionMinor }: Share): string {
  return `${signedDecimalText(chargedMinor, '.')}, bank’s commission ${signedDecimalText(commissionMinor, '.')}`
}

/** Refunds with their due shares, each limited to the amount that is left of the payment. */
function refundsWithShares({
  amountMinor,
  attempt,
  refunds,
}: PaymentWithTransfers): { refund: CheckedRefund; due: Share }[] {
  if (!attempt) return []
  let refundedMinor = 0
  return refunds.map((refund) => {
    const before = Math.min(refundedMinor, amountMinor)
    const minor = Math.min(refund.amountMinor, amountMinor - before)
    if (refund.state === 'executed') refundedMinor += refund.amountMinor
    return { refund, due: refundShareOf({ amountMinor, ...attempt }, before, minor) }
  })
}

function hasExpectedTransfers(payment: PaymentWithTransfers): boolean {
  const sorted = (list: readonly CheckedTransfer[]) => list.map(identityOf).toSorted().join('\n')
  return payment.attempt !== null && sorted(expectedTransfers(payment)) === sorted(payment.transfers)
}

function identityOf({ cause, ...transfer }: CheckedTransfer): string {
  return `${cause}: ${transferText(transfer)}`
}

function expectedTransfers(payment: PaymentWithTransfers): CheckedTransfer[] {
  const { paymentId, state, attempt, differences, returns } = payment
  if (!isPaid(state) || !attempt) return []
  const subject = { paymentId, currency: attempt.currency }
  return [
    ...postingsOfPayment({ paymentId, ...attempt }),
    ...refundsWithShares(payment)
      .filter(({ refund }) => refund.state === 'executed')
      .flatMap(({ refund, due }) => postingsOfRefund({ ...subject, refundId: refund.id, ...due })),
    ...differences
      .filter(({ kind }) => kind !== 'hold')
      .flatMap(({ kind, amountMinor, bankAmountMinor, ...ids }) => {
        const surplusMinor = surplusMinorOf(kind, amountMinor, bankAmountMinor)
        return postingsOfDifference({ ...subject, ...ids, surplusMinor })
      }),
    ...returns.flatMap((refund) => postingsOfSurplusRefund({ ...subject, ...refund })),
  ]
}

function textOf(payment: PaymentWithTransfers): string {
  const texts = (transfers: readonly CheckedTransfer[]) =>
    transfers.map(transferText).join(', ') || 'no transfers'
  return `${payment.state}, ${texts(payment.transfers)}; expected: ${texts(expectedTransfers(payment))}`
}

function transferText({
  reason,
  currency,
  debit,
  credit,
  amountMinor,
}: Omit<CheckedTransfer, 'cause'>): string {
  return `${reason} ${signedDecimalText(amountMinor, '.')} ${currency} (debit ${debit}, credit ${credit})`
}
