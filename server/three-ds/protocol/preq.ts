import type { Static } from 'typebox'
import { Type } from '../../../kit/input/schema.ts'
import { buildMessageWithSchema } from './build-message-with-schema.ts'
import { enumSchema, textOfLengthSchema, uuidSchema } from './element-schemas.ts'
import type { ProtocolVersion } from './versions.ts'
import { supportedVersions } from './versions.ts'

/** Our identity at a directory server. */
export interface ThreeDsServerIdentity {
  referenceNumber: string
  /** Id assigned by the directory server, if it assigns one. */
  operatorId?: string | undefined
}

export const PReqSchema = Type.Object({
  messageType: Type.Literal('PReq'),
  messageVersion: enumSchema(...supportedVersions),
  threeDSServerTransID: uuidSchema,
  threeDSServerRefNumber: textOfLengthSchema(1, 32),
  threeDSServerOperatorID: Type.Optional(textOfLengthSchema(1, 32)),
  serialNum: Type.Optional(textOfLengthSchema(1, 20)),
})

export type PReqMessage = Static<typeof PReqSchema>

/** Requests the card ranges: all of them, or the changes since a serial number. */
export function buildPReq({
  version,
  serverTransId,
  server,
  serialNumber,
}: {
  version: ProtocolVersion
  serverTransId: string
  server: ThreeDsServerIdentity
  serialNumber: string | null
}): PReqMessage {
  return buildMessageWithSchema(PReqSchema, {
    messageType: 'PReq',
    messageVersion: version,
    threeDSServerTransID: serverTransId,
    threeDSServerRefNumber: server.referenceNumber,
    threeDSServerOperatorID: server.operatorId,
    serialNum: serialNumber ?? undefined,
  })
}
