import { constants, crc32, deflateRawSync } from 'node:zlib'
import { BoundedCache } from '../runtime/bounded-cache.ts'

/** UTF-8 bytes, one character per byte. */
export type ByteString = string & { readonly [isBytes]: true }
declare const isBytes: unique symbol

/**
 * Markup that is safe on a page. Only this file's functions create it. It is kept as UTF-8 bytes, one
 * character per byte: a single wide character would make the whole joined string use two bytes per character,
 * and such a string is sent thirty times as slowly.
 */
export class Html {
  /** Individual and shared parts, in order. */
  readonly pieces: readonly (ByteString | StaticHtml)[]

  constructor(pieces: readonly (ByteString | StaticHtml)[]) {
    this.pieces = pieces
  }

  get text(): string {
    return this.pieces.map((piece) => (typeof piece === 'string' ? textOf(piece) : piece.text)).join('')
  }
}

const wide = /[\u0080-\uffff]/

/** Cache of encoded texts. Most non-ASCII texts are our own and occur on every page. */
const wideTexts = new BoundedCache<string, ByteString>(5_000)
const longestRemembered = 200

function bytesOf(text: string): ByteString {
  if (!wide.test(text)) return text as ByteString
  return text.length > longestRemembered ? madeBytes(text) : wideTexts.get(text, madeBytes)
}

function madeBytes(text: string): ByteString {
  return Buffer.from(text).toString('latin1') as ByteString
}

function textOf(bytes: ByteString): string {
  return Buffer.from(bytes, 'latin1').toString()
}

/** Trusted markup, inserted unescaped: a style, a script, a part of one of our pages. */
export function rawHtml(text: string): Html {
  return new Html([bytesOf(text)])
}

/** Markup shared by many pages, so that it is compressed once. */
export class StaticHtml {
  readonly text: string
  readonly bytes: Buffer
  #deflated: Buffer | undefined
  #sums: Sums | undefined

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.from(text)
  }

  /** Complete DEFLATE blocks without a final one: they can be inserted anywhere in a stream. */
  get deflated(): Buffer {
    this.#deflated ??= deflateRawSync(this.bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
    return this.#deflated
  }

  /** CRC-32 of the bytes before, continued with this part. */
  sumAfter(before: number): number {
    this.#sums ??= sumsOf(this.bytes)
    let sum = this.#sums.alone
    for (let four = 0; four < 8; four++)
      sum ^= this.#sums.ofFour[16 * four + ((before >>> (4 * four)) & 15)] ?? 0
    return sum >>> 0
  }
}

/** Effect of these bytes on a CRC: a constant part, and one for each four bits of the sum before. */
interface Sums {
  alone: number
  ofFour: Int32Array
}

/** CRC-32 is linear: each bit of the sum before has its own effect, so the bytes need not be read again. */
function sumsOf(bytes: Buffer): Sums {
  const alone = crc32(bytes)
  const ofFour = Int32Array.from({ length: 8 * 16 }, (_, index) => {
    const before = (index % 16) * 16 ** Math.floor(index / 16)
    return crc32(bytes, before) ^ alone
  })
  return { alone, ofFour }
}

export type HtmlContent = Html | string | number | undefined | readonly HtmlContent[]

/** Markup as written in the template, with all inserted values escaped. */
export function html(parts: TemplateStringsArray, ...holes: HtmlContent[]): Html {
  const literals = literalsOf(parts)
  const joined = new Joined()
  for (let index = 0; index < literals.length; index++) {
    joined.add(literals[index] as ByteString)
    joined.put(holes[index])
  }
  return new Html(joined.end())
}

/** Encoded literals of each template; they never change. */
const known = new WeakMap<TemplateStringsArray, readonly ByteString[]>()

function literalsOf(parts: TemplateStringsArray): readonly ByteString[] {
  let literals = known.get(parts)
  if (!literals) {
    literals = parts.map(bytesOf)
    known.set(parts, literals)
  }
  return literals
}

/** Collects pieces in order. */
class Joined {
  readonly #pieces: (ByteString | StaticHtml)[] = []
  /** Text after the last shared part. */
  #bytes = ''

  add(bytes: ByteString): void {
    this.#bytes += bytes
  }

  put(content: HtmlContent): void {
    if (typeof content === 'string') this.#bytes += escaped(content)
    else if (typeof content === 'number') this.#bytes += content
    else if (content instanceof Html) for (const piece of content.pieces) this.#putPiece(piece)
    else if (content !== undefined) for (const each of content) this.put(each)
  }

  #putPiece(piece: ByteString | StaticHtml): void {
    if (typeof piece === 'string') this.#bytes += piece
    else {
      this.#closeText()
      this.#pieces.push(piece)
    }
  }

  /** The text was built from encoded pieces only, so the cast is safe. */
  #closeText(): void {
    if (this.#bytes !== '') this.#pieces.push(this.#bytes as ByteString)
    this.#bytes = ''
  }

  end(): (ByteString | StaticHtml)[] {
    this.#closeText()
    return this.#pieces
  }
}

/** Compressing less saves too little, and each block takes time. */
const shortestConstant = 256

/** Markup as a shared part, to be built once and used in many pages. */
export function asStaticHtml({ text }: Html): Html {
  return new Html([text.length < shortestConstant ? bytesOf(text) : new StaticHtml(text)])
}

/** A sentence of the documents; text between backticks is shown as code. */
export function htmlWithBackticksAsCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

const signs = /[&<>"']/

/** Most values need no escaping, and a test costs far less than replacing. */
function escaped(text: string): string {
  if (!signs.test(text)) return bytesOf(text)
  return bytesOf(text)
    .replaceAll('&', '&#38;')
    .replaceAll('<', '&#60;')
    .replaceAll('>', '&#62;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;')
}
