import { Type } from '../../kit/schema.ts'
import type { Elements } from './elements.ts'
import { elementsOf, identifier, isIdentifier, webAddress } from './elements.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'
import { outgoing } from './outgoing.ts'

const MethodForm = Type.Object({
  threeDSServerTransID: identifier,
  threeDSMethodNotificationURL: webAddress(256),
})

/** What a hidden frame posts to the issuer's 3DS Method, by the names of the form's fields. */
export function methodForm({
  serverTransId,
  notificationUrl,
}: {
  serverTransId: string
  notificationUrl: string
}): { threeDSMethodData: string } {
  const message = outgoing(MethodForm, {
    threeDSServerTransID: serverTransId,
    threeDSMethodNotificationURL: notificationUrl,
  })
  return { threeDSMethodData: encodeMessage(message) }
}

/**
 * Which transaction's 3DS Method is over, by what the frame posted; undefined when it does not tell. Names are written in
 * more than one way in the world, so their case and the spelling of the 3 do not matter.
 */
export function readMethodNotification(fields: Elements): string | undefined {
  const posted = named(fields, /^(?:three|3)DSMethodData$/i)
  const message = elementsOf(decodeMessage(posted))
  const id = message && named(message, /^(?:three|3)DSServerTrans(?:action)?ID$/i)
  return isIdentifier(id) ? id.toLowerCase() : undefined
}

function named(elements: Elements, pattern: RegExp): unknown {
  const name = Object.keys(elements).find((each) => pattern.test(each))
  return name === undefined ? undefined : elements[name]
}
