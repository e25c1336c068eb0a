import { constants, deflateRawSync } from 'node:zlib'

/** Markup that may stand on the page as it is. Only the functions of this file make any. */
export class Html {
  /** What is made for one visitor, and what is the same for many, in their order. */
  readonly pieces: readonly (string | Constant)[]

  constructor(pieces: readonly (string | Constant)[]) {
    this.pieces = pieces
  }

  get text(): string {
    return this.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
  }
}

/** Markup that is the same for many, so that it is compressed once. */
export class Constant {
  readonly text: string
  readonly bytes: Buffer
  #deflated: Buffer | undefined

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.from(text)
  }

  /** Whole blocks of DEFLATE, none of them the last: they can stand anywhere in a stream of others. */
  get deflated(): Buffer {
    this.#deflated ??= deflateRawSync(this.bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
    return this.#deflated
  }
}

export type Content = Html | string | number | undefined | readonly Content[]

/** Markup as written, with everything that is put into it escaped. */
export function html(parts: TemplateStringsArray, ...holes: Content[]): Html {
  const joined = new Joined(parts[0] ?? '')
  for (let index = 0; index < holes.length; index++) {
    joined.put(holes[index])
    joined.text += parts[index + 1] ?? ''
  }
  return new Html(joined.end())
}

/** Pieces one behind the other. */
class Joined {
  readonly #pieces: (string | Constant)[] = []
  /** What follows the last constant. */
  text: string

  constructor(text: string) {
    this.text = text
  }

  put(content: Content): void {
    if (typeof content === 'string') this.text += escaped(content)
    else if (typeof content === 'number') this.text += content
    else if (content instanceof Html) for (const piece of content.pieces) this.#putPiece(piece)
    else if (content !== undefined) for (const each of content) this.put(each)
  }

  #putPiece(piece: string | Constant): void {
    if (typeof piece === 'string') this.text += piece
    else {
      this.#pieces.push(this.text, piece)
      this.text = ''
    }
  }

  end(): (string | Constant)[] {
    this.#pieces.push(this.text)
    return this.#pieces
  }
}

/** The same markup, to be made once and put into many pages. */
export function constant(markup: Html): Html {
  return new Html([new Constant(markup.text)])
}

/** A sentence of the documents: what stands between backticks is code. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

const signs = /[&<>"']/

/** Most of what is put in has nothing to escape, and looking costs far less than replacing. */
function escaped(text: string): string {
  if (!signs.test(text)) return text
  return text
    .replaceAll('&', '&#38;')
    .replaceAll('<', '&#60;')
    .replaceAll('>', '&#62;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;')
}
