import { Type } from '../../../kit/input/schema.ts'
import type { RawMessageElements } from './element-schemas.ts'
import {
  enumSchema,
  messageExtensionSchema,
  readElementsWithSchema,
  uuidSchema,
  yesOrNoSchema,
} from './element-schemas.ts'
import { decodeMessage, decodeText } from './encoding.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'

/** End of a challenge, sent through the browser. It only means that the RReq should have arrived. */
export interface CRes {
  version: ProtocolVersion
  serverTransId: string
  acsTransId: string
}

const CResSchema = Type.Object({
  threeDSServerTransID: uuidSchema,
  acsTransID: uuidSchema,
  // Many ACSs leave it out in a browser.
  challengeCompletionInd: Type.Optional(yesOrNoSchema),
  transStatus: Type.Optional(enumSchema('Y', 'N', 'A', 'U', 'R', 'C', 'D', 'I')),
  messageExtension: Type.Optional(messageExtensionSchema),
})

/** Drops the claimed status on purpose, so that no code can rely on it. */
export function readCRes(elements: RawMessageElements, version: ProtocolVersion): ProtocolReadResult<CRes> {
  const read = readElementsWithSchema(CResSchema, elements)
  if ('error' in read) return read
  const { threeDSServerTransID: serverTransId, acsTransID: acsTransId } = read.message
  return { message: { version, serverTransId, acsTransId } }
}

/** Form fields that the browser posts at the end of a challenge. */
export interface ChallengeNotification {
  /** CRes, or an Erro in its place; undefined if unreadable. */
  value: unknown
  /** Session data that we sent with the CReq. */
  sessionData: string | undefined
}

export function decodeChallengeNotification(fields: RawMessageElements): ChallengeNotification {
  const encoded = fields['cres'] ?? fields['error'] ?? fields['erro']
  return { value: decodeMessage(encoded), sessionData: decodeText(fields['threeDSSessionData']) }
}
