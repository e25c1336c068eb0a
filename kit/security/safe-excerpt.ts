import { redact } from './redaction.ts'

const longest = 40

/**
 * The part of a file's value that is safe to print. Columns may be shifted, so the value can be anything: a
 * card number in any script's digits, or terminal control characters.
 */
export function safeExcerpt(text: string): string {
  const shown = redact(text.normalize('NFKC')).replaceAll(/[\p{C}\p{Zl}\p{Zp}]|(?![0-9])\p{Nd}/gu, '·')
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown
}
