import { buildMessage } from './build-message.ts'
import { uuidSchema } from './element-schemas.ts'
import type { RReq } from './rreq.ts'
import type { ProtocolVersion } from './versions.ts'

/** The first CReq never reached the ACS. */
const neverOpened = '05'

/** Acknowledges a result: 01 for processing, 02 if the challenge was never opened. */
export function buildRRes(version: ProtocolVersion, result: RReq) {
  return buildMessage({
    messageType: 'RRes',
    messageVersion: version,
    threeDSServerTransID: [result.serverTransId, uuidSchema],
    acsTransID: [result.acsTransId, uuidSchema],
    dsTransID: [result.dsTransId, uuidSchema],
    resultsStatus: result.cancel === neverOpened ? '02' : '01',
  })
}
