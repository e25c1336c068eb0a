import type { CardScheme } from './eci.ts'
import type { Elements } from './elements.ts'
import { isIdentifier } from './elements.ts'
import type { ProtocolError } from './fault.ts'
import { fault } from './fault.ts'
import type { ProtocolVersion } from './versions.ts'
import type { Mode } from './web-address.ts'

/** What is known of the transaction that a message claims to be about: it must say the same. */
export interface KnownTransaction {
  version: ProtocolVersion
  mode: Mode
  serverTransId: string
  /** As soon as an ARes has said them. */
  acsTransId?: string | undefined
  dsTransId?: string | undefined
  /** What the AReq asked for; 01 where it asked for nothing. */
  challengeIndicator?: string | undefined
  /** Where it is known, the ECI must be one that this scheme writes beside the status. */
  brand?: CardScheme | undefined
}

/** The identifiers of a message that are not those of the transaction. */
export function strangeIdentifiers(elements: Elements, sent: KnownTransaction): ProtocolError | undefined {
  const pairs = [
    ['threeDSServerTransID', sent.serverTransId],
    ['acsTransID', sent.acsTransId],
    ['dsTransID', sent.dsTransId],
  ] as const
  const strange = pairs.filter(([name, known]) => known !== undefined && isAnother(elements[name], known))
  return strange.length > 0 ? fault('301', ...strange.map(([name]) => name)) : undefined
}

/** Letters of an identifier are hexadecimal digits, in either case. */
function isAnother(claimed: unknown, known: string): boolean {
  return isIdentifier(claimed) && claimed.toLowerCase() !== known.toLowerCase()
}
