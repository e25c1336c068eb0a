import { invalidParameter } from '../../../kit/input/refusals.ts'
import { decimalText } from '../../../kit/money/money.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Services } from '../../services.ts'
import type { ManualDecision } from '../bank-calls/settle-manually.ts'
import { refuseWhileBankIsAsked, requireWork, settleManually } from '../bank-calls/settle-manually.ts'
import type { Verification, VerificationState } from '../records/verification.ts'
import { isChargeBusy } from './compare.ts'
import { decideVerification } from './decide.ts'
import { verificationWork } from './verification-work.ts'

/** Amount of an approval that the bank reported to an operator. */
export interface ManualVerificationInput extends Omit<ManualDecision, 'outcome'> {
  id: number
  bankAmountMinor: number
  /** True if the operator confirms a different amount. */
  isSure: boolean
}

/** Refusal if no approval has the id of the attempt or modification that a command names. */
export const noSuchApproval: LocalizedText = {
  tr: 'Bu numarayla, bankanın tutar belirtmeden onayladığı bir ödeme denemesi veya banka işlemi yok. Numaraların listesi: vezne payment unknown --all',
  en: 'There is no attempt or modification with this ID that was approved without an amount. List the IDs with: vezne payment unknown --all',
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
  const { clock, config } = services
  const { merchant, state: context } = await requireWork(
    services,
    verificationWork,
    manual.id,
    noSuchApproval,
  )
  const { state } = context.verification
  if (state !== 'unverified') throw invalidParameter('id', verifiedBefore[state])
  if (context.verification.kind === 'release' && manual.bankAmountMinor !== context.verification.amountMinor)
    throw invalidParameter('amount', {
      tr: 'Provizyon iptali bloke edilen tutarın tamamını serbest bırakır: tutarı farklı olamaz.',
      en: 'A release ends the whole hold: its amount cannot differ.',
    })
  await refuseWhileBankIsAsked(services, context)
  if (isChargeBusy(context))
    throw new Error('A modification of the charge is in progress at the bank. Try again when it has ended.')
  const { bankAmountMinor, by, reason } = manual
  const isSame = bankAmountMinor === context.verification.amountMinor
  const comparison = isSame
    ? ({ result: 'same' } as const)
    : ({ result: 'different', bankAmountMinor } as const)
  if (!isSame && !manual.isSure) throw new Error(warningOf(context.verification, bankAmountMinor))
  const verification = decideVerification(context.verification, comparison, 'manual', clock.now(), config)
  const decision = { outcome: verification.state, by, reason }
  const after = await settleManually(
    services,
    merchant,
    verificationWork,
    context,
    { verification },
    decision,
  )
  return after.verification
}

/** Text of the refusal that protects against typing errors. */
function warningOf({ amountMinor, currency, kind }: Verification, bankAmountMinor: number): string {
  const amount = (minor: number) => `${decimalText(minor, '.')} ${currency}`
  return [
    `${amount(amountMinor)} was requested, but you gave ${amount(bankAmountMinor)} as the bank’s amount.`,
    'This records a difference: the merchant gets an event, and you cannot undo it.',
    `If the bank’s amount of the ${kind} really is ${amount(bankAmountMinor)}, run the command again with --sure.`,
  ].join(' ')
}
