import { redact } from '../../../kit/security/redaction.ts'

const maxFields = 80
const longestName = 60
const longestValue = 200
const longestNumber = 100

/** Fields that are never stored: proofs, signatures and card data. In lower case. */
const secret = /^(md|cavv|pan|cv2|cvv2?|cvv2val|hash.*|.*hash|ecom_payment_card_.*|password|storekey)$/

/**
 * Posted fields that may be stored. Guarantee: no card, proof or hash; few and short fields. Our own
 * reference is not redacted, because its digits can look like a card number.
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

/** Bank's text for operators: one line, limited length, no card number. */
export function redactedLine(text: string, longest: number): string {
  // Reads beyond the cut, so that a card number across it is recognised.
  const clean = redact(text.slice(0, longest + longestNumber).toWellFormed()).replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]+/gu,
    ' ',
  )
  return clean.trim().slice(0, longest).toWellFormed()
}

/** Bank's text, or null if it is empty. */
export function redactedLineOrNull(text: string): string | null {
  return redactedLine(text, longestValue) || null
}
