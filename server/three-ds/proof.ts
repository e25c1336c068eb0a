import type { Keyring } from '../../kit/security/keyring.ts'
import type { SealedValue } from '../../kit/security/seal.ts'
import { Sealer } from '../../kit/security/seal.ts'
import type { ThreeDsProof } from '../connectors/index.ts'
import type { Services } from '../services.ts'
import type { Authentication, OwnedAttemptId } from './authentication.ts'
import { unauthenticatedEci } from './protocol/eci.ts'

const purpose = 'cryptogram'

/** Seals the cryptogram until the bank is called. */
export function sealCryptogram(
  { keyring, random }: Pick<Services, 'keyring' | 'random'>,
  ownedId: OwnedAttemptId,
  cryptogram: string,
): SealedValue {
  return sealsOf(keyring).seal(cryptogram, ownerOf(ownedId), random)
}

/** Proof for the bank; undefined if the cryptogram can no longer be opened. */
export function proofOf(
  { keyring }: Pick<Services, 'keyring'>,
  authentication: Authentication,
): ThreeDsProof | undefined {
  const { status, scheme, dsTransId, amountMinor, currency, proof: sealed } = authentication
  // Default: the scheme's ECI for an unauthenticated cardholder.
  const eci = authentication.eci ?? (scheme && unauthenticatedEci(scheme))
  const rest = { eci, dsTransId, amountMinor, currency }
  const isProven = status === 'Y' || status === 'A'
  if (!isProven && status !== 'U' && status !== 'I' && status !== 'not_enrolled') return undefined
  if (!sealed) return isProven ? undefined : { status, cavv: null, ...rest }
  try {
    return { status, cavv: sealsOf(keyring).open(sealed, ownerOf(authentication)), ...rest }
  } catch {
    return undefined
  }
}

function sealsOf(keyring: Keyring): Sealer {
  return new Sealer(keyring.keysFor(purpose), purpose)
}

function ownerOf({ merchantId, attemptId }: OwnedAttemptId): string {
  return `attempt ${merchantId} ${attemptId}`
}
