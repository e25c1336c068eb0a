import { redact } from '../../../kit/security/redaction.ts'

const maxFields = 80
const longestName = 60
const longestValue = 200
const longestNumber = 100

/** What proves or signs something, and what is on the card: never kept. In small letters. */
const secret = /^(md|cavv|pan|cv2|cvv2?|cvv2val|hash.*|.*hash|ecom_payment_card_.*|password|storekey)$/

/**
 * What may be kept of what was posted. Guarantee: neither card nor proof nor hash, few and short fields. Our own reference
 * is kept as it is: its digits may look like those of a card.
 */
export function redactedTraceOf(
  fields: Iterable<readonly [string, string]>,
  reference: string,
): Readonly<Record<string, string>> {
  const trace: [string, string][] = []
  for (const [name, value] of fields) {
    if (trace.length === maxFields) break
    const isKept = name.toLowerCase() === 'hashalgorithm' || !secret.test(name.toLowerCase())
    if (!isKept) continue
    const shown = value === reference ? value : redactedLine(value, longestValue)
    trace.push([redactedLine(name, longestName), shown])
  }
  return Object.fromEntries(trace)
}

/** What the bank wrote, for people: on one line, not too long, and without a card number. */
export function redactedLine(text: string, longest: number): string {
  // No more of it is looked through than is kept, and as much beyond as a number may have that begins within.
  const clean = redact(text.slice(0, longest + longestNumber).toWellFormed()).replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]+/gu,
    ' ',
  )
  return clean.trim().slice(0, longest).toWellFormed()
}

/** The same where there may be nothing to say. */
export function redactedLineOrNull(text: string): string | null {
  return redactedLine(text, longestValue) || null
}
