import { hkdfSync } from 'node:crypto'
import type { PaymentCard } from '../../kit/money/card.ts'
import { SecretCvc, SecretPan } from '../../kit/money/card.ts'
import type { Keyring, PurposeKey } from '../../kit/security/keyring.ts'
import type { SealedValue } from '../../kit/security/seal.ts'
import { Sealer } from '../../kit/security/seal.ts'
import type { Services } from '../services.ts'
import type { HourKeyServices } from './hour-key.ts'
import { currentHourKey, currentHourNumber, isHourKeyValid } from './hour-key.ts'
import type { HourKey, SealedCard, SealedCardWithKey } from './store.ts'

/** Owner of a card: it opens only for the attempt it was sealed for. */
export interface CardOwner {
  merchantId: number
  attemptId: number
}

const purpose = 'card'

/**
 * Seals a card for the minutes of its authentication, with the hour key just read if that is current. Call it
 * outside transactions, because it may create an hour key.
 */
export async function sealCard(
  services: HourKeyServices & Pick<Services, 'keyring'>,
  owner: CardOwner,
  card: PaymentCard,
  justRead?: HourKey,
): Promise<SealedCard> {
  const isCurrent = justRead?.hour === currentHourNumber(services)
  const hourKey = isCurrent ? justRead : await currentHourKey(services, owner.merchantId)
  const sealed = sealsOf(services.keyring, hourKey).seal(textOf(card), ownerText(owner), services.random)
  return { ...sealed, hour: hourKey.hour }
}

/** Opens a card. Returns undefined if its key is gone, or if it was not sealed for this attempt. */
export function openCard(
  services: Pick<Services, 'clock' | 'keyring'>,
  owner: CardOwner,
  { hour, hourKey, ...sealed }: SealedCardWithKey,
): PaymentCard | undefined {
  if (!hourKey || !isHourKeyValid(hour, currentHourNumber(services))) return undefined
  const text = openedText(sealsOf(services.keyring, { hour, bytes: hourKey }), sealed, owner)
  return text === undefined ? undefined : cardOf(text)
}

function openedText(seals: Sealer, sealed: SealedValue, owner: CardOwner): string | undefined {
  try {
    return seals.open(sealed, ownerText(owner))
  } catch {
    return undefined
  }
}

/** Keys of the purpose, each mixed with the hour key, so that the secret alone yields none of them. */
function sealsOf(keyring: Keyring, { bytes }: HourKey): Sealer {
  const derived = ({ id, key }: PurposeKey): PurposeKey => ({
    id,
    key: Buffer.from(hkdfSync('sha256', key, bytes, 'vezne card of an hour', 32)),
  })
  const [current, ...previous] = keyring.keysFor(purpose)
  return new Sealer([derived(current), ...previous.map(derived)], purpose)
}

function ownerText({ merchantId, attemptId }: CardOwner): string {
  return `attempt ${merchantId} ${attemptId}`
}

type CardTuple = [pan: string, cvc: string, expiryMonth: number, expiryYear: number, holder: string]

function textOf({ pan, cvc, expiryMonth, expiryYear, holder }: PaymentCard): string {
  const tuple: CardTuple = [pan.reveal(), cvc.reveal(), expiryMonth, expiryYear, holder]
  return JSON.stringify(tuple)
}

function cardOf(text: string): PaymentCard | undefined {
  const [digits, code, expiryMonth, expiryYear, holder]: CardTuple = JSON.parse(text)
  const pan = SecretPan.of(digits)
  const cvc = SecretCvc.of(code)
  return pan && cvc && { pan, cvc, expiryMonth, expiryYear, holder }
}
