import { Type } from '../../../kit/input/schema.ts'
import { buildMessageWithSchema } from './build-message-with-schema.ts'
import { enumSchema, uuidSchema } from './element-schemas.ts'
import { encodeMessage, encodeText } from './encoding.ts'
import type { ProtocolVersion } from './versions.ts'
import { supportedVersions } from './versions.ts'

/** Challenge window sizes in pixels; 05 is full screen. The frame must have the size that is sent. */
export const windowSizes = {
  '01': { width: 250, height: 400 },
  '02': { width: 390, height: 400 },
  '03': { width: 500, height: 600 },
  '04': { width: 600, height: 400 },
  '05': undefined,
} as const

export type WindowSizeCode = keyof typeof windowSizes

/** Window size for a page of these dimensions: on a phone the whole page. */
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

/** Form fields that the browser posts to the ACS to open a challenge. */
export interface ChallengeFormFields {
  creq: string
  threeDSSessionData?: string
}

/**
 * Builds the form that opens a challenge. Session data comes back at the end of the challenge. The browser
 * and the ACS can read it, so it must not be a secret.
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
