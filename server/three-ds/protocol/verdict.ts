import { Type } from '../../../kit/input/schema.ts'
import type { CardScheme } from './eci.ts'
import { eciContradictsStatus } from './eci.ts'
import type { RawMessageElements } from './element-schemas.ts'
import { enumSchema, readElementsWithSchema } from './element-schemas.ts'
import type { ProtocolError, ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'

/** Outcome of an authentication, in an ARes or an RReq. */
export interface AuthenticationVerdict {
  /**
   * The issuer is liable for Y (authenticated) and A (attempted), and not for N (not authenticated), U (not
   * possible), R (rejected) and I (informed only, as we requested).
   */
  status: 'Y' | 'A' | 'N' | 'U' | 'R' | 'I'
  /** `transStatusReason`; N, U and R have one. */
  reason: string | null
  eci: string | null
  /** Cryptogram of the issuer, `authenticationValue`. Y and A have one, and an ECI that fits. */
  cavv: string | null
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
  scheme: CardScheme | null | undefined,
): ProtocolReadResult<AuthenticationVerdict> | undefined {
  const { transStatus: status, transStatusReason: reason, eci, authenticationValue: cavv } = elements
  if (status === 'Y' || status === 'A') {
    if (eci === undefined || cavv === undefined)
      return missingElementsError({ authenticationValue: cavv, eci })
    // Either the status or the ECI is wrong, and we cannot know which: the message proves nothing.
    if (eciContradictsStatus(status, eci, scheme)) return { error: protocolError('203', 'eci') }
    return { message: { status, reason: null, eci, cavv } }
  }
  if (status !== 'N' && status !== 'U' && status !== 'R') return undefined
  if (reason === undefined) return missingElementsError({ transStatusReason: reason })
  return { message: { status, reason, eci: eci ?? null, cavv: null } }
}

export function missingElementsError(required: RawMessageElements): { error: ProtocolError } {
  const missing = Object.keys(required).filter((name) => required[name] === undefined)
  return { error: protocolError('201', ...missing) }
}

/** Version 2.3 renamed both elements of the trust list. */
const trustListNames: Readonly<Record<ProtocolVersion, string>> = {
  '2.2.0': 'whiteListStatus',
  '2.3.1': 'trustListStatus',
}

/** Error in the status of the trust list or in its source. A message has both or neither. */
export function trustListError(
  elements: RawMessageElements,
  version: ProtocolVersion,
): ProtocolError | undefined {
  const name = trustListNames[version]
  const source = `${name}Source`
  if (elements[name] === undefined && elements[source] === undefined) return undefined
  const schema = Type.Object({
    [name]: enumSchema('Y', 'N', 'E', 'P', 'R', 'U'),
    [source]: enumSchema('01', '02', '03'),
  })
  const read = readElementsWithSchema(schema, elements)
  return 'error' in read ? read.error : undefined
}
