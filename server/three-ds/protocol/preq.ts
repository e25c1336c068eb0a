import type { Static } from 'typebox'
import { Type } from '../../kit/schema.ts'
import { buildMessage } from './build-message.ts'
import { oneOf, textSchema, uuidSchema } from './element-schemas.ts'
import type { ProtocolVersion } from './versions.ts'
import { supportedVersions } from './versions.ts'

/** As whom a directory server knows us. */
export interface ServerIdentity {
  referenceNumber: string
  /** What a directory server has assigned to us, where it does so. */
  operatorId?: string | undefined
}

export const PReqSchema = Type.Object({
  messageType: Type.Literal('PReq'),
  messageVersion: oneOf(...supportedVersions),
  threeDSServerTransID: uuidSchema,
  threeDSServerRefNumber: textSchema(1, 32),
  threeDSServerOperatorID: Type.Optional(textSchema(1, 32)),
  serialNum: Type.Optional(textSchema(1, 20)),
})

export type PReqMessage = Static<typeof PReqSchema>

/** Asks what the directory server knows of cards: all of it, or what has changed since a serial number. */
export function buildPReq({
  version,
  serverTransId,
  server,
  serialNumber,
}: {
  version: ProtocolVersion
  serverTransId: string
  server: ServerIdentity
  serialNumber: string | null
}): PReqMessage {
  return buildMessage(PReqSchema, {
    messageType: 'PReq',
    messageVersion: version,
    threeDSServerTransID: serverTransId,
    threeDSServerRefNumber: server.referenceNumber,
    threeDSServerOperatorID: server.operatorId,
    serialNum: serialNumber ?? undefined,
  })
}
