import { isAscii } from 'node:buffer'
import { lazyPackage } from '../runtime/lazy.ts'
import { isTooComplex, parseUntrustedJson } from '../text/json.ts'
import type { LocalizedText } from '../text/locale.ts'
import * as complaint from './complaints.ts'
import { Refused, unreadableRequest } from './refusals.ts'

const qs = lazyPackage<typeof import('qs')>('qs')

/** A caller's input before any check. It inherits no properties, so a key cannot reach a prototype. */
export type RawInput = { [name: string]: unknown }

const nothing = Object.create(null)

/** An object whose prototype is an empty object is filled six times as fast as one without a prototype. */
export function emptyInput(): RawInput {
  return Object.create(nothing)
}

const deepestForm = 3
/** Twice as many as the largest request of the contract has: a hundred products with every field. */
const maxFormKeys = 1000
/** Each bracketed name is merged with all names before it, so their number is limited further. */
const maxBracketedKeys = 500

/** Reads a body by its content type. An empty body is an empty request with any content type. */
export function parseRequestBody(bytes: Buffer, contentType: string | undefined): RawInput {
  if (bytes.length === 0) return emptyInput()
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  if (!parameters.every(isUtf8OrNoCharset)) throw unreadableAs(complaint.notUtf8)
  const text = decodeUtf8(bytes)
  if (text.trim() === '') return emptyInput()
  if (type.trim() === 'application/json') return readJsonObject(text)
  if (type.trim() !== 'application/x-www-form-urlencoded')
    throw unreadableAs(complaint.unsupportedContentType)
  // curl sends JSON as a form unless it is given a content type. Parsed as a form, it would have no known
  // name.
  if (text.trimStart().startsWith('{')) throw unreadableAs(complaint.jsonSentAsForm)
  return parseUrlEncoded(text)
}

function unreadableAs(because: LocalizedText): Refused {
  return new Refused(unreadableRequest, { because })
}

/**
 * Parses `a=1&list[0]=x&items[0][key]=y`. Indexed keys become objects, which are later read as lists. A
 * complaint can then name the index that was sent, and a high index costs no more than a low one. A repeated
 * key becomes a list; a field that expects one value refuses it.
 */
export function parseUrlEncoded(text: string): RawInput {
  if (!special.test(text) && text.length < maxFormKeys) return readBareForm(text)
  // qs would silently drop parameters beyond its limit.
  const parts = text.split('&', maxFormKeys + 1)
  if (parts.length > maxFormKeys) throw unreadableAs(complaint.tooManyParameters(maxFormKeys))
  let leftOut = false
  const decode = (part: string) => {
    const decoded = decodePart(part)
    leftOut ||= decoded === leftOutByQs || decoded.startsWith(`${leftOutByQs}[`)
    return decoded
  }
  try {
    const simple = readSimpleForm(parts)
    if (simple) return simple
    const bracketed = parts.filter((part) => brackets.test(part)).length
    if (bracketed === 0) return readPlainForm(parts)
    if (bracketed > maxBracketedKeys) throw unreadableAs(complaint.tooManyParameters(maxBracketedKeys))
    const input = qs().parse(parts.map(dividedAtFirst).join('&'), {
      plainObjects: true,
      arrayLimit: 0,
      depth: deepestForm,
      strictDepth: true,
      parameterLimit: maxFormKeys,
      decoder: (part, _decode, _charset, type) => (type === 'key' ? decode(part) : decodePart(part)),
    }) as RawInput
    if (leftOut) input[leftOutByQs] = ''
    return input
  } catch (error) {
    if (error instanceof Refused) throw error
    throw unreadableAs(error instanceof URIError ? complaint.brokenPercentEncoding : complaint.tooComplex)
  }
}

const brackets = /[[\]]|%5[bd]/i

/**
 * Makes qs split the pair at its first `=`. On its own qs looks for `]=` first, even in the value, and takes
 * everything before it as the name.
 */
function dividedAtFirst(part: string): string {
  const value = part.indexOf('=') + 1
  return value === 0 ? part : part.slice(0, value) + part.slice(value).replaceAll('=', '%3D')
}

/** qs drops this name everywhere. As a filter it must be refused like any other unknown name. */
const leftOutByQs = '__proto__'

/** Most forms have no brackets. Parsing them without qs is four times as fast and gives the same result. */
function readPlainForm(parts: string[]): RawInput {
  const input = emptyInput()
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodePart(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decodePart(part.slice(equals + 1))
    put(input, name, value)
  }
  return input
}

/** A name as most callers write it: `metadata[0][key]`. */
const simpleName = /^[\w-]+(?:\[[\w-]+\]){0,3}$/

/**
 * Parses a form with simple, unrepeated names several times as fast as qs, with the same result. Returns
 * undefined for any other form.
 */
function readSimpleForm(parts: string[]): RawInput | undefined {
  const input = emptyInput()
  let bracketed = 0
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    if (equals < 0) return undefined
    const path = pathOf(part.slice(0, equals))
    if (!path || (path.length > 1 && ++bracketed > maxBracketedKeys)) return undefined
    if (!trySet(input, path, decodePart(part.slice(equals + 1)))) return undefined
  }
  return input
}

/** Cache of parsed names by their sent form. Callers send the same names again and again. */
const paths = new Map<string, readonly string[]>()
const maxPaths = 1_000
const longestPath = 100

/** Parts of a simple name: metadata, 0 and key for `metadata%5B0%5D[key]`. Undefined for any other name. */
function pathOf(sent: string): readonly string[] | undefined {
  const known = paths.get(sent)
  if (known) return known
  const name = decodePart(sent)
  if (!simpleName.test(name) || name.includes(leftOutByQs)) return undefined
  const path = name.replaceAll(']', '').split('[')
  if (paths.size === maxPaths) paths.clear()
  if (sent.length <= longestPath) paths.set(sent, path)
  return path
}

/** Sets a value at its path. Returns false if a value is there already. */
function trySet(input: RawInput, path: readonly string[], value: string): boolean {
  let holder = input
  const last = path.length - 1
  for (let depth = 0; depth < last; depth++) {
    const name = path[depth] as string
    const inner = holder[name] ?? emptyInput()
    if (typeof inner !== 'object') return false
    holder[name] = inner
    holder = inner as RawInput
  }
  const name = path[last] as string
  if (holder[name] !== undefined) return false
  holder[name] = value
  return true
}

/** Characters that need decoding or nesting. */
const special = /[%+[\]]/

/** Parses a form without special characters: `bin_number=40430800`. Too short to hold too many names. */
function readBareForm(text: string): RawInput {
  const input = emptyInput()
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    const equalsAt = text.indexOf('=', start)
    const equals = equalsAt < 0 || equalsAt > end ? end : equalsAt
    if (end > start) put(input, text.slice(start, equals), text.slice(equals + 1, Math.max(end, equals + 1)))
    start = end + 1
  }
  return input
}

/** A repeated name becomes a list of its values. */
function put(input: RawInput, name: string, value: string): void {
  const before = input[name]
  input[name] = before === undefined ? value : [before, value].flat()
}

function readJsonObject(text: string): RawInput {
  let value: unknown
  try {
    value = parseUntrustedJson(text)
  } catch {
    throw unreadableAs(isTooComplex(text) ? complaint.tooComplex : complaint.brokenJson)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadableAs(complaint.notJsonObject)
  }
  return Object.assign(emptyInput(), value)
}

function isUtf8OrNoCharset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() !== 'charset' || ['utf-8', 'utf8'].includes(value.trim().replaceAll('"', ''))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Buffer): string {
  try {
    return isAscii(bytes) ? bytes.toString('latin1') : utf8.decode(bytes)
  } catch {
    throw unreadableAs(complaint.notUtf8)
  }
}

/** Unlike qs's own decoder, this one throws on invalid percent-encoding and on bytes that are not UTF-8. */
function decodePart(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
}
