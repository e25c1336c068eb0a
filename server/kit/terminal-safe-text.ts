import { redact } from './redaction.ts'

/** What others wrote, for a terminal: on one line, without what steers it, and without a card number. */
export function terminalSafeText(text: string): string {
  return redact(text.normalize('NFC')).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '·')
}

/** Its beginning, if it is longer than so many letters. */
export function truncated(text: string, most: number): string {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}
