import type { CardScheme } from './eci.ts'
import type { RawMessageElements } from './element-schemas.ts'
import { isUuid } from './element-schemas.ts'
import type { ProtocolError } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'
import type { MerchantEnvironment } from './web-address.ts'

/** Known data of a transaction. A message about it must match. */
export interface KnownTransaction {
  version: ProtocolVersion
  environment: MerchantEnvironment
  serverTransId: string
  /** Both ids are known after the ARes. */
  acsTransId?: string | undefined
  dsTransId?: string | undefined
  /** Challenge indicator of the AReq, 01 by default. */
  challengeIndicator?: string | undefined
  /** If known, the ECI must fit the status in this scheme. */
  scheme?: CardScheme | undefined
}

/** Error that names the identifiers that differ from the transaction's. */
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

/** Identifiers are hexadecimal, so upper and lower case are equal. */
function isAnother(claimed: unknown, known: string): boolean {
  return isUuid(claimed) && claimed.toLowerCase() !== known.toLowerCase()
}
