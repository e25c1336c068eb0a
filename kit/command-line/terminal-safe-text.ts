import { redact } from '../security/redaction.ts'

/** Text from outside, made safe for a terminal: one line, no control characters, no card numbers. */
export function terminalSafeText(text: string): string {
  return redact(text.normalize('NFC')).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '·')
}

export function truncated(text: string, maxLength: number): string {
  const letters = [...text]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : text
}
