import type { CardScheme } from './eci.ts'
import { eciContradictsStatus } from './eci.ts'
import type { RawMessageElements } from './element-schemas.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'

/** What an authentication ends with, in an ARes or in an RReq. */
export type AuthenticationVerdict = SuccessfulVerdict | FailedVerdict

/** The issuer stands for the holder, or for having been asked. */
export interface SuccessfulVerdict {
  status: 'Y' | 'A'
  eci: string
  /** The issuer's cryptogram, `authenticationValue`. */
  cavv: string
}

/** Not authenticated, could not be, or the issuer refuses. */
export interface FailedVerdict {
  status: 'N' | 'U' | 'R'
  /** `transStatusReason`. */
  reason: string
  eci: string | null
}

interface VerdictElements {
  transStatus: string
  transStatusReason?: string
  eci?: string
  authenticationValue?: string
}

/** Reads what every ending has. Undefined when the status is none of an ending. */
export function readVerdict(
  elements: VerdictElements,
  scheme: CardScheme | undefined,
): ProtocolReadResult<AuthenticationVerdict> | undefined {
  const { transStatus: status, transStatusReason: reason, eci, authenticationValue: cavv } = elements
  if (status === 'Y' || status === 'A') {
    if (eci === undefined || cavv === undefined)
      return missingElementsError({ authenticationValue: cavv, eci })
    // One of the two is wrong, and we cannot know which: nothing may be taken for proven by half a message.
    if (eciContradictsStatus({ status, eci, scheme })) return { error: protocolError('203', 'eci') }
    return { message: { status, eci, cavv } }
  }
  if (status !== 'N' && status !== 'U' && status !== 'R') return undefined
  if (reason === undefined) return missingElementsError({ transStatusReason: reason })
  return { message: { status, reason, eci: eci ?? null } }
}

export function missingElementsError(required: RawMessageElements): {
  error: ReturnType<typeof protocolError>
} {
  const missing = Object.keys(required).filter((name) => required[name] === undefined)
  return { error: protocolError('201', ...missing) }
}
