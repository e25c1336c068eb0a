import { Type } from '../../../kit/input/schema.ts'
import type { RawMessageElements } from './element-schemas.ts'
import {
  messageExtensionSchema,
  readElementsWithSchema,
  textOfLengthSchema,
  uuidSchema,
  versionSchema,
} from './element-schemas.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'
import type { VersionSpan } from './versions.ts'
import { isVersionSpan } from './versions.ts'

/** Card ranges from the directory server. `applyCardRanges` reads the ranges. */
export interface PRes {
  /** Versions supported by the directory server itself. */
  ds: VersionSpan
  /** Sent in the next PReq, so that only changes are returned. */
  serialNumber: string | null
  /** Null if nothing has changed. */
  cardRanges: readonly unknown[] | null
}

const PResSchema = Type.Object({
  threeDSServerTransID: uuidSchema,
  dsTransID: uuidSchema,
  dsStartProtocolVersion: versionSchema,
  dsEndProtocolVersion: versionSchema,
  serialNum: Type.Optional(textOfLengthSchema(1, 20)),
  cardRangeData: Type.Optional(Type.Array(Type.Unknown())),
  messageExtension: Type.Optional(messageExtensionSchema),
})

export function readPRes(elements: RawMessageElements): ProtocolReadResult<PRes> {
  const read = readElementsWithSchema(PResSchema, elements)
  if ('error' in read) return read
  const { dsStartProtocolVersion: from, dsEndProtocolVersion: to } = read.message
  const { serialNum: serialNumber = null, cardRangeData: cardRanges = null } = read.message
  if (!isVersionSpan({ from, to }))
    return { error: protocolError('203', 'dsStartProtocolVersion', 'dsEndProtocolVersion') }
  return { message: { ds: { from, to }, serialNumber, cardRanges } }
}
