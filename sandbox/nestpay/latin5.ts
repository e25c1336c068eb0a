/** ISO-8859-9, the encoding that NestPay banks still use: Latin-1 with six Turkish letters. */
const letters: ReadonlyMap<string, number> = new Map([
  ['Ğ', 0xd0],
  ['İ', 0xdd],
  ['Ş', 0xde],
  ['ğ', 0xf0],
  ['ı', 0xfd],
  ['ş', 0xfe],
])

const replaced = new Set(letters.values())

const decoder = new TextDecoder('iso-8859-9')

export function decodeLatin5(bytes: Buffer): string {
  return decoder.decode(bytes)
}

/** Characters outside the alphabet become question marks. */
export function encodeLatin5(text: string): Buffer {
  return Buffer.from(Array.from(text, byteOf))
}

function byteOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0
  return letters.get(letter) ?? (code > 0xff || replaced.has(code) ? 0x3f : code)
}
