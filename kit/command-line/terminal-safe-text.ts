import { redact } from '../security/redaction.ts'

/** What others wrote, for a terminal: on one line, without what steers it, and without a card number. */
export function terminalSafeText(text: string): string {
  return redact(text.normalize('NFC')).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '·')
}

/** Its beginning, if it is longer than so many letters. */
export function truncated(text: string, maxLength: number): string {
  const letters = [...text]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : text
}
