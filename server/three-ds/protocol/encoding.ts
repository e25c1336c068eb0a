/** Upper limit, longer than any message sent through a browser. */
const longestEncoded = 64 * 1024

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Encodes a message for the browser: JSON in UTF-8, base64url without padding. */
export function encodeMessage(value: object): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
}

/**
 * Decodes a message from a browser. Some ACSs encode incorrectly, so padding, the standard alphabet and white
 * space are accepted. Guarantee: it never throws; without valid JSON it returns undefined.
 */
export function decodeMessage(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > longestEncoded) return undefined
  // A space can be a plus of a form that was decoded twice, or a line break.
  return decodedJson(text.replaceAll(' ', '+')) ?? decodedJson(text)
}

function decodedJson(text: string): unknown {
  const plain = text.replaceAll(/\s/g, '')
  if (!/^[\w+/-]+={0,2}$/.test(plain)) return undefined
  try {
    return JSON.parse(strictUtf8.decode(Buffer.from(plain, 'base64')))
  } catch {
    return undefined
  }
}
