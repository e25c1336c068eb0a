/** Markup that may stand on the page as it is. Only the functions of this file make any. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Content = Html | string | number | undefined | readonly Content[]

/** Markup as written, with everything that is put into it escaped. */
export function html(parts: TemplateStringsArray, ...holes: Content[]): Html {
  return new Html(parts.map((part, index) => part + textOf(holes[index])).join(''))
}

/** A sentence of the documents: what stands between backticks is code. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function textOf(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return String(content).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
