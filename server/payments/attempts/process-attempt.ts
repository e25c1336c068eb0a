import type { Bank, BankAnswer, BankModificationRequest, ChargeStatus } from '../../connectors/index.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantById } from '../../merchants/index.ts'
import { openPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { newUnknownResponse, unknownUnlessMatching } from '../bank-calls/ask-bank.ts'
import type { BankCallLease } from '../bank-calls/lease.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import type { AttemptDecision } from './decide.ts'
import { afterInquiry, afterReversal, afterReversalRecheck } from './decide.ts'
import { newAttemptLease } from './settle-attempt.ts'

/**
 * Processes a due attempt: queries its charge, reverses it, or rechecks a reversed charge. Guarantee: an
 * attempt in a state that ends in -ing always has a due time, so it is always processed again. Returns true
 * if there was something to do.
 */
export async function processAttempt(services: Services, ownedId: OwnedId): Promise<boolean> {
  const context = await attemptWithPaymentOf(services.sql, ownedId)
  const dueAtMs = context?.attempt.dueAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (!context || dueAtMs > services.clock.now().getTime()) return false
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!merchant) throw new Error('an attempt belongs to a merchant')
  const { state } = context.attempt
  const procedure = state === 'reversing' ? reverse : state === 'reversed' ? recheck : inquire
  return procedure(services, merchant, context)
}

/** Queries the status of the charge. */
async function inquire(
  services: Services,
  merchant: Merchant,
  context: AttemptWithPayment,
): Promise<boolean> {
  const lease = newAttemptLease(services, merchant, context)
  const chargeStatus = await queried(services, merchant, context.attempt, lease)
  if (!chargeStatus) return false
  await lease.end((now) => afterInquiry(now, chargeStatus, services.clock.now(), services.config))
  return true
}

/** Checks that a reversed charge is still reversed. */
async function recheck(
  services: Services,
  merchant: Merchant,
  context: AttemptWithPayment,
): Promise<boolean> {
  const lease = newAttemptLease(services, merchant, context)
  const chargeStatus = await queried(services, merchant, context.attempt, lease)
  if (!chargeStatus) return false
  await lease.end((now) =>
    afterReversalRecheck(now, chargeStatus.status, services.clock.now(), services.config),
  )
  return true
}

async function queried(
  services: Services,
  merchant: Merchant,
  attempt: Attempt,
  lease: BankCallLease<AttemptWithPayment, AttemptDecision>,
): Promise<ChargeStatus | undefined> {
  const bank = await openPos(services, merchant, attempt.posId)
  return lease.ask('inquiry', async () =>
    typeof bank === 'string'
      ? newUnknownResponse(bank)
      : unknownUnlessMatching(await bank.inquire(questionOf(attempt)), attempt),
  )
}

function questionOf({ reference, currency }: Attempt) {
  return { reference, currency }
}

/** Reverses an unwanted charge. If the bank does not confirm it, queries the status of the charge. */
async function reverse(
  services: Services,
  merchant: Merchant,
  context: AttemptWithPayment,
): Promise<boolean> {
  const { attempt } = context
  const lease = newAttemptLease(services, merchant, context)
  const bank = await openPos(services, merchant, attempt.posId)
  const undone = await undo(bank, attempt, lease)
  if (!undone) return false
  const isAcknowledged = undone.outcome === 'approved'
  const chargeStatus =
    isAcknowledged || typeof bank === 'string'
      ? undefined
      : await lease.ask('inquiry', async () =>
          unknownUnlessMatching(await bank.inquire(questionOf(attempt)), attempt),
        )
  if (!isAcknowledged && typeof bank !== 'string' && !chargeStatus) return false
  const result = { isAcknowledged, chargeStatus: chargeStatus?.status }
  await lease.end((now) => afterReversal(now, result, services.clock.now(), services.config))
  return true
}

/** Voids the charge; refunds it if the bank has already settled it. */
async function undo(
  bank: Bank | string,
  attempt: Attempt,
  lease: BankCallLease<AttemptWithPayment, AttemptDecision>,
): Promise<BankAnswer | undefined> {
  if (typeof bank === 'string') return lease.ask('void', async () => newUnknownResponse(bank))
  const modification: BankModificationRequest = {
    reference: attempt.reference,
    amountMinor: attempt.chargedMinor,
    currency: attempt.currency,
    bankReferences: attempt.bankReferences ?? {},
  }
  const refund = async () =>
    (await bank.refund?.({ ...modification, refundKey: 'reversal', priorRefundedMinor: 0 })) ?? notSupported
  if (!bank.void) return lease.ask('refund', async () => unknownUnlessMatching(await refund(), attempt))
  const voided = await lease.ask('void', async () =>
    unknownUnlessMatching((await bank.void?.(modification)) ?? notSupported, attempt),
  )
  const isSettled = voided?.outcome === 'declined' && voided.reason === 'already_settled'
  if (!isSettled || !bank.refund) return voided
  return lease.ask('refund', async () => unknownUnlessMatching(await refund(), attempt))
}

const notSupported = {
  outcome: 'declined',
  reason: 'not_permitted_to_terminal',
  code: 'not_supported',
  message: 'The connector supports neither void nor refund.',
} as const
