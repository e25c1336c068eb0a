import type { CardScheme } from './eci.ts'
import type { ProtocolVersion } from './versions.ts'

/** Known data of a transaction. A message about it must match. */
export interface KnownTransaction {
  version: ProtocolVersion
  /** True for a live merchant, whose payers are never led to an address without TLS. */
  isLive: boolean
  serverTransId: string
  /** Both ids are known after the ARes. */
  acsTransId?: string | null
  dsTransId?: string | null
  /** Challenge indicator of the AReq, 01 by default. */
  challengeIndicator?: string | undefined
  /** If known, the ECI must fit the status in this scheme. */
  scheme?: CardScheme | null
}
