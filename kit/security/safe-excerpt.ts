import { redact } from './redaction.ts'

const longest = 40

/**
 * What may be repeated of a value of a file. Columns may be shifted, so it can be anything: a card number, in whatever
 * digits, or what steers a terminal.
 */
export function safeExcerpt(text: string): string {
  const shown = redact(text.normalize('NFKC')).replaceAll(/[\p{C}\p{Zl}\p{Zp}]|(?![0-9])\p{Nd}/gu, '·')
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown
}
