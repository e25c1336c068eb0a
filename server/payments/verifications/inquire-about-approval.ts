import type { ChargeStatus } from '../../connectors/index.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantById } from '../../merchants/index.ts'
import { openPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { newUnknownResponse } from '../bank-calls/ask-bank.ts'
import {
  endPosInquiryPause,
  startPosInquiryPause,
  verificationWithPaymentOf,
} from '../records/verification.sql.ts'
import type { VerificationWithPayment } from '../records/verification.ts'
import type { BankComparison } from './compare.ts'
import { compareWithBank } from './compare.ts'
import { decideVerification } from './decide.ts'
import { newVerificationLease } from './settle-verification.ts'

/** Longest pause of a POS's inquiries after failures. */
export const longestPauseAfterFailedInquiriesS = 300

/** Pause of a POS's inquiries after a failure; it doubles with each further failure. */
const pause = { firstMs: 10_000, longestMs: longestPauseAfterFailedInquiriesS * 1000 }

/**
 * Asks a bank about an unverified approval. Guarantee: all instances together send a POS at most the
 * configured number of inquiries per second, and none while its inquiries are paused; each is recorded before
 * it is sent. Returns true if one was sent.
 */
export async function inquireAboutApproval(services: Services, ownedId: OwnedId): Promise<boolean> {
  const { sql, clock, config } = services
  const context = await verificationWithPaymentOf(sql, ownedId)
  if (!context || !isDue(context, clock.now())) return false
  const { verification } = context
  const merchant = await merchantById(sql, ownedId.merchantId)
  if (!merchant) throw new Error('a verification belongs to a merchant')
  const askedAt = clock.now()
  const lease = newVerificationLease(services, merchant, context)
  const chargeStatus = await lease.ask('verify', () => inquire(services, merchant, context))
  if (!chargeStatus) return false
  if (chargeStatus.status === 'unknown') await startPosInquiryPause(sql, verification, clock.now(), pause)
  else await endPosInquiryPause(sql, verification)
  // The bank's answer may or may not include modifications made since.
  const then = await verificationWithPaymentOf(sql, ownedId)
  await lease.end((now) => {
    const isChanged = !then || isOther(context, then) || isOther(context, now)
    const comparison = isChanged ? changed : compareWithBank(now, chargeStatus, askedAt)
    return decideVerification(now.verification, comparison, 'inquiry', clock.now(), config)
  })
  return true
}

const changed: BankComparison = { result: 'open', why: 'the payment has changed while the bank was asked' }

/** True if the charge was modified between the two reads. */
function isOther(one: VerificationWithPayment, other: VerificationWithPayment): boolean {
  const versions = ({ payment, modifications }: VerificationWithPayment) =>
    [payment.version, ...modifications.map(({ id, version }) => `${id} ${version}`)].join()
  return versions(one) !== versions(other)
}

function isDue({ verification }: VerificationWithPayment, now: Date): boolean {
  const dueAtMs = verification.dueAt?.getTime() ?? Number.POSITIVE_INFINITY
  return verification.state === 'unverified' && dueAtMs <= now.getTime()
}

async function inquire(
  services: Services,
  merchant: Merchant,
  { attempt }: VerificationWithPayment,
): Promise<ChargeStatus> {
  const { posId, reference, currency } = attempt
  const bank = await openPos(services, merchant, posId)
  return typeof bank === 'string' ? newUnknownResponse(bank) : bank.inquire({ reference, currency })
}
