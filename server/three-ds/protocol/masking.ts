import { redact } from '../../../kit/security/redaction.ts'
import { clip } from './clip.ts'
import { isUuid } from './element-schemas.ts'

/** Elements masked like a card number: the first six and the last four digits are kept. */
const numbers = /^(?:acctNumber|startRange|endRange)$/i
/** Elements masked completely: account secrets, payment proofs and the payer's identity. */
const secrets =
  /^(?:cardExpiryDate|cardSecurityCode|authenticationValue|cardholderName|acctID|payTokenInfo|threeDSSessionData)$|Data$|email|phone|^(?:bill|ship)Addr/i
/** List whose name looks like a secret's. */
const lists = /^cardRangeData$/i
const hidden = '***'

const deepest = 6
const longestText = 500
const longestNumber = 100
const maxEntries = 100
const maxValues = 1_000

/**
 * Copy of a message that may be stored and shown to operators. Guarantee: whatever the input is (invalid, too
 * deep, too large), the copy is small, can be serialized as JSON, and holds no card number and no other
 * secret.
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

/** Identifiers and timestamps can look like card numbers by chance, so they are not redacted. */
function textOf(text: string, name: string): string {
  if (/TransID$/i.test(name) && isUuid(text)) return text
  if (name === 'purchaseDate' && /^\d{14}$/.test(text)) return `${text.slice(0, 8)} ${text.slice(8)}`
  // Reads beyond the cut, so that a card number across it is recognised.
  const clean = redact(text.slice(0, longestText + longestNumber))
  return text.length > longestText ? `${clip(clean, longestText)}…` : clean
}

function numberOf(value: number): number | string {
  const digits = String(value)
  const clean = redact(digits)
  return clean === digits && Number.isFinite(value) ? value : clean
}
