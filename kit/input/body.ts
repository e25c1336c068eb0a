import { isAscii } from 'node:buffer'
import { isTooComplex, parseUntrustedJson } from '../text/json.ts'
import type { LocalizedText } from '../text/locale.ts'
import * as complaint from './complaints.ts'
import { Refused, unreadableRequest } from './refusals.ts'

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

/** True for one of the types, and for none at all: a request without a body has no type. */
export function isContentTypeOneOf(contentType: string | undefined, types: readonly string[]): boolean {
  return contentType === undefined || types.includes(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
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
  const parts = text.split('&', maxFormKeys + 1)
  if (parts.length > maxFormKeys) throw unreadableAs(complaint.tooManyParameters(maxFormKeys))
  const input = emptyInput()
  let bracketed = 0
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const end = equals < 0 ? part.length : equals
    const name = decodePart(part.slice(0, end))
    if (name.indexOf('[') < 1) {
      add(input, name, decodePart(part.slice(end + 1)))
      continue
    }
    const path = pathOf(name)
    if (path === undefined) {
      input[name.slice(0, name.indexOf('['))] = strayBracketsMarker
      continue
    }
    if (++bracketed > maxBracketedKeys)
      throw unreadableAs(complaint.tooManyBracketedParameters(maxBracketedKeys))
    if (path.length > deepestForm + 1) throw unreadableAs(complaint.tooComplex)
    setAtPath(input, path, decodePart(part.slice(end + 1)))
  }
  return input
}

/** Keys in brackets. A key may itself have a pair of brackets. */
const bracketedKeys = /^(?:\[[^[\]]*(?:\[[^[\]]*\][^[\]]*)?\])+$/

/**
 * Value of a parameter whose name has stray brackets, such as `products[0].price`. Every field refuses it: taken
 * for an unknown name, it would be ignored without a word.
 */
export const strayBracketsMarker = Symbol('stray brackets')

/** Parts of a name with brackets: metadata, 0 and key for `metadata[0][key]`. Undefined if they are stray. */
function pathOf(name: string): string[] | undefined {
  const start = name.indexOf('[')
  if (!bracketedKeys.test(name.slice(start))) return undefined
  return [name.slice(0, start), ...name.slice(start + 1, -1).split('][')]
}

function setAtPath(input: RawInput, [name = '', ...keys]: readonly string[], value: string): void {
  const isList = keys.at(-1) === ''
  if (isList) keys.pop()
  let holder = input
  let last = name
  for (const key of keys) {
    holder = objectIn(holder, last)
    // Without an index there is one object: `items[][key]=a&items[][value]=b`.
    last = key === '' ? '0' : key
  }
  add(holder, last, isList ? [value] : value)
}

function objectIn(input: RawInput, name: string): RawInput {
  const before = input[name]
  if (typeof before === 'object' && !Array.isArray(before)) return before as RawInput
  const object = emptyInput()
  add(input, name, object)
  return object
}

/** Several values under one name become a list. */
function add(input: RawInput, name: string, value: unknown): void {
  const before = input[name]
  if (before === strayBracketsMarker) return
  if (before === undefined) input[name] = value
  else if (Array.isArray(before)) before.push(...[value].flat())
  else input[name] = [before, value].flat()
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

/** Invalid percent-encoding and bytes that are not UTF-8 are refused. */
function decodePart(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part
  try {
    return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
  } catch {
    throw unreadableAs(complaint.brokenPercentEncoding)
  }
}
