import { redact } from '../../../kit/security/redaction.ts'

/** Error codes of the protocol that we send, with the descriptions for an Erro. */
const descriptions = {
  '101': 'The message is not one that is expected here.',
  '102': 'The version of the message is not supported.',
  '201': 'A required element is missing.',
  '202': 'A critical message extension is not recognised.',
  '203': 'The format or the value of an element is invalid.',
  '204': 'An element is in the message more than once.',
  '301': 'The transaction is not known by these identifiers.',
  '305': 'The data of the transaction are not valid.',
  '307': 'The serial number is not valid.',
} as const

export type ProtocolErrorCode = keyof typeof descriptions

export interface ProtocolError {
  code: ProtocolErrorCode
  description: string
  /** Names of the affected elements, separated by commas. */
  detail: string
}

/** The message, or the reason why it is invalid. */
export type ProtocolReadResult<Message> = { message: Message } | { error: ProtocolError }

const longestDetail = 2048

/** Guarantee: the detail holds only possible element names, so no value of a message gets into it. */
export function protocolError(code: ProtocolErrorCode, ...elements: readonly string[]): ProtocolError {
  const names = new Set(elements.map((element) => (isName(element) ? element : 'unnamed')))
  return { code, description: descriptions[code], detail: [...names].join(',').slice(0, longestDetail) }
}

function isName(text: string): boolean {
  return /^[A-Za-z][\w.-]{0,63}$/.test(text) && redact(text) === text
}
