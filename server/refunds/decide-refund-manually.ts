import { objectSchema, textField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { foldedWordsOf } from '../database/full-text-search.ts'
import { keysOfMerchant, requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { decideRefund } from './decide-refund.ts'
import type { Refund } from './refund.ts'
import { refundArgument, requireRefund } from './show-refund.ts'

/** An operator's decision about a refund. */
export const ApproveOrRejectInputSchema = objectSchema({
  ...refundArgument,
  by: textField('Name of the person who decides. The person who requested the refund must not decide.', {
    max: 100,
  }),
  reason: textField('Reason in one sentence. The merchant reads it if the refund is rejected.', { max: 500 }),
})

/**
 * Ends the review of a refund by an operator's decision. Guarantee: only a refund under review is decided,
 * and never by its requester.
 */
export async function decideRefundManually(
  services: Services,
  { refund: id, by, reason }: { refund: number; by: string; reason: string },
  verdict: 'approved' | 'rejected',
): Promise<Refund> {
  const refund = await requireRefund(services, id)
  const merchant = await requireMerchant(services, refund.merchantId)
  if (await isRequester(services, refund, by)) {
    throw invalidParameter('by', {
      tr: 'İadeyi talep eden kişi, iade hakkında karar veremez; başka biri karar vermelidir.',
      en: 'The person who requested a refund cannot decide about it: another person must decide.',
    })
  }
  const decided = await decideRefund(services, merchant, refund, { verdict, by, reason })
  if (decided) return decided
  const { state } = await requireRefund(services, id)
  throw invalidParameter('refund', {
    tr: `Bu iade talebi incelemede değil: ${state}.`,
    en: `This refund is not under review: it is ${state}.`,
  })
}

/**
 * True if `by` names the requester. The requester is stored as an API key; operators know the key by its
 * label. Case, accents and spacing do not matter.
 */
async function isRequester(services: Services, refund: Refund, by: string): Promise<boolean> {
  const keys = await keysOfMerchant(services.sql, refund.merchantId)
  const key = keys.find(({ id }) => refund.requestedBy === `key ${id}`)
  const names = [refund.requestedBy, ...(key ? [key.label, String(key.id), key.hint] : [])]
  const decider = foldedWordsOf(by).join(' ')
  return names.some((name) => decider !== '' && foldedWordsOf(name).join(' ') === decider)
}
