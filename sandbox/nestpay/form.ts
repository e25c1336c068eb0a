import { decodeLatin5 } from './latin5.ts'

/** Fields of a form by name. */
export type FormFields = ReadonlyMap<string, string>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a form as UTF-8, or as ISO-8859-9 if it is not valid UTF-8. Returns undefined if a name occurs twice,
 * because it is unclear which value is signed, and if a text contains NUL.
 */
export function readForm(body: unknown): FormFields | undefined {
  if (!Buffer.isBuffer(body)) return undefined
  const pairs = body
    .toString('latin1')
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      return equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
    })
    .map((pair) => pair.map(bytesOf))
  const decode = pairs.flat().every(isUtf8) ? (bytes: Buffer) => utf8.decode(bytes) : decodeLatin5
  const fields = new Map(pairs.map(([name = empty, value = empty]) => [decode(name), decode(value)]))
  const isSound = ![...fields].flat().some((text) => text.includes('\0'))
  return isSound && fields.size === pairs.length ? fields : undefined
}

const empty = Buffer.alloc(0)

function bytesOf(part: string): Buffer {
  const text = part.replaceAll('+', ' ').replaceAll(/%([\da-f]{2})/gi, (_whole, digits: string) => {
    return String.fromCharCode(Number.parseInt(digits, 16))
  })
  return Buffer.from(text, 'latin1')
}

function isUtf8(bytes: Buffer): boolean {
  try {
    utf8.decode(bytes)
    return true
  } catch {
    return false
  }
}
