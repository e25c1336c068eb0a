import type { Element } from '@xmldom/xmldom'
import type { HttpResponse } from '../../../kit/outbound/http-client.ts'
import { lazyPackage } from '../../../kit/runtime/lazy.ts'

const xmldom = lazyPackage<typeof import('@xmldom/xmldom')>('@xmldom/xmldom')

/** Nested elements of a request. Empty elements are sent too. */
export interface RequestTree {
  readonly [name: string]: string | RequestTree
}

/** Elements of an answer, and those of its `Extra`. A missing element has no entry. */
export interface NestpayResponse {
  own: Readonly<Record<string, string>>
  extra: Readonly<Record<string, string>>
}

/** More than any real answer has. A document of tags alone would keep the parser busy. */
const maxTags = 5000

const charsets: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  'us-ascii': 'utf-8',
  'iso-8859-9': 'iso-8859-9',
  'windows-1254': 'iso-8859-9',
}

/** Request as XML. It is plain ASCII, which is the same in every charset. */
export function requestXml(tree: RequestTree): string {
  return `<?xml version="1.0" encoding="ISO-8859-9"?>\n${elementsOf({ CC5Request: tree })}`
}

function elementsOf(tree: RequestTree): string {
  return Object.entries(tree)
    .map(
      ([name, inner]) =>
        `<${name}>${typeof inner === 'string' ? escaped(inner) : elementsOf(inner)}</${name}>`,
    )
    .join('')
}

function escaped(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x20-\x7e]|[&<>"']/gu, (letter) => `&#${letter.codePointAt(0)};`)
}

/**
 * Reads an answer of the bank, or returns why it is invalid. Guarantee: an incomplete document, another
 * document type, declarations such as a DOCTYPE, and repeated elements are refused.
 */
export function readResponseXml({ status, headers, body }: HttpResponse): NestpayResponse | { why: string } {
  // Any other status does not come from the bank's application.
  if (status !== 200) return { why: `the answer has the HTTP status ${status}` }
  const text = decoded(body, headers.get('content-type') ?? '')
  if (text === undefined) return { why: 'the answer has an unsupported character set' }
  if (/<!(?!--|\[CDATA\[)/.test(text)) return { why: 'the answer contains declarations' }
  if (text.split('<', maxTags + 2).length > maxTags + 1) return { why: 'the answer has too many elements' }
  const root = rootOf(text)
  if (root?.tagName !== 'CC5Response') return { why: 'the answer has an unknown format' }
  const own = textsOf(root)
  const extras = childrenOf(root).filter(({ tagName }) => tagName === 'Extra')
  const extra = extras[0] ? textsOf(extras[0]) : {}
  return own && extra && extras.length <= 1 ? { own, extra } : { why: 'the answer has an element twice' }
}

function decoded(body: Buffer, contentType: string): string | undefined {
  const start = body.subarray(0, 200).toString('latin1')
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding=["']([\w-]+)["']/.exec(start)?.[1]
  const charsetName = declared ?? /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  const charset = charsets[charsetName.toLowerCase()]
  if (charset === undefined) return undefined
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body)
  } catch {
    // Only texts for people hold non-ASCII letters; the fields that decide are the same in both charsets.
    return new TextDecoder('iso-8859-9').decode(body)
  }
}

function rootOf(text: string): Element | undefined {
  try {
    const { DOMParser, onWarningStopParsing } = xmldom()
    const parser = new DOMParser({ onError: onWarningStopParsing, locator: false })
    return parser.parseFromString(text, 'text/xml').documentElement ?? undefined
  } catch {
    return undefined
  }
}

function childrenOf(element: Element): Element[] {
  return Array.from(element.childNodes).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE)
}

/** Elements that hold only text; undefined if one is repeated. */
function textsOf(element: Element): Record<string, string> | undefined {
  const leaves = childrenOf(element).filter((child) => childrenOf(child).length === 0)
  const texts = new Map(leaves.map(({ tagName, textContent }) => [tagName, (textContent ?? '').trim()]))
  return texts.size === leaves.length ? Object.fromEntries(texts) : undefined
}
