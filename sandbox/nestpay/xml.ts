import { lazyPackage } from '../../kit/runtime/lazy.ts'
import type { FormFields } from './form.ts'
import { readForm } from './form.ts'
import { decodeLatin5, encodeLatin5 } from './latin5.ts'

const xmldom = lazyPackage<typeof import('@xmldom/xmldom')>('@xmldom/xmldom')

/**
 * A request to the API: its elements, and the elements of its `Extra`. Absent and empty elements are
 * equivalent.
 */
export interface Cc5Request {
  fields: FormFields
  extra: FormFields
}

/** An answer of the API. A missing key is an absent element, not an empty one. */
export interface Cc5Response {
  fields: Readonly<Record<string, string>>
  extra: Readonly<Record<string, string>>
}

export const xmlType = 'text/xml; charset=ISO-8859-9'
const declaration = '<?xml version="1.0" encoding="ISO-8859-9"?>'

/** Reads a request: a bare body or the form field `DATA`. Undefined if it is not valid. */
export function readRequest(body: unknown): Cc5Request | undefined {
  if (!Buffer.isBuffer(body)) return undefined
  const isForm = /^DATA=/.test(body.subarray(0, 5).toString('latin1'))
  const text = isForm ? readForm(body)?.get('DATA') : decoded(body)
  // A document type allows entity expansion without limit, and no request needs one.
  if (text === undefined || /<!doctype/i.test(text)) return undefined
  try {
    const { DOMParser, onWarningStopParsing } = xmldom()
    const parser = new DOMParser({ onError: onWarningStopParsing, locator: false })
    const root = parser.parseFromString(text, 'text/xml').documentElement
    if (root?.tagName !== 'CC5Request') return undefined
    const extra = childrenOf(root).find(({ tagName }) => tagName === 'Extra')
    return { fields: textsOf(root), extra: extra ? textsOf(extra) : new Map() }
  } catch {
    return undefined
  }
}

/** Decodes by the declared encoding; UTF-8 without a declaration, as XML defines. */
function decoded(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 200).toString('latin1')
  const [, encoding = 'utf-8'] = /^\s*<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(head) ?? []
  if (/^(iso-8859-9|latin5)$/i.test(encoding)) return decodeLatin5(bytes)
  return /^utf-?8$/i.test(encoding) ? bytes.toString('utf8') : undefined
}

interface Element {
  tagName: string
  textContent: string | null
  childNodes: Iterable<unknown>
}

function childrenOf({ childNodes }: Element): Element[] {
  return [...childNodes].filter((node): node is Element => {
    return typeof node === 'object' && node !== null && 'tagName' in node
  })
}

function textsOf(element: Element): FormFields {
  return new Map(childrenOf(element).map(({ tagName, textContent }) => [tagName, (textContent ?? '').trim()]))
}

/** Writes an answer in ISO-8859-9, as its declaration states. */
export function writeResponse({ fields, extra }: Cc5Response): Buffer {
  const elements = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, text]) =>
      text === '' ? `<${name}/>` : `<${name}>${escaped(text)}</${name}>`,
    )
  const lines = [...elements(fields), '<Extra>', ...elements(extra), '</Extra>']
  return encodeLatin5([declaration, '<CC5Response>', ...lines, '</CC5Response>', ''].join('\n'))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\t': '&#9;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>\t]/g, (letter) => entities[letter] ?? letter)
}
