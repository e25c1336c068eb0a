import type { Static } from 'typebox'
import { Type } from '../../kit/schema.ts'
import { identifier, oneOf } from './elements.ts'
import { outgoing } from './outgoing.ts'
import type { RReq } from './rreq.ts'
import { versions } from './versions.ts'

export const RResForm = Type.Object({
  messageType: Type.Literal('RRes'),
  messageVersion: oneOf(...versions),
  threeDSServerTransID: identifier,
  acsTransID: identifier,
  dsTransID: identifier,
  resultsStatus: oneOf('01', '02', '03'),
})

export type RResMessage = Static<typeof RResForm>

/** The first CReq never came to the ACS. */
const neverOpened = '05'

/** That a result has come: for processing, or, of a challenge that was never opened, that we know it. */
export function buildRRes(result: RReq): RResMessage {
  return outgoing(RResForm, {
    messageType: 'RRes',
    messageVersion: result.version,
    threeDSServerTransID: result.serverTransId,
    acsTransID: result.acsTransId,
    dsTransID: result.dsTransId,
    resultsStatus: result.cancel === neverOpened ? '02' : '01',
  })
}
