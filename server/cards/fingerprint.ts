import { createHmac } from 'node:crypto'
import type { SecretPan } from '../../kit/money/card.ts'
import type { Services } from '../services.ts'

/**
 * What tells one card from another without telling its number, which nobody finds out without the installation's secret.
 * The first one is to be written down; while the secret changes, a card may be known by the second as well.
 */
export function fingerprintsOf(
  { keyring }: Pick<Services, 'keyring'>,
  pan: SecretPan,
): [Buffer, ...Buffer[]] {
  const [current, ...previous] = keyring.keysFor('card fingerprint')
  const of = ({ key }: { key: Buffer }) => createHmac('sha256', key).update(pan.reveal()).digest()
  return [of(current), ...previous.map(of)]
}
