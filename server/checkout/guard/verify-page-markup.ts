import type { FileWithIntegrity } from '../files/assets.ts'
import { styleSource } from '../files/inline-style.ts'

/** Difference from the release. */
export interface PageDifference {
  what: string
  expected: string
  received: string
}

/** Files that a page of ours must load. */
export interface ExpectedFiles {
  scripts: readonly FileWithIntegrity[]
  styles: readonly FileWithIntegrity[]
  /** Sources of the styles inside the page, as its policy names them. */
  inlineStyles: readonly string[]
  /** True for addresses allowed for pictures and icons. */
  isPicture(address: string): boolean
  /** Values allowed for the attributes in which our scripts read addresses. */
  scriptAddresses: Readonly<Record<'data-page' | 'data-list' | 'data-framers', readonly string[]>>
}

interface Tag {
  name: string
  attributes: ReadonlyMap<string, string>
}

/**
 * Only form in which we write tags. The spaces are listed, because `\s` matches characters that a browser
 * reads as part of a name.
 */
const tagForm =
  /^<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:[ \t\n\f\r]+[a-zA-Z][\w:-]*(?:="[^"<>]*")?)*)[ \t\n\f\r]*\/?>/
const attributeForm = /([a-zA-Z][\w:-]*)(?:="([^"<>]*)")?/g

/** Tags that load, run, post or frame something. Our markup has none of them. */
const never = new Set([
  ...['applet', 'audio', 'base', 'embed', 'foreignobject', 'frame', 'frameset', 'iframe', 'math', 'object'],
  ...['portal', 'source', 'template', 'track', 'video', 'animate', 'set'],
  // Tags inside these are text to a browser, so our script would not run.
  ...['textarea', 'xmp', 'plaintext', 'noembed', 'noframes'],
])
const neverAttributes = new Set([
  'style',
  'srcdoc',
  'action',
  'formaction',
  'ping',
  'background',
  'http-equiv',
  'referrerpolicy',
  'srcset',
  'imagesrcset',
  'attributionsrc',
  'manifest',
])
/** Meta names of our pages. Others, such as referrer, could pass on the page's address. */
const metaNames = new Set([undefined, 'viewport', 'robots', 'format-detection'])
/** Links on our pages: the other language, the bank's page in the whole window, the receipt, the seller's contact. */
const ownLink =
  /^(?:#|\?lang=(?:tr|en)|(?:\/[\w.~-]+)+\/(?:bank\?full=1&lang=(?:tr|en)|receipt)|mailto:[^\s/]+|tel:\+\d+)$/
const loading = new Set(['src', 'poster', 'data', 'xlink:href'])
/** Attributes of SVG whose value can name a file. */
const drawing = /^(?:fill|stroke|filter|mask|cursor|clip-path|marker(?:-\w+)?)$/

/**
 * Finds everything in a page that the release does not have: scripts, styles, inline handlers, addresses of
 * other origins. It parses only the HTML that we write; other markup is a difference, so nothing can hide in
 * it.
 */
export function differencesInMarkup(html: string, parts: ExpectedFiles): PageDifference[] {
  const { tags, strange } = tagsIn(html)
  const tagsNamed = (name: string) => tags.filter((tag) => tag.name === name)
  const styles = tagsNamed('link').filter(({ attributes }) => attributes.get('rel') !== 'icon')
  return [
    ...strange,
    ...differencesIn('script', tagsNamed('script').map(textOf), parts.scripts.map(scriptTag)),
    ...differencesIn('stylesheet', styles.map(textOf), parts.styles.map(styleTag)),
    ...differencesIn('a style inside the page', inlineStylesIn(html), [...parts.inlineStyles]),
    ...tags.filter(({ name }) => never.has(name)).map((tag) => unexpected('a tag', tag)),
    ...tagsNamed('meta')
      .filter(({ attributes }) => !metaNames.has(attributes.get('name')))
      .map((tag) => unexpected('a tag', tag)),
    ...tags.flatMap((tag) => strangeAttributes(tag, parts)),
    ...tagsNamed('a')
      .filter(isReturnLink)
      .slice(1)
      .map((tag) => unexpected('a second return link', tag)),
  ]
}

/** Contents of each style, by hash. A style that is not closed ends at the next tag, which is then its difference. */
function inlineStylesIn(html: string): string[] {
  const styles = html.matchAll(/<style[^>]*>([^<]*)/gi)
  return [...styles].map(([, css = '']) => styleSource(css))
}

/** Colour of the merchant that the page says it has. Its style follows from it. */
export function colourIn(html: string): string | null {
  return /<style data-colour="(#[0-9a-f]{6})">/.exec(html)?.[1] ?? null
}

function tagsIn(html: string): { tags: Tag[]; strange: PageDifference[] } {
  const tags: Tag[] = []
  const strange: PageDifference[] = []
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const rest = html.slice(at)
    if (at === 0 && rest.startsWith('<!doctype html>')) continue
    const [, closes, name = '', attributeText = ''] = tagForm.exec(rest) ?? []
    if (name === '')
      strange.push({ what: 'markup', expected: 'a tag in our format', received: printable(rest) })
    else if (closes === '') tags.push({ name: name.toLowerCase(), attributes: attributesIn(attributeText) })
  }
  return { tags, strange }
}

function attributesIn(attributeText: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', value = ''] of attributeText.matchAll(attributeForm)) {
    // Browsers use the first of two equal attributes.
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), decoded(value))
  }
  return attributes
}

function decoded(text: string): string {
  return text.replaceAll(/&#(\d{1,7});/g, (_whole, code: string) =>
    String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  )
}

/** A quote in a value stays escaped; otherwise the value could look like several attributes. */
const textOf = ({ name, attributes }: Tag) =>
  `<${[name, ...[...attributes].map(([attribute, value]) => `${attribute}="${value.replaceAll('"', '&#34;')}"`)].join(' ')}>`
const scriptTag = ({ address, integrity }: FileWithIntegrity) =>
  `<script type="module" src="${address}" integrity="${integrity}" crossorigin="anonymous">`
const styleTag = ({ address, integrity }: FileWithIntegrity) =>
  `<link rel="stylesheet" href="${address}" integrity="${integrity}" crossorigin="anonymous">`

/** Compares two lists, in any order. */
function differencesIn(what: string, received: string[], expected: string[]): PageDifference[] {
  const missing = expected.filter((each) => !received.includes(each))
  const added = received.filter((each, index) => !expected.includes(each) || received.indexOf(each) !== index)
  return [
    ...missing.map((each) => ({ what, expected: each, received: 'none' })),
    ...added.map((each) => ({ what, expected: 'none', received: printable(each) })),
  ]
}

function strangeAttributes(tag: Tag, parts: ExpectedFiles): PageDifference[] {
  return [...tag.attributes].flatMap(([attribute, value]) => {
    if (attribute.startsWith('on')) return [unexpected('an inline handler', tag)]
    if (neverAttributes.has(attribute)) return [unexpected(`the attribute ${attribute}`, tag)]
    if (isLoading(tag, attribute) && !value.startsWith('#') && !parts.isPicture(value))
      return [unexpected('something loaded', tag)]
    if (drawing.test(attribute) && value.toLowerCase().includes('url('))
      return [unexpected('something loaded', tag)]
    const allowed = Object.entries(parts.scriptAddresses).find(([name]) => name === attribute)?.[1]
    if (allowed && !allowed.includes(value)) return [unexpected('an address for our script', tag)]
    const isLink = tag.name === 'a' && attribute === 'href'
    return isLink && !ownLink.test(value) && !isReturnLink(tag) ? [unexpected('a link', tag)] : []
  })
}

/** True for the only link to another site: the seller's return address. */
function isReturnLink({ attributes }: Tag): boolean {
  return attributes.get('id') === 'return' && /^https?:\/\//.test(attributes.get('href') ?? '')
}

/**
 * Origins to which the page returns the payer, by its link or by its script: at most one on a page of ours. Only an
 * operator can confirm that it is the seller's.
 */
export function returnOriginsIn(html: string): string[] {
  const { tags } = tagsIn(html)
  const links = tags.filter((tag) => tag.name === 'a' && isReturnLink(tag))
  const states = tags.map(({ attributes }) => attributes.get('data-standing') ?? '')
  const addresses = [
    ...links.map(({ attributes }) => attributes.get('href') ?? ''),
    ...states.flatMap(returnUrlIn),
  ]
  return [...new Set(addresses.map((address) => URL.parse(address)?.origin ?? 'nowhere'))]
}

/** Return address in the state that the page's script starts with. A state that is no JSON stops the script. */
function returnUrlIn(state: string): string[] {
  try {
    const { returnUrl } = JSON.parse(state) as { returnUrl?: unknown }
    return typeof returnUrl === 'string' ? [returnUrl] : []
  } catch {
    return []
  }
}

/** Scripts and stylesheets are excluded: they are compared as whole tags. */
function isLoading({ name, attributes }: Tag, attribute: string): boolean {
  if (name === 'script' || (name === 'link' && attributes.get('rel') !== 'icon')) return false
  return loading.has(attribute) || (attribute === 'href' && name !== 'a')
}

function unexpected(what: string, tag: Tag): PageDifference {
  return { what, expected: 'none', received: printable(textOf(tag)) }
}

const longestShown = 160

/** Text on one line, without terminal control characters. */
export function printable(text: string, longest = longestShown): string {
  const plain = text.slice(0, longest).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  return text.length > longest ? `${plain}…` : plain
}
