import { isAscii } from 'node:buffer'
import { lazyPackage } from '../runtime/lazy.ts'
import { isTooComplex, parseUntrustedJson } from '../text/json.ts'
import type { LocalizedText } from '../text/locale.ts'
import * as complaint from './complaints.ts'
import { Refused, unreadableRequest } from './refusals.ts'

const qs = lazyPackage<typeof import('qs')>('qs')

/** What a caller sent, before anything is known about it. It inherits nothing, so no key of it can mean more than itself. */
export type RawInput = { [name: string]: unknown }

const nothing = Object.create(null)

/** An object that inherits from one with nothing in it is filled six times as quickly as one that inherits from none. */
export function emptyInput(): RawInput {
  return Object.create(nothing)
}

const deepestForm = 3
/** The largest request of the contract, a hundred products with everything, has half as many. */
const maxFormKeys = 1000
/** Names with brackets are put together one by one, each time through all before it. */
const maxBracketedKeys = 500

/** Reads a body by its content type. An empty body is an empty request, whatever its content type says. */
export function parseRequestBody(bytes: Buffer, contentType: string | undefined): RawInput {
  if (bytes.length === 0) return emptyInput()
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  if (!parameters.every(isUtf8OrNoCharset)) throw unreadableAs(complaint.notUtf8)
  const text = decodeUtf8(bytes)
  if (text.trim() === '') return emptyInput()
  if (type.trim() === 'application/json') return readJsonObject(text)
  if (type.trim() !== 'application/x-www-form-urlencoded')
    throw unreadableAs(complaint.unsupportedContentType)
  // What curl sends when nobody tells it that it is JSON. Read as a form, it would be a form without a known name.
  if (text.trimStart().startsWith('{')) throw unreadableAs(complaint.jsonSentAsForm)
  return parseUrlEncoded(text)
}

function unreadableAs(because: LocalizedText): Refused {
  return new Refused(unreadableRequest, { because })
}

/**
 * Reads `a=1&list[0]=x&items[0][key]=y`. Indexed keys make objects of them, which are read as lists: so a complaint can name
 * the index that was sent, and a far index costs no more than a near one. A key given twice makes a list: where one value is expected, that is refused by its reader.
 */
export function parseUrlEncoded(text: string): RawInput {
  if (!special.test(text) && text.length < maxFormKeys) return readBareForm(text)
  // qs would silently leave out what is beyond its limit.
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
 * A pair that qs, too, divides at its first `=`. By itself it would look for a `]=` first, also in the value, and take
 * all before it for the name.
 */
function dividedAtFirst(part: string): string {
  const value = part.indexOf('=') + 1
  return value === 0 ? part : part.slice(0, value) + part.slice(value).replaceAll('=', '%3D')
}

/** qs leaves this name out, wherever it stands. As the name of a filter it must be refused as any other unknown one. */
const leftOutByQs = '__proto__'

/** Most forms have no brackets, and are read four times as quickly without looking for them. The same comes of it. */
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
 * A form whose names are simple and each there once, which is read several times as quickly so. The same comes of it;
 * undefined of any other form.
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

/** Names as they were sent and what they are made of. Callers send the same ones over and over. */
const paths = new Map<string, readonly string[]>()
const maxPaths = 1_000
const longestPath = 100

/** What a simple name is made of: of `metadata%5B0%5D[key]`, metadata, 0 and key. Undefined of any other. */
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

/** Puts a value where its name says; false if something is there already. */
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

/** What has to be decoded, or put together. */
const special = /[%+[\]]/

/** A form that says what it says: `bin_number=40430800`. Too short to hold too many names. */
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

/** Given twice, it is a list of both. */
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

/** Unlike qs's own decoder this one throws on broken percent-encoding and on bytes that are not UTF-8. */
function decodePart(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
}
