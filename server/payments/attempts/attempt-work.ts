import type { Bank, BankAnswer, BankModificationRequest, ChargeStatus } from '../../connectors/index.ts'
import { notSupported, unknownUnlessMatching } from '../bank-calls/ask-bank.ts'
import type { BankCallLease, BankWork } from '../bank-calls/bank-work.ts'
import type { BankWorkQueue } from '../bank-calls/lanes.ts'
import { maxDueItemsPerPos, perPosLaneJob } from '../bank-calls/lanes.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import { attemptTable, dueWorkIds, dueWorkTimes } from '../records/bank-work.sql.ts'
import { afterInquiry, afterReversal, afterReversalRecheck } from './decide.ts'

/** The charge of an attempt as work at a bank: inquired about, reversed, or rechecked after a reversal. */
export const attemptWork: BankWork<AttemptWithPayment> = {
  table: attemptTable,
  read: attemptWithPaymentOf,
  leased: (_services, { attempt }, dueAt) => ({ attempt: { ...attempt, dueAt } }),
  ask: (services, context, lease) =>
    (context.attempt.state === 'reversing' ? reverse : inquireAboutCharge)(services, context, lease),
  warnOfReview: (log, { attempt: { id: attempt, paymentId: payment } }) =>
    log.warn({ attempt, payment }, 'a charge is still unsettled; needs manual review: vezne payment unknown'),
}

/** Decides by the status of a charge whose outcome is unknown, or of one that was reversed. */
const inquireAboutCharge: BankWork<AttemptWithPayment>['ask'] = async (services, { attempt }, lease) => {
  const { clock, config } = services
  const isRecheck = attempt.state === 'reversed'
  const chargeStatus = await inquire(lease, attempt)
  if (!chargeStatus) return undefined
  return (now) =>
    isRecheck
      ? afterReversalRecheck(now, chargeStatus.status, clock.now(), config)
      : afterInquiry(now, chargeStatus, clock.now(), config)
}

/** Reverses the charge. If the bank does not confirm it, the status of the charge decides. */
const reverse: BankWork<AttemptWithPayment>['ask'] = async ({ clock, config }, { attempt }, lease) => {
  const undone = await undo(lease, attempt)
  if (!undone) return undefined
  const isAcknowledged = undone.outcome === 'approved'
  const isStatusNeeded = !isAcknowledged && (await lease.bank()) !== undefined
  const chargeStatus = isStatusNeeded ? await inquire(lease, attempt) : undefined
  if (isStatusNeeded && !chargeStatus) return undefined
  const result = { isAcknowledged, chargeStatus: chargeStatus?.status }
  return (now) => afterReversal(now, result, clock.now(), config)
}

function inquire(
  lease: BankCallLease<AttemptWithPayment>,
  attempt: Attempt,
): Promise<ChargeStatus | undefined> {
  const { reference, currency } = attempt
  return lease.call('inquiry', async (bank) =>
    unknownUnlessMatching(await bank.inquire({ reference, currency }), attempt),
  )
}

/** Voids the charge; refunds it if the bank has already settled it. */
async function undo(
  lease: BankCallLease<AttemptWithPayment>,
  attempt: Attempt,
): Promise<BankAnswer | undefined> {
  const modification: BankModificationRequest = {
    reference: attempt.reference,
    amountMinor: attempt.chargedMinor,
    currency: attempt.currency,
    bankReferences: attempt.bankReferences ?? {},
  }
  const send = (operation: 'void' | 'refund', request: (bank: Bank) => Promise<BankAnswer> | undefined) =>
    lease.call(operation, async (bank) =>
      unknownUnlessMatching((await request(bank)) ?? notSupported, attempt),
    )
  const refund = () =>
    send('refund', (bank) => bank.refund?.({ ...modification, refundKey: 'reversal', priorRefundedMinor: 0 }))
  const bank = await lease.bank()
  if (bank && !bank.void) return refund()
  const voided = await send('void', (bank) => bank.void?.(modification))
  const isSettled = voided?.outcome === 'declined' && voided.reason === 'already_settled'
  return isSettled && bank?.refund ? refund() : voided
}

export const dueAttemptQueue: BankWorkQueue<AttemptWithPayment> = {
  work: attemptWork,
  due: ({ sql, clock }) => dueWorkIds(sql, attemptTable, clock.now(), maxDueItemsPerPos),
  dueTimes: (until) => dueWorkTimes(attemptTable, until),
}

export const attemptJob = perPosLaneJob('process due attempts', dueAttemptQueue)
