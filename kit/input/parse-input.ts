import type { Static, TObject } from 'typebox'
import { duplicateMemberMarker, NonCanonicalNumberLiteral, parseUntrustedJson } from '../text/json.ts'
import type { LocalizedText } from '../text/locale.ts'
import type { RawInput } from './body.ts'
import { strayBracketsMarker } from './body.ts'
import * as complaint from './complaints.ts'
import type { FieldCheck, KeyValueLimits, KeyValuePair, ObjectRule } from './fields.ts'
import {
  blankValueActionKey,
  fieldCheckKey,
  keyValueLimitsKey,
  notDigitsMessageKey,
  objectRuleKey,
  refusesUnknownNamesKey,
  scalarMarkerKey,
  wrongValueMessageKey,
} from './fields.ts'
import type { Complaints } from './refusals.ts'
import { Refused, validationFailed } from './refusals.ts'

/** The part of JSON Schema that our fields use. */
interface Schema {
  type?: string | string[]
  properties?: { [name: string]: Schema }
  required?: string[]
  items?: Schema
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  [fieldCheckKey]?: FieldCheck<unknown>
  [blankValueActionKey]?: 'clear' | 'refuse'
  [objectRuleKey]?: ObjectRule
  [refusesUnknownNamesKey]?: true
  [keyValueLimitsKey]?: KeyValueLimits
  [scalarMarkerKey]?: true
  [notDigitsMessageKey]?: LocalizedText
  [wrongValueMessageKey]?: LocalizedText
}

/** Result of reading a value: read, missing, or its fault. Faults inside a list or an object are recorded already. */
type Reading = { value: unknown } | 'missing' | LocalizedText

/**
 * Parses a caller's input by the schema. Guarantee: the result holds only known names, each of the right type
 * and within its limits. Otherwise one refusal lists all wrong parameters, by their names as sent.
 */
export function parseInput<S extends TObject>(schema: S, raw: RawInput): Static<S> {
  const { value, complaints } = parseInputPartially(schema, raw)
  if (complaints.size > 0) throw new Refused(validationFailed, { complaints })
  return value as Static<S>
}

/** Like `parseInput`, but returns the valid fields together with all complaints. */
export function parseInputPartially<S extends TObject>(
  schema: S,
  raw: RawInput,
): { value: Partial<Static<S>>; complaints: Complaints } {
  const complaints: Complaints = new Map()
  const reading = readRecord(schema as unknown as Schema, raw, '', complaints)
  if (typeof reading === 'object' && !isRead(reading)) complain(complaints, '', reading)
  return { value: (isRead(reading) ? reading.value : {}) as Partial<Static<S>>, complaints }
}

function readValue(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  if (raw === undefined || raw === null) return 'missing'
  if (raw === duplicateMemberMarker) return complaint.givenMoreThanOnce
  if (raw === strayBracketsMarker) return complaint.strayBrackets
  if (schema[keyValueLimitsKey]) return readPairs(schema[keyValueLimitsKey], raw)
  if (schema[scalarMarkerKey]) return readPlain(schema, raw)
  switch (typeof schema.type === 'object' ? schema.type[0] : schema.type) {
    case 'string':
      return readText(schema, raw)
    case 'integer':
      return readInteger(schema, raw)
    case 'boolean':
      return readFlag(raw)
    case 'array':
      return readList(schema, raw, key, complaints)
    case 'object':
      return readRecord(schema, raw, key, complaints)
    default:
      throw new Error(`a field of type ${schema.type} has no reader`)
  }
}

function readText(schema: Schema, raw: unknown): Reading {
  if (typeof raw !== 'string') return notScalar(raw, complaint.notText)
  const value = cleanText(raw, schema.maxLength)
  if (typeof value === 'object') return ownWords(schema, raw) ?? value
  if (value === '') return 'missing'
  if (schema.enum && !schema.enum.includes(value)) return complaint.notOneOf(schema.enum)
  return schema[fieldCheckKey]?.(value, raw) ?? { value }
}

/**
 * The field's own complaint about a text that is too long. For a country, "not a country" explains more than
 * a length limit.
 */
function ownWords(schema: Schema, raw: string): LocalizedText | undefined {
  const isShort = raw.length <= 100 && raw.isWellFormed() && !controls.test(raw)
  const judgement = isShort ? schema[fieldCheckKey]?.(raw.trim(), raw) : undefined
  return judgement && !('value' in judgement) ? judgement : undefined
}

/** Control characters, except tabs and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/

/** Text of invisible characters only counts as blank. */
const invisible = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u

/**
 * Fast path: text that is already trimmed and in NFC. It has only characters that never combine with others
 * (up to U+02FF, which includes Turkish) and visible characters at both ends.
 */
const isClean = /^[!-~\xa1-\xac\xae-\u02ff](?:[\t\n\r -~\xa0-\u02ff]*[!-~\xa1-\xac\xae-\u02ff])?$/

/** The text trimmed and in NFC, or its fault. */
function cleanText(raw: string, max = Number.POSITIVE_INFINITY): string | LocalizedText {
  if (raw.length <= max && isClean.test(raw)) return raw
  if (controls.test(raw) || !raw.isWellFormed()) return complaint.invalidCharacters
  const trimmed = invisible.test(raw) ? '' : raw.trim()
  // NFC can shorten a text to a third at most and is slow for long texts, so those are refused first.
  if (trimmed.length > 6 * max) return complaint.tooLong(max)
  const text = trimmed.normalize('NFC')
  return text.length > max && [...text].length > max ? complaint.tooLong(max) : text
}

function readInteger(schema: Schema, raw: unknown): Reading {
  if (isBlank(raw)) return 'missing'
  const value = typeof raw === 'string' && /^(?:0|-?[1-9]\d{0,15})$/.test(raw) ? Number(raw) : raw
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  const isInteger = typeof value === 'number' && Number.isSafeInteger(value)
  if (isInteger && value >= minimum && value <= maximum) return { value }
  const ownSentence = schema[wrongValueMessageKey]
  if (isInteger || isHugeInteger(raw)) return ownSentence ?? complaint.outOfRange(minimum, maximum)
  return notScalar(raw, ownSentence ?? schema[notDigitsMessageKey] ?? complaint.notInteger)
}

function readFlag(raw: unknown): Reading {
  if (isBlank(raw)) return 'missing'
  if (raw === true || raw === 'true' || raw === 1 || raw === '1') return { value: true }
  if (raw === false || raw === 'false' || raw === 0 || raw === '0') return { value: false }
  return notScalar(raw, complaint.notBoolean)
}

function readList(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  const given = fromJsonText(raw)
  if (given === '') return 'missing'
  const max = schema.maxItems ?? Number.POSITIVE_INFINITY
  const entries = listEntries(given)
  if (!entries || !schema.items) return schema[wrongValueMessageKey] ?? complaint.notList
  if (entries.length > max) return complaint.tooManyItems(max)
  const value: unknown[] = []
  const indexes: string[] = []
  for (const [index, item] of entries) {
    const reading = readValue(schema.items, item, `${key}.${index}`, complaints)
    if (isRead(reading)) indexes[value.push(reading.value) - 1] = index
    else complain(complaints, `${key}.${index}`, reading === 'missing' ? complaint.required : reading)
  }
  if (indexes.some((index, position) => index !== String(position))) sentIndexes.set(value, indexes)
  return { value }
}

/** Original indexes of lists that were sent with gaps or lost invalid items. */
const sentIndexes = new WeakMap<readonly unknown[], string[]>()

/** The index that an item was sent under, as complaints must name it. */
export function originalListIndex(list: readonly unknown[], position: number): string {
  return sentIndexes.get(list)?.[position] ?? String(position)
}

function readRecord(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  const given = fromJsonText(raw)
  if (given === '') return 'missing'
  if (!isRecord(given)) return complaint.notObject
  const properties = schema.properties ?? {}
  const under = (name: string) => (key === '' ? name : `${key}.${name}`)
  const value: RawInput = {}
  for (const name in properties) {
    const field = properties[name] ?? {}
    const sent = Object.hasOwn(given, name) ? given[name] : undefined
    const reading = readValue(field, sent, under(name), complaints)
    const judged = reading === 'missing' ? absence(schema, name, sent) : reading
    if (judged && isRead(judged)) value[name] = judged.value
    else if (judged) complain(complaints, under(name), judged)
  }
  judgeWhole(schema, given, value, under, complaints)
  return { value }
}

/** A field that was not sent or sent blank: its fault, null to clear it, or undefined to leave it out. */
function absence(
  { required, properties }: Schema,
  name: string,
  sent: unknown,
): LocalizedText | { value: null } | undefined {
  if (required?.includes(name)) return complaint.required
  const action = sent === undefined ? undefined : properties?.[name]?.[blankValueActionKey]
  return action && (action === 'refuse' ? complaint.cannotBeBlank : { value: null })
}

function judgeWhole(
  schema: Schema,
  given: RawInput,
  value: RawInput,
  under: (name: string) => string,
  complaints: Complaints,
): void {
  const objectTo = (name: string, sentence: LocalizedText) => {
    if (!complaints.has(under(name))) complain(complaints, under(name), sentence)
  }
  for (const [name, sentence] of schema[objectRuleKey]?.(value) ?? []) objectTo(name, sentence)
  if (!schema[refusesUnknownNamesKey]) return
  for (const name of Object.keys(given)) {
    const properties = schema.properties ?? {}
    if (!Object.hasOwn(properties, name)) objectTo(name, complaint.unknownFilter(Object.keys(properties)))
  }
}

/** Every fault is reported under the field's name: the names inside are the caller's own. */
function readPairs(limits: KeyValueLimits, raw: unknown): Reading {
  const given = fromJsonText(raw)
  if (given === '') return 'missing'
  // Some languages serialise an object without members as an empty list.
  if (Array.isArray(given) && given.length === 0) return { value: [] }
  if (!isRecord(given) || isListOfForm(given)) return complaint.notObject
  const entries = Object.entries(given)
  if (entries.length > limits.max) return complaint.tooManyItems(limits.max)
  const value = new Map<string, KeyValuePair>()
  for (const [name, sent] of entries) {
    const pair = readPair(limits, name, sent)
    if (!('key' in pair)) return pair
    if (value.has(pair.key)) return complaint.duplicateEntry(pair.key)
    value.set(pair.key, pair)
  }
  return { value: [...value.values()] }
}

function readPair(
  { maxKey, maxValue }: KeyValueLimits,
  name: string,
  sent: unknown,
): KeyValuePair | LocalizedText {
  const key = cleanText(name, maxKey)
  if (typeof key === 'object') return complaint.withKeysPrefix(key)
  if (key === '') return complaint.blankPairKey
  if (sent === duplicateMemberMarker) return complaint.duplicateEntry(key)
  const value = plainText(sent, maxValue)
  return typeof value === 'object' ? complaint.withPairKeyPrefix(key, value) : { key, value }
}

function readPlain(schema: Schema, raw: unknown): Reading {
  const value = plainText(raw, schema.maxLength)
  if (typeof value === 'string') return { value }
  return value === complaint.notScalar ? notScalar(raw, value) : value
}

/** A text, number or boolean, converted to text. */
function plainText(sent: unknown, max: number | undefined): string | LocalizedText {
  const isPlainValue =
    ['string', 'number', 'boolean'].includes(typeof sent) || sent instanceof NonCanonicalNumberLiteral
  return isPlainValue ? cleanText(String(sent), max) : complaint.notScalar
}

function isRecord(given: unknown): given is RawInput {
  return (
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    !(given instanceof NonCanonicalNumberLiteral)
  )
}

/** A list of a form arrives as an object of indexes. JSON objects may have such keys too, but they have a prototype. */
function isListOfForm(given: RawInput): boolean {
  const names = Object.keys(given)
  if (Object.getPrototypeOf(given) === Object.prototype || names.length === 0) return false
  return names.every((name, index) => name === String(index))
}

/** Lists and records may be sent as JSON in one text: forms have no other way to send them whole. */
function fromJsonText(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  const trimmed = raw.trim()
  if (trimmed === '') return ''
  try {
    return parseUntrustedJson(trimmed)
  } catch {
    return undefined
  }
}

/**
 * Items with the index each was sent under, in the order of the indexes: a JavaScript object has its whole
 * numbers in order. `01` is no index; it would be an item beside `1`.
 */
function listEntries(given: unknown): [string, unknown][] | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const entries = Object.entries(given)
  if (!Array.isArray(given) && entries.length === 0) return undefined
  return entries.every(([index]) => /^(?:0|[1-9]\d{0,8})$/.test(index)) ? entries : undefined
}

/** An integer that is well-formed but has too many digits. */
function isHugeInteger(raw: unknown): boolean {
  const text = typeof raw === 'string' || raw instanceof NonCanonicalNumberLiteral ? String(raw) : ''
  return /^-?[1-9]\d{16,}$/.test(text)
}

function isBlank(raw: unknown): boolean {
  return typeof raw === 'string' && raw.trim() === ''
}

function notScalar(raw: unknown, otherwise: LocalizedText): LocalizedText {
  const entries = listEntries(raw)
  if (!entries) return otherwise
  return entries.length > 1 ? complaint.givenMoreThanOnce : complaint.givenAsList
}

function isRead(reading: Reading): reading is { value: unknown } {
  return typeof reading === 'object' && 'value' in reading
}

function complain(complaints: Complaints, key: string, sentence: LocalizedText): void {
  complaints.set(key, [...(complaints.get(key) ?? []), sentence])
}
