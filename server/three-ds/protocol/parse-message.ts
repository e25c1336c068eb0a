import { duplicateNamePaths } from '../../../kit/text/json.ts'
import type { ProtocolError } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'

/**
 * The JSON of a message that came from server to server. Guarantee: of an element that is there twice neither is chosen.
 * What `JSON.parse` makes of one is the last, and another reader of the same message may have taken the first.
 */
export function parseMessage(text: string): { value: unknown } | { error: ProtocolError } {
  if (isTooDeep(text)) return { error: protocolError('101') }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { error: protocolError('101') }
  }
  const doubled = duplicateNamePaths(text)
    .take(maxDoubled)
    .map((path) => path.at(-1) ?? '')
    .toArray()
  return doubled.length > 0 ? { error: protocolError('204', ...doubled) } : { value }
}

/** Some of them will do where there are many. */
const maxDoubled = 10

/** No message is deeper than a few levels; what is, would take the reader itself apart. */
const deepest = 50

/** Whether it opens more brackets within each other than a message has. A bracket in a string may count too. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x7b || code === 0x5b) depth += 1
    if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > deepest) return true
  }
  return false
}
