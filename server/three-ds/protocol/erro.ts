import { redact } from '../../../kit/security/redaction.ts'
import { clip, withoutControlCharacters } from './clip.ts'
import { isUuid, nonNullElementsOf } from './element-schemas.ts'
import type { ProtocolError } from './protocol-error.ts'
import type { ProtocolVersion } from './versions.ts'
import { isSupportedVersion } from './versions.ts'

/** The answer to a message that cannot be taken, or somebody's to ours. */
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
/** Said where the version of the message is none that we speak. */
const baseline: ProtocolVersion = '2.2.0'
const longestText = 2048

/**
 * What is answered to a message with a fault. Guarantee: of the message itself only its kind and its identifiers are
 * repeated, and only where they are some; a fault's detail holds names alone.
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

/** An Erro that came, as far as it can be read. */
export interface Erro {
  /** Three digits, or null where there are none. */
  code: string | null
  /** Who found the fault: C the SDK, S a 3DS Server, D the directory server, A the ACS. */
  component: string | null
  description: string
  detail: string
  serverTransId: string | null
}

/**
 * Reads an Erro; undefined when it is none. Nothing is demanded of it, because an Erro is never answered with another.
 * Guarantee: its texts are short, can be shown, and hold no card number.
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
