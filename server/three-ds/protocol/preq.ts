import type { Static } from 'typebox'
import { Type } from '../../kit/schema.ts'
import { identifier, oneOf, text } from './elements.ts'
import { outgoing } from './outgoing.ts'
import type { ProtocolVersion } from './versions.ts'
import { versions } from './versions.ts'

/** As whom a directory server knows us. */
export interface ServerIdentity {
  referenceNumber: string
  /** What a directory server has assigned to us, where it does so. */
  operatorId?: string | undefined
}

export const PReqForm = Type.Object({
  messageType: Type.Literal('PReq'),
  messageVersion: oneOf(...versions),
  threeDSServerTransID: identifier,
  threeDSServerRefNumber: text(1, 32),
  threeDSServerOperatorID: Type.Optional(text(1, 32)),
  serialNum: Type.Optional(text(1, 20)),
})

export type PReqMessage = Static<typeof PReqForm>

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
  return outgoing(PReqForm, {
    messageType: 'PReq',
    messageVersion: version,
    threeDSServerTransID: serverTransId,
    threeDSServerRefNumber: server.referenceNumber,
    threeDSServerOperatorID: server.operatorId,
    serialNum: serialNumber ?? undefined,
  })
}
