import { invalidParameter } from '../../../kit/input/refusals.ts'
import { decimalText } from '../../../kit/money/money.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Services } from '../../services.ts'
import { manualDecisionAsBankCall } from '../bank-calls/ask-bank.ts'
import { leaseCutoff } from '../bank-calls/lease.ts'
import { hasPendingBankCall } from '../records/bank-call.sql.ts'
import type { Verification, VerificationState } from '../records/verification.ts'
import { isChargeBusy } from './compare.ts'
import { decideVerification } from './decide.ts'
import { requireVerificationWithPayment } from './require-verification-with-payment.ts'
import { bankCallSubjectOfVerification, writeVerification } from './settle-verification.ts'

/** Amount of an approval that the bank reported to an operator. */
export interface ManualVerificationInput {
  id: number
  bankAmountMinor: number
  by: string
  reason: string
  /** True if the operator confirms a different amount. */
  isSure: boolean
}

const verifiedBefore: Readonly<Record<Exclude<VerificationState, 'unverified'>, LocalizedText>> = {
  verified: { tr: 'Tutarı daha önce doğrulandı.', en: 'The amount is already verified.' },
  differs: {
    tr: 'Tutarının farklı olduğu zaten biliniyor. Kullanılacak komut: vezne payment settle-difference',
    en: 'The amount is already known to differ. Use: vezne payment settle-difference',
  },
  settled: { tr: 'Bu fark için daha önce karar verildi.', en: 'The difference is already settled.' },
}

/**
 * Verifies an approval by an amount that the bank reported to an operator. Guarantee: the effects are the
 * same as after an inquiry, and the operator's name and reason are stored with the evidence.
 */
export async function verifyApprovalManually(
  services: Services,
  manual: ManualVerificationInput,
): Promise<Verification> {
  const { sql, clock, config } = services
  const { merchant, context } = await requireVerificationWithPayment(services, manual.id)
  const { state } = context.verification
  if (state !== 'unverified') throw invalidParameter('id', verifiedBefore[state])
  if (context.verification.kind === 'release' && manual.bankAmountMinor !== context.verification.amountMinor)
    throw invalidParameter('amount', {
      tr: 'Provizyon iptali bloke edilen tutarın tamamını serbest bırakır: tutarı farklı olamaz.',
      en: 'A release ends the whole hold: its amount cannot differ.',
    })
  // The bank's answer might contradict the manual amount.
  if (await hasPendingBankCall(sql, context.attempt, leaseCutoff(services)))
    throw new Error('The bank is being asked about it right now. Try again in a few minutes.')
  if (isChargeBusy(context))
    throw new Error('The bank is being asked to do something to the charge. Try again when it has.')
  const { bankAmountMinor, by, reason } = manual
  const isSame = bankAmountMinor === context.verification.amountMinor
  const comparison = isSame
    ? ({ result: 'same' } as const)
    : ({ result: 'different', bankAmountMinor } as const)
  if (!isSame && !manual.isSure) throw new Error(warningOf(context.verification, bankAmountMinor))
  const verification = decideVerification(context.verification, comparison, 'person', clock.now(), config)
  const subject = bankCallSubjectOfVerification(verification)
  const bankCall = await manualDecisionAsBankCall(services, subject, {
    outcome: verification.state,
    by,
    reason,
  })
  const result = await writeVerification(services, merchant, context, verification, { bankCall })
  if (!result) throw new Error('It has just changed. Look at it again: vezne payment unknown')
  return result.verification
}

/** Text of the refusal that protects against typing errors. */
function warningOf({ amountMinor, currency, kind }: Verification, bankAmountMinor: number): string {
  const amount = (minor: number) => `${decimalText(minor, '.')} ${currency}`
  return [
    `${amount(amountMinor)} was asked for, and you say that the bank has ${amount(bankAmountMinor)}.`,
    'That is a difference: the merchant gets an event, and it cannot be taken back.',
    `If the ${kind} is over ${amount(bankAmountMinor)} at the bank, say it again with --sure.`,
  ].join(' ')
}
