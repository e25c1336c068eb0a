import type { Random } from '../security/random.ts'
import { redact } from '../security/redaction.ts'

const shape = /^[\w-]{1,64}$/

/**
 * Gives every request an id: the caller's own if it is safe to log and return, otherwise a new one. An id
 * that looks like a key, a token or a card number is not accepted, because ids are logged.
 */
export function requestIdGenerator(random: Random): (header: string | string[] | undefined) => string {
  const start = random.bytes(9).toString('base64url')
  let count = 0
  return (header) => {
    if (typeof header === 'string' && shape.test(header) && redact(header) === header) return header
    count += 1
    return `${start}-${count.toString(36)}`
  }
}
