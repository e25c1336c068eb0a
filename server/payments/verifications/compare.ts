import { maxAmountMinor } from '../../../kit/money/money.ts'
import type { ChargeStatus } from '../../connectors/index.ts'
import { amountChargedAtBank } from '../records/attempt.ts'
import type { Modification } from '../records/modification.ts'
import { hasInFlightModification, totalRefundedByBank } from '../records/modification.ts'
import type { VerificationWithPayment } from '../records/verification.ts'
import { firstInquiryDelayMs } from '../records/verification.ts'

/** Result of an inquiry about an approval: the same amount, a different amount, or still open. */
export type BankComparison =
  | { result: 'same' }
  | { result: 'different'; bankAmountMinor: number }
  | { result: 'open'; why: string }

type ExistingCharge = Extract<ChargeStatus, { status: 'taken' | 'held' }>

const same: BankComparison = { result: 'same' }

/**
 * Compares an approval with the current charge status at the bank. Pure. Guarantee:
 * - For a charge, a hold or a capture, a difference is an amount that the bank reports for it.
 * - For a refund, a difference is in the bank's refunded total minus the other refunds.
 * - An absent or declined charge, or another state, is no difference: a bank can be late.
 * - There is no difference while the bank may be modifying the charge.
 */
export function compareWithBank(
  context: VerificationWithPayment,
  chargeStatus: ChargeStatus,
  at: Date,
): BankComparison {
  const comparison = compare(context, chargeStatus)
  const { verification, modifications } = context
  // The bank's total may or may not include a modification that is running now.
  const isUnclear = verification.kind === 'refund' || comparison.result === 'different'
  const isBusy =
    isChargeBusy(context) ||
    modifications.some((modification) => modification.id !== verification.id && isFresh(modification, at))
  return comparison.result !== 'open' && isUnclear && isBusy
    ? open('another modification of the charge is in progress')
    : comparison
}

/**
 * True if the charge is being modified, so that its amount must not change now. A refund that the bank
 * certainly has not done is in no total of the bank.
 */
export function isChargeBusy({ verification, modifications }: VerificationWithPayment): boolean {
  return verification.kind === 'refund'
    ? hasInFlightModification(modifications)
    : modifications.some(({ state }) => state === 'doing')
}

/** True if the bank's records may not contain a refund yet. */
function isFresh({ kind, state, endedAt }: Modification, at: Date): boolean {
  const endedMs = endedAt?.getTime() ?? at.getTime()
  return kind === 'refund' && state === 'done' && at.getTime() - endedMs < firstInquiryDelayMs
}

function compare(context: VerificationWithPayment, chargeStatus: ChargeStatus): BankComparison {
  const { verification, attempt } = context
  if (chargeStatus.status === 'unknown') return open(chargeStatus.why)
  if (verification.kind === 'release') return compareRelease(chargeStatus)
  if (chargeStatus.status === 'absent') return open('the bank does not know the charge')
  if (chargeStatus.status === 'declined') return open('the bank reports that it declined the charge')
  if (chargeStatus.status === 'undone') return compareUndone(context)
  const { reference = attempt.reference, currency = attempt.currency } = chargeStatus.echoed
  if (reference !== attempt.reference) return open('the bank’s answer has another reference')
  if (currency !== attempt.currency) return open('the bank’s answer has another currency')
  if (verification.kind !== 'refund') return compareCharge(context, chargeStatus)
  if (chargeStatus.refundedMinor === null)
    return open('the bank’s answer does not contain the refunded amount')
  if (chargeStatus.echoed.amountMinor !== amountChargedAtBank(attempt))
    return open('the bank’s answer has another amount')
  return compareRefund(context, chargeStatus.refundedMinor)
}

function compareRelease({ status }: ChargeStatus): BankComparison {
  const isGone = status === 'undone' || status === 'absent' || status === 'declined'
  return isGone ? same : open(`the charge is still ${status}`)
}

/** A charge that we released or refunded has nothing left to compare. */
function compareUndone({ modifications, attempt }: VerificationWithPayment): BankComparison {
  const isReleased = modifications.some(({ kind, state }) => kind === 'release' && state === 'done')
  const isGivenBack =
    totalRefundedByBank(modifications) >= Math.min(attempt.chargedMinor, amountChargedAtBank(attempt))
  return isReleased || isGivenBack ? same : open('the bank reports that the charge is undone')
}

function compareCharge(
  { verification, modifications }: VerificationWithPayment,
  chargeStatus: ExistingCharge,
): BankComparison {
  const isCaptured = modifications.some(({ kind, state }) => kind === 'capture' && state !== 'refused')
  // After the capture the held amount can no longer be known.
  if (verification.kind === 'hold' && isCaptured && chargeStatus.status === 'taken') return same
  const expected = verification.kind === 'hold' ? 'held' : 'taken'
  if (chargeStatus.status !== expected) return open(`the charge is ${chargeStatus.status}`)
  return compareAmounts(verification.amountMinor, chargeStatus.echoed.amountMinor)
}

/**
 * A bank reports only the refunded total of a charge, so each refund is the total minus the others. If
 * several refunds differ, the first verified one gets the whole difference; the sum is right.
 */
function compareRefund(context: VerificationWithPayment, refundedMinor: number): BankComparison {
  const { verification, modifications } = context
  const others = modifications.filter(({ id }) => id !== verification.id)
  const bankAmountMinor = refundedMinor - totalRefundedByBank(others)
  if (bankAmountMinor <= 0) return open('the bank has not refunded it')
  return compareAmounts(verification.amountMinor, bankAmountMinor)
}

/** An amount outside the ledger's limits stays open. */
function compareAmounts(ours: number, theirs: number): BankComparison {
  if (ours === theirs) return same
  const isAmount = Number.isSafeInteger(theirs) && theirs >= 0 && theirs <= maxAmountMinor
  return isAmount
    ? { result: 'different', bankAmountMinor: theirs }
    : open('the bank’s answer has no possible amount')
}

function open(why: string): BankComparison {
  return { result: 'open', why }
}
