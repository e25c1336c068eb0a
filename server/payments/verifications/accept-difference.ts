import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { ManualDecision } from '../bank-calls/settle-manually.ts'
import { requireWork, settleManually } from '../bank-calls/settle-manually.ts'
import { isOpenSurplusRefund } from '../records/modification.ts'
import type { VerificationState, VerificationWithPayment } from '../records/verification.ts'
import { verificationWork } from './verification-work.ts'
import { noSuchApproval } from './verify-approval-manually.ts'

/** A difference that needs a manual decision, by the id of its approval. */
export async function requireOpenDifference(
  services: Pick<Services, 'sql'>,
  id: number,
): Promise<{ merchant: Merchant; context: VerificationWithPayment }> {
  const { merchant, state: context } = await requireWork(services, verificationWork, id, noSuchApproval)
  const { state } = context.verification
  if (state !== 'differs') throw invalidParameter('id', notDiffering[state])
  const openSurplusRefund = context.modifications.find(isOpenSurplusRefund)
  if (openSurplusRefund)
    throw new Error(
      `This is already decided: modification ${openSurplusRefund.id} refunds the surplus. To follow it: vezne payment show ${openSurplusRefund.id}`,
    )
  const { refundId } = context.payment
  if (refundId !== null)
    throw new Error(
      `Refund ${refundId} of the payment is open. Try again when it has ended. To follow it: vezne refund show ${refundId}`,
    )
  return { merchant, context }
}

const notDiffering: Readonly<Record<Exclude<VerificationState, 'differs'>, LocalizedText>> = {
  unverified: { tr: 'Tutarı henüz doğrulanmadı.', en: 'The amount is not verified yet.' },
  verified: { tr: 'Tutarı doğrulandı: fark yok.', en: 'The amount is verified: there is no difference.' },
  settled: { tr: 'Bu fark için daha önce karar verildi.', en: 'The difference is already settled.' },
}

/** Accepts a difference: it stays in its account, and the manual review ends. */
export async function acceptDifference(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
  merchant: Merchant,
  context: VerificationWithPayment,
  decision: ManualDecision,
): Promise<void> {
  const verification = { ...context.verification, state: 'settled' as const, needsReviewAt: null }
  await settleManually(services, merchant, verificationWork, context, { verification }, decision)
}
