import { buildMessage } from './build-message.ts'
import { uuidSchema } from './element-schemas.ts'
import { encodeMessage } from './encoding.ts'
import type { ProtocolVersion } from './versions.ts'

/** Frame size in pixels, as sent to the ACS. Without one the frame fills the available space. */
export interface FrameSize {
  width: number
  height: number
}

/** Challenge windows that we use, by their code in the protocol. The frame must have the size that is sent. */
const windows = [
  { code: '03', size: { width: 500, height: 600 } },
  { code: '04', size: { width: 600, height: 400 } },
]
const wholePage = { code: '05', size: null }

/** Largest challenge window for a page of these dimensions: without a room, or on a phone, the whole page. */
export function challengeWindowFor(room: FrameSize | undefined): { code: string; size: FrameSize | null } {
  const fitting = room && windows.find(({ size }) => room.width >= 600 && room.height >= size.height)
  return fitting ?? wholePage
}

/** Form fields that the browser posts to the ACS to open a challenge. */
export function challengeFormFields(challenge: {
  version: ProtocolVersion
  serverTransId: string
  acsTransId: string
  windowCode: string
}): { creq: string } {
  const message = buildMessage({
    messageType: 'CReq',
    messageVersion: challenge.version,
    threeDSServerTransID: [challenge.serverTransId, uuidSchema],
    acsTransID: [challenge.acsTransId, uuidSchema],
    challengeWindowSize: challenge.windowCode,
  })
  return { creq: encodeMessage(message) }
}
