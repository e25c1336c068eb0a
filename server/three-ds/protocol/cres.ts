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

/** That a challenge is over. It passed through the browser: it tells to look for the RReq, and nothing else. */
export interface CRes {
  version: ProtocolVersion
  serverTransId: string
  acsTransId: string
}

const CResSchema = Type.Object({
  threeDSServerTransID: uuidSchema,
  acsTransID: uuidSchema,
  // Many an ACS leaves it out in a browser.
  challengeCompletionInd: Type.Optional(yesOrNoSchema),
  transStatus: Type.Optional(enumSchema('Y', 'N', 'A', 'U', 'R', 'C', 'D', 'I')),
  messageExtension: Type.Optional(messageExtensionSchema),
})

/** The status that it claims is left behind on purpose: nobody can be tempted by it. */
export function readCRes(elements: RawMessageElements, version: ProtocolVersion): ProtocolReadResult<CRes> {
  const read = readElementsWithSchema(CResSchema, elements)
  if ('error' in read) return read
  const { threeDSServerTransID: serverTransId, acsTransID: acsTransId } = read.message
  return { message: { version, serverTransId, acsTransId } }
}

/** What a browser posts when a challenge is over, by the names of its form's fields. */
export interface ChallengeNotification {
  /** A CRes, or an Erro that stands in its place; undefined when it cannot be read. */
  value: unknown
  /** What we had given along, as it came back. */
  sessionData: string | undefined
}

export function decodeChallengeNotification(fields: RawMessageElements): ChallengeNotification {
  const encoded = fields['cres'] ?? fields['error'] ?? fields['erro']
  return { value: decodeMessage(encoded), sessionData: decodeText(fields['threeDSSessionData']) }
}
