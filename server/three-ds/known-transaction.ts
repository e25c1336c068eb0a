import type { Merchant } from '../merchants/index.ts'
import type { Authentication } from './authentication.ts'
import type { KnownTransaction } from './protocol/known-transaction.ts'
import { isSupportedVersion } from './protocol/versions.ts'

/** Values that every message about an authentication must match. */
export function knownTransactionOf(
  authentication: Authentication,
  { live }: Pick<Merchant, 'live'>,
): KnownTransaction {
  const { protocol, serverTransId, acsTransId, dsTransId, scheme } = authentication
  if (!isSupportedVersion(protocol) || serverTransId === null)
    throw new Error('the authentication has no protocol version or no transaction id')
  return {
    version: protocol,
    environment: live ? 'live' : 'test',
    serverTransId,
    acsTransId: acsTransId ?? undefined,
    dsTransId: dsTransId ?? undefined,
    scheme: scheme ?? undefined,
  }
}
