import type { Answer, Bank, BankModificationRequest, Declined } from './contract.ts'

/**
 * What a capture comes to that the bank refused because nothing is held any more: it may have been done before, and
 * answered to nobody. Guarantee: it is approved only if this very amount is taken.
 */
export async function capturedBefore(
  bank: Bank,
  modification: BankModificationRequest,
  refusal: Declined,
): Promise<Answer> {
  const found = await bank.query(modification)
  if (found.standing === 'unknown') return { outcome: 'unknown', why: found.why }
  if (found.standing !== 'taken') return refusal
  const { standing: _, givenBackMinor: __, ...done } = found
  return done.shown.amountMinor === modification.amountMinor ? { outcome: 'approved', ...done } : refusal
}
