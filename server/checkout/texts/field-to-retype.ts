import type { Language, LocalizedText } from '../../../kit/text/locale.ts'
import type { DeclineReason } from '../../connectors/index.ts'
import type { Attempt } from '../../payments/index.ts'

/** Field that the payer fills in again after a decline, with the reason beside it. */
export interface FieldToRetype {
  name: 'number' | 'expiry' | 'cvc'
  text: string
}

const otherCard: LocalizedText = {
  tr: 'Onaylanmadı. Başka bir kart girin.',
  en: 'Not approved. Enter another card.',
}

const mistyped: Readonly<Partial<Record<DeclineReason, ['expiry' | 'cvc', LocalizedText]>>> = {
  expired_card: ['expiry', { tr: 'Bankanız bu tarihi kabul etmedi.', en: 'Your bank refused this date.' }],
  wrong_cvc: ['cvc', { tr: 'Bankanız bu kodu kabul etmedi.', en: 'Your bank refused this code.' }],
}

/** Declines after which the same card can pay. */
const sameCard: ReadonlySet<DeclineReason> = new Set(['authentication_failed', 'bank_not_reached'])

/**
 * Field to fill in again after the last attempt; null if the card stays as it is. Guarantee: a lost or stolen
 * card is treated as any other decline.
 */
export function fieldToRetype(
  { state, declineReason }: Pick<Attempt, 'state' | 'declineReason'>,
  language: Language,
): FieldToRetype | null {
  if (state !== 'declined') return null
  const reason = declineReason ?? 'other'
  if (sameCard.has(reason)) return null
  const [name, text] = mistyped[reason] ?? (['number', otherCard] as const)
  return { name, text: text[language] }
}
