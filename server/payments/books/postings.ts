import { signedText } from '../../kit/money.ts'
import type { Charge, Finding, Posting } from '../../ledger/index.ts'
import {
  givenBack,
  postingsOfDifference,
  postingsOfRefund,
  postingsOfReturn,
  postingsOfTaking,
} from '../../ledger/index.ts'
import { surplusBy } from '../verifications/verification.ts'
import type { Posted, PostedTransfer } from './store.ts'

/**
 * A paid payment has the transfers of its taking, of each executed refund and of each difference, each once; any other has
 * none.
 */
export function wronglyPosted(posted: readonly Posted[]): [what: string, found: Finding[]][] {
  const paid = posted.filter((payment) => payment.state === 'paid' && !isPostedAsDue(payment))
  const others = posted.filter(({ state, transfers }) => state !== 'paid' && transfers.length > 0)
  const said = (payment: Posted) =>
    `${payment.state}, ${inWords(payment.transfers)}; due: ${inWords(dueOf(payment))}`
  return [
    ['is paid, but its transfers are not those of its taking and its refunds', findings(paid, said)],
    ['is not paid, but has transfers', findings(others, said)],
  ]
}

/** A refund gives back the share of the charge that it is due, after those before it. */
export function wronglyShared(posted: readonly Posted[]): [what: string, found: Finding[]][] {
  const wrong = posted.filter((payment) => wrongShares(payment).length > 0)
  const said = (payment: Posted) => wrongShares(payment).join(', ')
  return [['has a refund that gives back another share than it is due', findings(wrong, said)]]
}

function wrongShares({ amountMinor, attempt, refunds }: Posted): string[] {
  if (!attempt) return []
  let refundedMinor = 0
  return refunds.flatMap(([id, state, minor, chargedMinor, commissionMinor]) => {
    const due = shareOf({ amountMinor, ...attempt }, refundedMinor, minor)
    if (state === 'executed') refundedMinor += minor
    const isRight = due.chargedMinor === chargedMinor && due.commissionMinor === commissionMinor
    const share = (of: typeof due) =>
      `${signedText(of.chargedMinor, '.')}, of which the bank had ${signedText(of.commissionMinor, '.')}`
    return isRight ? [] : [`refund ${id}: ${share({ chargedMinor, commissionMinor })}; due: ${share(due)}`]
  })
}

/** What a refund gives back. More than there was to be paid cannot be. */
function shareOf(charge: Charge, beforeMinor: number, refundMinor: number) {
  const leftMinor = Math.max(0, charge.amountMinor - beforeMinor)
  return givenBack(charge, Math.min(beforeMinor, charge.amountMinor), Math.min(refundMinor, leftMinor))
}

function findings(payments: readonly Posted[], said: (payment: Posted) => string): Finding[] {
  return payments.map((payment) => ({
    merchantId: payment.merchantId,
    paymentId: payment.paymentId,
    detail: said(payment),
    total: payments.length,
  }))
}

function isPostedAsDue(payment: Posted): boolean {
  const sorted = (list: readonly PostedTransfer[]) => list.map((each) => JSON.stringify(each)).toSorted()
  return (
    payment.attempt !== null &&
    JSON.stringify(sorted(dueOf(payment))) === JSON.stringify(sorted(payment.transfers))
  )
}

/** The transfers that a payment must have. */
function dueOf(posted: Posted): PostedTransfer[] {
  const { paymentId, state, amountMinor, attempt, refunds } = posted
  if (state !== 'paid' || !attempt) return []
  let refundedMinor = 0
  const executed = refunds.filter(([, refundState]) => refundState === 'executed')
  const given = executed.flatMap(([refundId, , minor]) => {
    const share = shareOf({ amountMinor, ...attempt }, refundedMinor, minor)
    refundedMinor += minor
    return postingsOfRefund({ paymentId, refundId, currency: attempt.currency, ...share })
  })
  const differing = differencesOf(posted, attempt.currency)
  return [...postingsOfTaking({ paymentId, ...attempt }), ...given, ...differing].map(
    ({ cause, reason, currency, debit, credit, amountMinor: minor }): PostedTransfer => [
      cause,
      reason,
      currency,
      debit,
      credit,
      minor,
    ],
  )
}

/** The postings of differences, and of surpluses that banks gave back. */
function differencesOf({ paymentId, differences, returns }: Posted, currency: string): Posting[] {
  return [
    ...differences.flatMap(([operationId, kind, minor, bankMinor, refundId]) => {
      if (kind === 'hold') return []
      const surplusMinor = surplusBy(kind, minor, bankMinor)
      return postingsOfDifference({ paymentId, refundId, operationId, currency, surplusMinor })
    }),
    ...returns.flatMap(([operationId, refundId, minor, refundMinor]) =>
      postingsOfReturn({ paymentId, refundId, operationId, currency, returnedMinor: minor - refundMinor }),
    ),
  ]
}

function inWords(transfers: readonly PostedTransfer[]): string {
  const words = transfers.map(
    ([, reason, currency, debit, credit, amountMinor]) =>
      `${reason} ${signedText(amountMinor, '.')} ${currency} from ${credit} to ${debit}`,
  )
  return words.join(', ') || 'no transfers'
}
