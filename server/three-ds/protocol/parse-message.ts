import { duplicateNamePaths } from '../../../kit/text/json.ts'
import type { ProtocolError } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'

/**
 * Parses a message from a server. Guarantee: a message with a repeated element is refused. `JSON.parse` would
 * take the last value, while another reader may have taken the first.
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

/** Number of repeated elements named in the error. */
const maxDoubled = 10

/** Maximum nesting. Real messages have a few levels; deep nesting could overflow the stack. */
const deepest = 50

/** True if brackets are nested too deeply. Brackets in strings are counted as well. */
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
