import { Type } from '../../../kit/input/schema.ts'
import { buildMessageWithSchema } from './build-message-with-schema.ts'
import { enumSchema, uuidSchema } from './element-schemas.ts'
import { encodeMessage, encodeText } from './encoding.ts'
import type { ProtocolVersion } from './versions.ts'
import { supportedVersions } from './versions.ts'

/** The windows that an ACS can fill, in pixels; 05 is whatever there is. The frame must really be that large. */
export const windowSizes = {
  '01': { width: 250, height: 400 },
  '02': { width: 390, height: 400 },
  '03': { width: 500, height: 600 },
  '04': { width: 600, height: 400 },
  '05': undefined,
} as const

export type WindowSizeCode = keyof typeof windowSizes

/** The window for a page of these dimensions: a phone's is all of it. */
export function windowSizeCodeFor({ width, height }: { width: number; height: number }): WindowSizeCode {
  const sizes = ['03', '04'] as const
  const fitting = sizes.find((size) => width >= 600 && height >= windowSizes[size].height)
  return fitting ?? '05'
}

export const CReqSchema = Type.Object({
  messageType: Type.Literal('CReq'),
  messageVersion: enumSchema(...supportedVersions),
  threeDSServerTransID: uuidSchema,
  acsTransID: uuidSchema,
  challengeWindowSize: enumSchema('01', '02', '03', '04', '05'),
})

const longestSessionData = 1024

/** What the browser posts to the ACS to open a challenge, by the names of the form's fields. */
export interface ChallengeFormFields {
  creq: string
  threeDSSessionData?: string
}

/**
 * The form that opens a challenge. What is given as session data comes back with the end of the challenge, and both the
 * browser and the ACS can read it: it is an opaque name and no secret.
 */
export function challengeFormFields({
  version,
  serverTransId,
  acsTransId,
  windowSize,
  sessionData,
}: {
  version: ProtocolVersion
  serverTransId: string
  acsTransId: string
  windowSize: WindowSizeCode
  sessionData?: string | undefined
}): ChallengeFormFields {
  const message = buildMessageWithSchema(CReqSchema, {
    messageType: 'CReq',
    messageVersion: version,
    threeDSServerTransID: serverTransId,
    acsTransID: acsTransId,
    challengeWindowSize: windowSize,
  })
  const creq = encodeMessage(message)
  if (sessionData === undefined) return { creq }
  const threeDSSessionData = encodeText(sessionData)
  if (threeDSSessionData.length > longestSessionData) throw new Error('session data are too long to be sent')
  return { creq, threeDSSessionData }
}
