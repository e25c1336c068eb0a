import { constants, deflateRawSync } from 'node:zlib'

type Piece = string | StaticHtml

/** Markup that is safe on a page. Only this file's functions create it. */
export class Html {
  /** Individual and shared parts, in order. */
  readonly pieces: readonly Piece[]

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces
  }

  get text(): string {
    return this.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
  }
}

/** Trusted markup, inserted unescaped: a style, a script, a part of one of our pages. */
export function rawHtml(text: string): Html {
  return new Html([text])
}

/** Markup shared by many pages, so that it is compressed once. */
export class StaticHtml {
  readonly text: string
  readonly bytes: Buffer
  #deflated: Buffer | undefined

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.from(text)
  }

  /** Complete DEFLATE blocks without a final one: they can be inserted anywhere in a stream. */
  get deflated(): Buffer {
    this.#deflated ??= deflateRawSync(this.bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
    return this.#deflated
  }
}

export type HtmlContent = Html | string | number | undefined | readonly HtmlContent[]

/** Markup as written in the template, with all inserted values escaped. */
export function html(parts: TemplateStringsArray, ...holes: HtmlContent[]): Html {
  const pieces: Piece[] = []
  for (const [index, literal] of parts.entries()) {
    appendPiece(pieces, literal)
    appendContent(pieces, holes[index])
  }
  return new Html(pieces)
}

function appendContent(pieces: Piece[], content: HtmlContent): void {
  if (typeof content === 'string') appendPiece(pieces, escaped(content))
  else if (typeof content === 'number') appendPiece(pieces, String(content))
  else if (content instanceof Html) for (const piece of content.pieces) appendPiece(pieces, piece)
  else if (content !== undefined) for (const each of content) appendContent(pieces, each)
}

/** Texts that follow each other become one piece. */
function appendPiece(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1)
  if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece
  else if (piece !== '') pieces.push(piece)
}

/** Compressing less saves too little, and each block takes time. */
const shortestConstant = 256

/** Markup as a shared part, to be built once and used in many pages. */
export function asStaticHtml({ text }: Html): Html {
  return new Html([text.length < shortestConstant ? text : new StaticHtml(text)])
}

/** A sentence of the documents; text between backticks is shown as code. */
export function htmlWithBackticksAsCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

const signs = /[&<>"']/

/** Most values need no escaping, and a test costs far less than replacing. */
function escaped(text: string): string {
  if (!signs.test(text)) return text
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
