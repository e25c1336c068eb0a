import type { Language, LocalizedText } from '../../../kit/text/locale.ts'
import type { DeclineReason } from '../../connectors/index.ts'
import type { Attempt } from '../../payments/index.ts'

/** Field that the payer fills in again after a decline, with the reason beside it. */
export interface FieldToRetype {
  name: 'number' | 'expiry' | 'cvc'
  text: string
}

type Retyped = readonly [FieldToRetype['name'], LocalizedText]

const otherCard: Retyped = [
  'number',
  { tr: 'Onaylanmadı. Başka bir kart girin.', en: 'Not approved. Enter another card.' },
]

/** Reasons that the payer needs beside the field: on a phone the notice above the form can be out of sight. */
const byReason: Readonly<Partial<Record<DeclineReason, Retyped>>> = {
  expired_card: ['expiry', { tr: 'Bankanız bu tarihi kabul etmedi.', en: 'Your bank refused this date.' }],
  wrong_cvc: ['cvc', { tr: 'Bankanız bu kodu kabul etmedi.', en: 'Your bank refused this code.' }],
  insufficient_funds: [
    'number',
    { tr: 'Bakiye yetersiz. Başka bir kart girin.', en: 'Not enough balance. Enter another card.' },
  ],
  not_permitted_to_holder: [
    'number',
    { tr: 'Kart bu işleme kapalı. Başka bir kart girin.', en: 'Card not usable here. Enter another card.' },
  ],
  not_permitted_to_terminal: [
    'number',
    { tr: 'Bu satıcıda geçmiyor. Başka bir kart girin.', en: 'Seller cannot take it. Enter another card.' },
  ],
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
  const [name, text] = byReason[reason] ?? otherCard
  return { name, text: text[language] }
}
