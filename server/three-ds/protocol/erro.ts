import { isUuid, nonNullElementsOf } from './element-schemas.ts'
import type { ProtocolError } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'
import { isSupportedVersion } from './versions.ts'

const messageTypes = /^(?:[ACPR]Re[qs]|Erro)$/
const identifiers = ['threeDSServerTransID', 'acsTransID', 'dsTransID'] as const
/** Version of an Erro about a message in an unsupported version. */
const baseline: ProtocolVersion = '2.2.0'

/**
 * Builds the Erro for an invalid message. Guarantee: of the message only its type and its identifiers are
 * repeated, and only if they are valid. The detail holds element names only.
 */
export function buildErro({ code, description, detail }: ProtocolError, received: unknown): object {
  const elements = nonNullElementsOf(received) ?? {}
  const { messageVersion, messageType } = elements
  const known = identifiers.filter((name) => isUuid(elements[name]))
  return {
    messageType: 'Erro',
    messageVersion: isSupportedVersion(messageVersion) ? messageVersion : baseline,
    errorCode: code,
    errorComponent: 'S',
    errorDescription: description,
    errorDetail: detail,
    ...(typeof messageType === 'string' &&
      messageTypes.test(messageType) && { errorMessageType: messageType }),
    ...Object.fromEntries(known.map((name) => [name, elements[name]])),
  }
}

/**
 * Reads the transaction id of an Erro; undefined for other messages. No element is required, because an Erro
 * is never answered with an Erro.
 */
export function readErro(value: unknown): { serverTransId: string | null } | undefined {
  const elements = nonNullElementsOf(value)
  if (elements?.['messageType'] !== 'Erro') return undefined
  const { threeDSServerTransID: id } = elements
  return { serverTransId: isUuid(id) ? id : null }
}
