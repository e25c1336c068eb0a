import { buildMessage } from './build-message.ts'
import type { RawMessageElements } from './element-schemas.ts'
import { isUuid, nonNullElementsOf, uuidSchema, webAddressSchema } from './element-schemas.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'

/** Form fields that a hidden frame posts to the issuer's 3DS Method. */
export function methodFormFields(
  serverTransId: string,
  notificationUrl: string,
): { threeDSMethodData: string } {
  const message = buildMessage({
    threeDSServerTransID: [serverTransId, uuidSchema],
    threeDSMethodNotificationURL: [notificationUrl, webAddressSchema(256)],
  })
  return { threeDSMethodData: encodeMessage(message) }
}

/**
 * Transaction id of a completed 3DS Method; undefined if the notification has none. Issuers spell the names
 * differently, so case and the spelling of the 3 do not matter.
 */
export function readMethodNotification(fields: RawMessageElements): string | undefined {
  const encoded = elementMatching(fields, /^(?:three|3)DSMethodData$/i)
  const message = nonNullElementsOf(decodeMessage(encoded))
  const id = message && elementMatching(message, /^(?:three|3)DSServerTrans(?:action)?ID$/i)
  return isUuid(id) ? id.toLowerCase() : undefined
}

function elementMatching(elements: RawMessageElements, pattern: RegExp): unknown {
  const name = Object.keys(elements).find((each) => pattern.test(each))
  return name === undefined ? undefined : elements[name]
}
