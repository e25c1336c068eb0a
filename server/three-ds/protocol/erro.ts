import { redact } from '../../../kit/security/redaction.ts'
import { clip, withoutControlCharacters } from './clip.ts'
import { isUuid, nonNullElementsOf } from './element-schemas.ts'
import type { ProtocolError } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'
import { isSupportedVersion } from './versions.ts'

/** Error message about an invalid message, ours or another party's. */
export interface ErroMessage {
  messageType: 'Erro'
  messageVersion: string
  errorCode: string
  errorComponent: string
  errorDescription: string
  errorDetail: string
  errorMessageType?: string
  threeDSServerTransID?: string
  acsTransID?: string
  dsTransID?: string
}

const messageTypes: readonly unknown[] = [
  'AReq',
  'ARes',
  'CReq',
  'CRes',
  'PReq',
  'PRes',
  'RReq',
  'RRes',
  'Erro',
]
const identifiers = ['threeDSServerTransID', 'acsTransID', 'dsTransID'] as const
/** Version of an Erro about a message in an unsupported version. */
const baseline: ProtocolVersion = '2.2.0'
const longestText = 2048

/**
 * Builds the Erro for an invalid message. Guarantee: of the message only its type and its identifiers are
 * repeated, and only if they are valid. The detail holds element names only.
 */
export function buildErro({ code, description, detail }: ProtocolError, received: unknown): ErroMessage {
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
    ...(messageTypes.includes(messageType) ? { errorMessageType: String(messageType) } : {}),
    ...Object.fromEntries(known.map((name) => [name, String(elements[name])])),
  }
}

/** Received Erro, as far as it is readable. */
export interface Erro {
  /** Three digits; null if missing or invalid. */
  code: string | null
  /** Component that found the error: C the SDK, S the 3DS Server, D the directory server, A the ACS. */
  component: string | null
  description: string
  detail: string
  serverTransId: string | null
}

/**
 * Reads an Erro; undefined for other messages. No element is required, because an Erro is never answered with
 * an Erro. Guarantee: its texts are short, safe to show, and hold no card number.
 */
export function readErro(value: unknown): Erro | undefined {
  const elements = nonNullElementsOf(value)
  if (elements?.['messageType'] !== 'Erro') return undefined
  const { errorCode, errorComponent, errorDescription, errorDetail, threeDSServerTransID } = elements
  return {
    code: typeof errorCode === 'string' && /^\d{3}$/.test(errorCode) ? errorCode : null,
    component: typeof errorComponent === 'string' && /^[CSDA]$/.test(errorComponent) ? errorComponent : null,
    description: textOf(errorDescription),
    detail: textOf(errorDetail),
    serverTransId: isUuid(threeDSServerTransID) ? threeDSServerTransID : null,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? clip(withoutControlCharacters(redact(value)), longestText) : ''
}
