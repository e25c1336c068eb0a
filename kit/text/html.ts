import { constants, crc32, deflateRawSync } from 'node:zlib'
import { BoundedCache } from '../runtime/bounded-cache.ts'

/** The bytes of UTF-8, each a letter. */
export type ByteString = string & { readonly [isBytes]: true }
declare const isBytes: unique symbol

/**
 * Markup that may stand on the page as it is. Only the functions of this file make any. While it is put together it is
 * kept as the bytes of UTF-8, each a letter: one letter that takes two bytes makes the whole text that it is joined to
 * take two for each, and such a text is sent thirty times as slowly.
 */
export class Html {
  /** What is made for one visitor, and what is the same for many, in their order. */
  readonly pieces: readonly (ByteString | StaticHtml)[]

  constructor(pieces: readonly (ByteString | StaticHtml)[]) {
    this.pieces = pieces
  }

  get text(): string {
    return this.pieces.map((piece) => (typeof piece === 'string' ? textOf(piece) : piece.text)).join('')
  }
}

const wide = /[\u0080-\uffff]/

/** Most such texts are words of ours, and are on every page. */
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

/** Markup that somebody else has written, as it is: a style, a script, a part of a page of ours. */
export function rawHtml(text: string): Html {
  return new Html([bytesOf(text)])
}

/** Markup that is the same for many, so that it is compressed once. */
export class StaticHtml {
  readonly text: string
  readonly bytes: Buffer
  #deflated: Buffer | undefined
  #sums: Sums | undefined

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.from(text)
  }

  /** Whole blocks of DEFLATE, none of them the last: they can stand anywhere in a stream of others. */
  get deflated(): Buffer {
    this.#deflated ??= deflateRawSync(this.bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
    return this.#deflated
  }

  /** The CRC-32 of whatever had this one, followed by this. */
  sumAfter(before: number): number {
    this.#sums ??= sumsOf(this.bytes)
    let sum = this.#sums.alone
    for (let four = 0; four < 8; four++)
      sum ^= this.#sums.ofFour[16 * four + ((before >>> (4 * four)) & 15)] ?? 0
    return sum >>> 0
  }
}

/** What some bytes make of a sum: a part of their own, and one for each four bits that there were before. */
interface Sums {
  alone: number
  ofFour: Int32Array
}

/** Bits go their own ways through the bytes, which need not be read again for a sum that has other bits. */
function sumsOf(bytes: Buffer): Sums {
  const alone = crc32(bytes)
  const ofFour = Int32Array.from({ length: 8 * 16 }, (_, index) => {
    const before = (index % 16) * 16 ** Math.floor(index / 16)
    return crc32(bytes, before) ^ alone
  })
  return { alone, ofFour }
}

export type HtmlContent = Html | string | number | undefined | readonly HtmlContent[]

/** Markup as written, with everything that is put into it escaped. */
export function html(parts: TemplateStringsArray, ...holes: HtmlContent[]): Html {
  const literals = literalsOf(parts)
  const joined = new Joined()
  for (let index = 0; index < literals.length; index++) {
    joined.add(literals[index] as ByteString)
    joined.put(holes[index])
  }
  return new Html(joined.end())
}

/** What stands in the source, which is the same however often it is run. */
const known = new WeakMap<TemplateStringsArray, readonly ByteString[]>()

function literalsOf(parts: TemplateStringsArray): readonly ByteString[] {
  let literals = known.get(parts)
  if (!literals) {
    literals = parts.map(bytesOf)
    known.set(parts, literals)
  }
  return literals
}

/** Pieces one behind the other. */
class Joined {
  readonly #pieces: (ByteString | StaticHtml)[] = []
  /** What follows the last constant. */
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

  /** What bytes are joined to is bytes. */
  #closeText(): void {
    if (this.#bytes !== '') this.#pieces.push(this.#bytes as ByteString)
    this.#bytes = ''
  }

  end(): (ByteString | StaticHtml)[] {
    this.#closeText()
    return this.#pieces
  }
}

/** Compressing less than this makes a page hardly shorter, and each block takes time. */
const shortestConstant = 256

/** The same markup, to be made once and put into many pages. */
export function asStaticHtml({ text }: Html): Html {
  return new Html([text.length < shortestConstant ? bytesOf(text) : new StaticHtml(text)])
}

/** A sentence of the documents: what stands between backticks is code. */
export function htmlWithBackticksAsCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

const signs = /[&<>"']/

/** Most of what is put in has nothing to escape, and looking costs far less than replacing. */
function escaped(text: string): string {
  if (!signs.test(text)) return bytesOf(text)
  return bytesOf(text)
    .replaceAll('&', '&#38;')
    .replaceAll('<', '&#60;')
    .replaceAll('>', '&#62;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;')
}
