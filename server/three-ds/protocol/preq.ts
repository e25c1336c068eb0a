import { buildMessage } from './build-message.ts'
import { textOfLengthSchema, uuidSchema } from './element-schemas.ts'
import type { ProtocolVersion } from './versions.ts'

/** Our reference number at directory servers. We are not certified: no real one knows it. */
export const serverReferenceNumber = 'VEZNE-NOT-CERTIFIED'

/** Requests the card ranges: all of them, or the changes since a serial number. */
export function buildPReq(version: ProtocolVersion, serverTransId: string, serialNumber: string | null) {
  return buildMessage({
    messageType: 'PReq',
    messageVersion: version,
    threeDSServerTransID: [serverTransId, uuidSchema],
    threeDSServerRefNumber: serverReferenceNumber,
    serialNum: [serialNumber ?? undefined, textOfLengthSchema(1, 20), 'optional'],
  })
}
