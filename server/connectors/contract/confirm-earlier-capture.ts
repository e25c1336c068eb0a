import type { Bank, BankAnswer, BankDecline, BankModificationRequest } from './contract.ts'

/**
 * Checks a capture that the bank declined because nothing is held: an earlier capture may have succeeded
 * without an answer. Guarantee: approved only if exactly this amount is captured.
 */
export async function confirmEarlierCapture(
  bank: Bank,
  modification: BankModificationRequest,
  refusal: BankDecline,
): Promise<BankAnswer> {
  const chargeStatus = await bank.inquire(modification)
  if (chargeStatus.status === 'unknown') return { outcome: 'unknown', why: chargeStatus.why }
  if (chargeStatus.status !== 'taken') return refusal
  const { status: _, refundedMinor: __, ...done } = chargeStatus
  return done.echoed.amountMinor === modification.amountMinor ? { outcome: 'approved', ...done } : refusal
}
