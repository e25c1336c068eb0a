import type { Bank, BankAnswer, BankDecline, BankModificationRequest } from './contract.ts'

/**
 * What a capture comes to that the bank refused because nothing is held any more: it may have been done before, and
 * answered to nobody. Guarantee: it is approved only if this very amount is taken.
 */
export async function confirmEarlierCapture(
  bank: Bank,
  modification: BankModificationRequest,
  refusal: BankDecline,
): Promise<BankAnswer> {
  const chargeStatus = await bank.query(modification)
  if (chargeStatus.status === 'unknown') return { outcome: 'unknown', why: chargeStatus.why }
  if (chargeStatus.status !== 'taken') return refusal
  const { status: _, refundedMinor: __, ...done } = chargeStatus
  return done.echoed.amountMinor === modification.amountMinor ? { outcome: 'approved', ...done } : refusal
}
