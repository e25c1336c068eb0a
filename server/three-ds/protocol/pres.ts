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
import type { ProtocolVersion, VersionSpan } from './versions.ts'
import { isValidVersionSpan } from './versions.ts'

/** Card ranges from the directory server. `applyCardRanges` reads the ranges. */
export interface PRes {
  version: ProtocolVersion
  serverTransId: string
  dsTransId: string
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

export function readPRes(elements: RawMessageElements, version: ProtocolVersion): ProtocolReadResult<PRes> {
  const read = readElementsWithSchema(PResSchema, elements)
  if ('error' in read) return read
  const form = read.message
  const ds = { from: form.dsStartProtocolVersion, to: form.dsEndProtocolVersion }
  if (!isValidVersionSpan(ds))
    return { error: protocolError('203', 'dsStartProtocolVersion', 'dsEndProtocolVersion') }
  const message = {
    version,
    serverTransId: form.threeDSServerTransID,
    dsTransId: form.dsTransID,
    ds,
    serialNumber: form.serialNum ?? null,
    cardRanges: form.cardRangeData ?? null,
  }
  return { message }
}
