import { Type } from '../../../kit/input/schema.ts'
import { buildMessageWithSchema } from './build-message-with-schema.ts'
import type { RawMessageElements } from './element-schemas.ts'
import { isUuid, nonNullElementsOf, uuidSchema, webAddressSchema } from './element-schemas.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'

const MethodSchema = Type.Object({
  threeDSServerTransID: uuidSchema,
  threeDSMethodNotificationURL: webAddressSchema(256),
})

/** What a hidden frame posts to the issuer's 3DS Method, by the names of the form's fields. */
export function methodFormFields({
  serverTransId,
  notificationUrl,
}: {
  serverTransId: string
  notificationUrl: string
}): { threeDSMethodData: string } {
  const message = buildMessageWithSchema(MethodSchema, {
    threeDSServerTransID: serverTransId,
    threeDSMethodNotificationURL: notificationUrl,
  })
  return { threeDSMethodData: encodeMessage(message) }
}

/**
 * Which transaction's 3DS Method is over, by what the frame posted; undefined when it does not tell. Names are written in
 * more than one way in the world, so their case and the spelling of the 3 do not matter.
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
