import type { CardScheme } from './eci.ts'
import type { RawMessageElements } from './element-schemas.ts'
import { isUuid } from './element-schemas.ts'
import type { ProtocolError } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'
import type { MerchantEnvironment } from './web-address.ts'

/** What is known of the transaction that a message claims to be about: it must say the same. */
export interface KnownTransaction {
  version: ProtocolVersion
  environment: MerchantEnvironment
  serverTransId: string
  /** As soon as an ARes has said them. */
  acsTransId?: string | undefined
  dsTransId?: string | undefined
  /** What the AReq asked for; 01 where it asked for nothing. */
  challengeIndicator?: string | undefined
  /** Where it is known, the ECI must be one that this scheme writes beside the status. */
  scheme?: CardScheme | undefined
}

/** The identifiers of a message that are not those of the transaction. */
export function mismatchedIdentifiersError(
  elements: RawMessageElements,
  transaction: KnownTransaction,
): ProtocolError | undefined {
  const pairs = [
    ['threeDSServerTransID', transaction.serverTransId],
    ['acsTransID', transaction.acsTransId],
    ['dsTransID', transaction.dsTransId],
  ] as const
  const strange = pairs.filter(([name, known]) => known !== undefined && isAnother(elements[name], known))
  return strange.length > 0 ? protocolError('301', ...strange.map(([name]) => name)) : undefined
}

/** Letters of an identifier are hexadecimal digits, in either case. */
function isAnother(claimed: unknown, known: string): boolean {
  return isUuid(claimed) && claimed.toLowerCase() !== known.toLowerCase()
}
