import { Type } from '../../../kit/input/schema.ts'
import type { RawMessageElements } from './element-schemas.ts'
import {
  enumSchema,
  messageExtensionSchema,
  readElementsWithSchema,
  uuidSchema,
  yesOrNoSchema,
} from './element-schemas.ts'
import { decodeMessage } from './encoding.ts'
import type { ProtocolReadResult } from './protocol-error.ts'

/** End of a challenge, sent through the browser. It only means that the RReq should have arrived. */
export type CRes = Record<string, never>

const CResSchema = Type.Object({
  threeDSServerTransID: uuidSchema,
  acsTransID: uuidSchema,
  // Many ACSs leave it out in a browser.
  challengeCompletionInd: Type.Optional(yesOrNoSchema),
  transStatus: Type.Optional(enumSchema('Y', 'N', 'A', 'U', 'R', 'C', 'D', 'I')),
  messageExtension: Type.Optional(messageExtensionSchema),
})

/** Drops the claimed status on purpose, so that no code can rely on it. */
export function readCRes(elements: RawMessageElements): ProtocolReadResult<CRes> {
  const read = readElementsWithSchema(CResSchema, elements)
  return 'error' in read ? read : { message: {} }
}

/** CRes that the browser posts at the end of a challenge, or an Erro in its place; undefined if unreadable. */
export function decodeChallengeNotification(fields: RawMessageElements): unknown {
  return decodeMessage(fields['cres'] ?? fields['error'] ?? fields['erro'])
}
