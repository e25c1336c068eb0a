import type { CardScheme } from './eci.ts'
import { eciContradictsStatus } from './eci.ts'
import type { RawMessageElements } from './element-schemas.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'

/** Outcome of an authentication, in an ARes or an RReq. */
export type AuthenticationVerdict = SuccessfulVerdict | FailedVerdict

/** The issuer is liable: the cardholder was authenticated (Y), or the authentication was attempted (A). */
export interface SuccessfulVerdict {
  status: 'Y' | 'A'
  eci: string
  /** Cryptogram of the issuer, `authenticationValue`. */
  cavv: string
}

/** Not authenticated (N), not possible (U), or rejected by the issuer (R). */
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

/** Reads the outcome; undefined if the status is no final one. */
export function readVerdict(
  elements: VerdictElements,
  scheme: CardScheme | undefined,
): ProtocolReadResult<AuthenticationVerdict> | undefined {
  const { transStatus: status, transStatusReason: reason, eci, authenticationValue: cavv } = elements
  if (status === 'Y' || status === 'A') {
    if (eci === undefined || cavv === undefined)
      return missingElementsError({ authenticationValue: cavv, eci })
    // Either the status or the ECI is wrong, and we cannot know which: the message proves nothing.
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
