import { createHmac } from 'node:crypto'
import type { SecretPan } from '../../kit/money/card.ts'
import type { Services } from '../services.ts'

/**
 * Fingerprints that identify a card without its number, which nobody can derive without the installation's
 * secret. Store the first one. While the installation changes its secret, older rows may have the second one.
 */
export function fingerprintsOf(
  { keyring }: Pick<Services, 'keyring'>,
  pan: SecretPan,
): [Buffer, ...Buffer[]] {
  const [current, ...previous] = keyring.keysFor('card fingerprint')
  const of = ({ key }: { key: Buffer }) => createHmac('sha256', key).update(pan.reveal()).digest()
  return [of(current), ...previous.map(of)]
}
