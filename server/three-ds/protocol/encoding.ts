/** Longer than any message that travels through a browser. */
const longestEncoded = 64 * 1024

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** A message as it travels through a browser: JSON in UTF-8, in base64url without padding. */
export function encodeMessage(value: object): string {
  return encodeText(JSON.stringify(value))
}

/**
 * The message that came through a browser. Not every ACS encodes as it should, so padding, the standard alphabet and
 * white space are taken too. Guarantee: whatever came, it answers, and with undefined where there is no JSON in it.
 */
export function decodeMessage(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  // A space may have been a plus before somebody read the form twice, or may only part lines.
  return jsonIn(decodeText(text.replaceAll(' ', '+'))) ?? jsonIn(decodeText(text))
}

/** A text as it travels through a browser. */
export function encodeText(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

/** The text of what came, as leniently as a message is read; undefined when it is none. */
export function decodeText(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > longestEncoded) return undefined
  const plain = text.replaceAll(/\s/g, '')
  if (!/^[\w+/-]+={0,2}$/.test(plain)) return undefined
  try {
    return strictUtf8.decode(Buffer.from(plain, 'base64'))
  } catch {
    return undefined
  }
}

function jsonIn(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
