import { asciiLowerCase } from './hash.ts'

/** Posted fields, under their original names. */
export type FormPost = ReadonlyMap<string, string>

const largestBody = 64 * 1024
const maxFields = 200
const longestName = 100

/** Charsets of banks' pages. The second never fails, because every byte is a letter in it. */
export const charsets = ['utf-8', 'iso-8859-9'] as const

/**
 * Reads a posted form; undefined if it is invalid. Guarantee: no name occurs twice, in any case, so that
 * nothing depends on which of two is read.
 */
export function readFormPost(body: Buffer, charset: (typeof charsets)[number]): FormPost | undefined {
  if (body.length === 0 || body.length > largestBody) return undefined
  const parts = body.toString('latin1').split('&')
  if (parts.length > maxFields) return undefined
  const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true })
  const fields = new Map<string, string>()
  const names = new Set<string>()
  for (const part of parts) {
    const [, encodedName = '', encodedValue = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? []
    const name = textOf(encodedName, decoder)
    const value = textOf(encodedValue, decoder)
    if (name === undefined || value === undefined || name === '' || name.length > longestName)
      return undefined
    const folded = asciiLowerCase(name)
    if (names.has(folded)) return undefined
    names.add(folded)
    fields.set(name, value)
  }
  return fields
}

function textOf(encoded: string, decoder: InstanceType<typeof TextDecoder>): string | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(encoded)) return undefined
  const bytes = encoded
    .replaceAll('+', ' ')
    .replaceAll(/%(..)/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  try {
    return decoder.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}
