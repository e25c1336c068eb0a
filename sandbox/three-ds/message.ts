import type { Random } from '../../kit/security/random.ts'
import { newUuid } from '../../kit/security/uuid.ts'

/** An EMV 3-D Secure message as received. */
export type AcsMessage = Readonly<Record<string, unknown>>

/** Supported protocol versions. */
export const supportedVersions = ['2.2.0', '2.3.1'] as const
export type AcsProtocolVersion = (typeof supportedVersions)[number]
export const oldestVersion: AcsProtocolVersion = '2.2.0'
export const newestVersion: AcsProtocolVersion = '2.3.1'

/** Error in a message: its code, and the fields or a text. */
export class InvalidMessage extends Error {
  override readonly name = 'InvalidMessage'
  readonly code: ErrorCode
  readonly detail: string

  constructor(code: ErrorCode, detail: string) {
    super(`${code} ${detail}`)
    this.code = code
    this.detail = detail
  }
}

const descriptions = {
  '101': 'The message is not one that is known here.',
  '102': 'The version is not supported.',
  '201': 'A required element is missing.',
  '202': 'A critical extension is not recognised.',
  '203': 'The format of an element is not valid.',
  '301': 'The transaction is not recognised.',
  '304': 'An ISO code is not valid.',
  '305': 'The transaction data are not valid.',
  '306': 'The merchant category code is not valid.',
  '307': 'The serial number is not valid.',
  '402': 'The transaction timed out.',
  '404': 'The system has failed for good.',
} as const

export type ErrorCode = keyof typeof descriptions

/** Error message about a message, with the transaction ids that are valid in it. */
export function errorMessage(
  { code, detail }: Pick<InvalidMessage, 'code' | 'detail'>,
  about: AcsMessage | undefined,
  component: 'A' | 'D',
): AcsMessage {
  const ids = ['threeDSServerTransID', 'acsTransID', 'dsTransID'].filter((name) => isUuid(about?.[name]))
  const type = about?.['messageType']
  return {
    messageType: 'Erro',
    messageVersion: versionOf(about) ?? oldestVersion,
    errorCode: code,
    errorComponent: component,
    errorDescription: descriptions[code],
    errorDetail: detail,
    ...(typeof type === 'string' && /^[A-Z]\w{3}$/.test(type) ? { errorMessageType: type } : {}),
    ...Object.fromEntries(ids.map((name) => [name, about?.[name]])),
  }
}

/** Message in the body of a request. */
export function readMessage(body: unknown): AcsMessage {
  const message = Buffer.isBuffer(body) ? parseMessage(body.toString('utf8')) : undefined
  if (message === undefined) throw new InvalidMessage('101', 'The body is no JSON object.')
  return message
}

/** JSON object in a text; undefined if the text is anything else. */
export function parseMessage(text: string): AcsMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as AcsMessage)
      : undefined
  } catch {
    return undefined
  }
}

/** Message in a form field. Padding and both base64 alphabets are accepted. */
export function decodeMessage(field: string | null | undefined): AcsMessage | undefined {
  return field ? parseMessage(Buffer.from(field.replaceAll(' ', '+'), 'base64').toString('utf8')) : undefined
}

/** Message for a form field: base64url without padding. */
export function encodeMessage(message: AcsMessage): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

export function versionOf(message: AcsMessage | undefined): AcsProtocolVersion | undefined {
  return supportedVersions.find((version) => version === message?.['messageVersion'])
}

/** Version of a message; throws if it is not supported. */
export function requireVersion(message: AcsMessage): AcsProtocolVersion {
  const claimed = message['messageVersion']
  if (claimed === undefined || claimed === null) throw new InvalidMessage('201', 'messageVersion')
  if (typeof claimed !== 'string' || !/^\d+\.\d+\.\d+$/.test(claimed))
    throw new InvalidMessage('203', 'messageVersion')
  const version = versionOf(message)
  if (!version) throw new InvalidMessage('102', supportedVersions.join(','))
  return version
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value)
}

/** A new id. It never has six digits in a row, which on the bank's page would look like a code. */
export function newTransactionId(random: Random): string {
  for (;;) {
    const id = newUuid(random)
    if (!/\d{6}/.test(id)) return id
  }
}
