import { buildMessage } from './build-message.ts'
import { uuidSchema } from './element-schemas.ts'
import { encodeMessage } from './encoding.ts'
import type { ProtocolVersion } from './versions.ts'

/** Size of the frame that the challenge fills, in pixels. */
export interface FrameSize {
  width: number
  height: number
}

/** Challenge windows that the page's sheet is made for (page/style/bank.css), by their code in the protocol. */
const windows = [
  { code: '03', width: 500, height: 600 },
  { code: '04', width: 600, height: 400 },
]
const wholePage = '05'

/**
 * Challenge window of this size; without a size, or with one that has no code, the whole page. A zoomed
 * browser rounds sizes.
 */
export function challengeWindowCode(frame: FrameSize | undefined): string {
  const isSize = ({ width, height }: FrameSize) =>
    frame && Math.abs(frame.width - width) <= 2 && Math.abs(frame.height - height) <= 2
  return windows.find(isSize)?.code ?? wholePage
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
