import { redact } from '../../../kit/security/redaction.ts'
import { clip } from './clip.ts'
import { isUuid } from './element-schemas.ts'

/** Elements that are shown as a card's number is: its first six digits and its last four. */
const numbers = /^(?:acctNumber|startRange|endRange)$/i
/** Elements of which nothing is kept: what opens an account, what proves a payment, and who the payer is. */
const secrets =
  /^(?:cardExpiryDate|cardSecurityCode|authenticationValue|cardholderName|acctID|payTokenInfo|threeDSSessionData)$|Data$|email|phone|^(?:bill|ship)Addr/i
/** Ends like a secret and is a list of elements. */
const lists = /^cardRangeData$/i
const hidden = '***'

const deepest = 6
const longestText = 500
const longestNumber = 100
const maxEntries = 100
const maxValues = 1_000

/**
 * A copy of a message that may be kept and shown to operators. Guarantee: whatever the message is (no message at all, too
 * deep, too large), the copy is small, of JSON, and holds neither a card number nor what else must not be kept.
 */
export function maskedMessage(message: unknown): object {
  const copy = new Masking().copyOf(message, '', 0)
  return typeof copy === 'object' && copy !== null ? copy : { value: copy }
}

class Masking {
  #left = maxValues

  copyOf(value: unknown, name: string, depth: number): unknown {
    if (this.#left-- <= 0) return '…'
    if (numbers.test(name)) return maskedNumber(value)
    if (secrets.test(name) && !lists.test(name)) return hidden
    if (typeof value === 'string') return textOf(value, name)
    if (typeof value === 'number') return numberOf(value)
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value !== 'object') return '…'
    if (depth >= deepest) return '…'
    return Array.isArray(value) ? this.#list(value, name, depth) : this.#object(value, depth)
  }

  #list(values: readonly unknown[], name: string, depth: number): unknown[] {
    const copies = values.slice(0, maxEntries).map((value) => this.copyOf(value, name, depth + 1))
    return values.length > maxEntries ? [...copies, '…'] : copies
  }

  #object(value: object, depth: number): Record<string, unknown> {
    const entries = Object.entries(value)
    const copies = entries
      .slice(0, maxEntries)
      .map(([name, each]) => [textOf(name, ''), this.copyOf(each, name, depth + 1)] as const)
    return Object.fromEntries(entries.length > maxEntries ? [...copies, ['…', '…']] : copies)
  }
}

function maskedNumber(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{13,19}$/.test(value)) return hidden
  return `${value.slice(0, 6)}${'*'.repeat(value.length - 10)}${value.slice(-4)}`
}

/** An identifier has digits enough to look like a card number by chance, and a moment too. */
function textOf(text: string, name: string): string {
  if (/TransID$/i.test(name) && isUuid(text)) return text
  if (name === 'purchaseDate' && /^\d{14}$/.test(text)) return `${text.slice(0, 8)} ${text.slice(8)}`
  // No more of it is looked through than is kept, and as much beyond as a number may have that begins within.
  const clean = redact(text.slice(0, longestText + longestNumber))
  return text.length > longestText ? `${clip(clean, longestText)}…` : clean
}

function numberOf(value: number): number | string {
  const digits = String(value)
  const clean = redact(digits)
  return clean === digits && Number.isFinite(value) ? value : clean
}
