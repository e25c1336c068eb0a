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

/** The longest time for which a POS is sent no inquiries because they fail. */
export const longestPauseAfterFailedInquiriesS = 300

/** For how long a POS is sent no inquiries after one has failed: this long at first, twice as long after each more. */
const pause = { firstMs: 10_000, longestMs: longestPauseAfterFailedInquiriesS * 1000 }

/**
 * Asks a bank about an approval that it has not proven. Guarantee: of all instances together no more inquiries are sent to a
 * POS than the setting says, and none while they are paused; each is written down before. Says whether one was sent.
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
  // The bank's words may include what was done to the charge since, or not.
  const then = await verificationWithPaymentOf(sql, ownedId)
  await lease.end((now) => {
    const isChanged = !then || isOther(context, then) || isOther(context, now)
    const comparison = isChanged ? changed : compareWithBank(now, chargeStatus, askedAt)
    return decideVerification(now.verification, comparison, 'inquiry', clock.now(), config)
  })
  return true
}

const changed: BankComparison = { result: 'open', why: 'the payment has changed while the bank was asked' }

/** Whether anything was done to the charge between the two. */
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
  return typeof bank === 'string' ? newUnknownResponse(bank) : bank.query({ reference, currency })
}
