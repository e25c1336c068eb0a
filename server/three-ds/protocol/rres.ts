import type { Static } from 'typebox'
import { Type } from '../../../kit/input/schema.ts'
import { buildMessageWithSchema } from './build-message-with-schema.ts'
import { enumSchema, uuidSchema } from './element-schemas.ts'
import type { RReq } from './rreq.ts'
import { supportedVersions } from './versions.ts'

export const RResSchema = Type.Object({
  messageType: Type.Literal('RRes'),
  messageVersion: enumSchema(...supportedVersions),
  threeDSServerTransID: uuidSchema,
  acsTransID: uuidSchema,
  dsTransID: uuidSchema,
  resultsStatus: enumSchema('01', '02', '03'),
})

export type RResMessage = Static<typeof RResSchema>

/** The first CReq never reached the ACS. */
const neverOpened = '05'

/** Acknowledges a result: 01 for processing, 02 if the challenge was never opened. */
export function buildRRes(result: RReq): RResMessage {
  return buildMessageWithSchema(RResSchema, {
    messageType: 'RRes',
    messageVersion: result.version,
    threeDSServerTransID: result.serverTransId,
    acsTransID: result.acsTransId,
    dsTransID: result.dsTransId,
    resultsStatus: result.cancel === neverOpened ? '02' : '01',
  })
}
