import type { Static, TObject } from 'typebox'
import type { RawInput } from './body.ts'
import { parseJson } from './body.ts'
import * as complaint from './complaints.ts'
import type { Check } from './fields.ts'
import { check } from './fields.ts'
import type { Sentence } from './locale.ts'
import type { Complaints } from './refusals.ts'
import { invalid, Refused } from './refusals.ts'

/** The part of JSON Schema that our fields are made of. */
interface Schema {
  type?: string
  properties?: { [name: string]: Schema }
  required?: string[]
  items?: Schema
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  [check]?: Check<string>
}

/** A value that was looked at: read, missing, or wrong (then the complaint is already noted). */
type Reading = { value: unknown } | 'missing' | 'wrong'

/**
 * Reads what a caller sent as the schema says. Guarantee: the answer holds known names alone, each of the right type
 * and within its limits; otherwise all wrong parameters are refused at once, keyed as they were sent.
 */
export function read<S extends TObject>(schema: S, raw: RawInput): Static<S> {
  const complaints: Complaints = new Map()
  const reading = readRecord(schema as unknown as Schema, raw, '', complaints)
  if (complaints.size > 0) throw new Refused(invalid, { complaints })
  if (typeof reading === 'string') throw new Error('a record without complaints has a value')
  return reading.value as Static<S>
}

function readValue(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  if (raw === undefined || raw === null) return 'missing'
  switch (schema.type) {
    case 'string':
      return readText(schema, raw, key, complaints)
    case 'integer':
      return readInteger(schema, raw, key, complaints)
    case 'boolean':
      return readFlag(raw, key, complaints)
    case 'array':
      return readList(schema, raw, key, complaints)
    case 'object':
      return readRecord(schema, raw, key, complaints)
    default:
      throw new Error(`a field of type ${schema.type} has no reader`)
  }
}

function readText(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  if (typeof raw !== 'string') return complain(complaints, key, notScalar(raw, complaint.notText))
  if (raw.includes('\0') || !raw.isWellFormed()) return complain(complaints, key, complaint.brokenText)
  const trimmed = raw.trim()
  if (trimmed === '') return 'missing'
  const max = schema.maxLength ?? Number.POSITIVE_INFINITY
  // Composing can shorten a text to a third at most, and takes very long for long ones: those are refused before it.
  if (trimmed.length > 6 * max) return complain(complaints, key, complaint.tooLong(max))
  const value = trimmed.normalize('NFC')
  if (value.length > max && [...value].length > max) return complain(complaints, key, complaint.tooLong(max))
  if (schema.enum && !schema.enum.includes(value))
    return complain(complaints, key, complaint.notAmong(schema.enum))
  const objection = schema[check]?.(value)
  return objection ? complain(complaints, key, objection) : { value }
}

function readInteger(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  if (isBlank(raw)) return 'missing'
  let value = raw
  if (typeof raw === 'string' && /^(?:0|-?[1-9]\d{0,15})$/.test(raw)) value = Number(raw)
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return complain(complaints, key, notScalar(raw, complaint.notInteger))
  }
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (value < minimum || value > maximum) {
    return complain(complaints, key, complaint.outOfRange(minimum, maximum))
  }
  return { value }
}

function readFlag(raw: unknown, key: string, complaints: Complaints): Reading {
  if (isBlank(raw)) return 'missing'
  if (raw === true || raw === 'true' || raw === 1 || raw === '1') return { value: true }
  if (raw === false || raw === 'false' || raw === 0 || raw === '0') return { value: false }
  return complain(complaints, key, notScalar(raw, complaint.notFlag))
}

function readList(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  const given = fromJsonText(raw)
  if (given === '') return 'missing'
  const max = schema.maxItems ?? Number.POSITIVE_INFINITY
  if (Array.isArray(given) && given.length > max) return complain(complaints, key, complaint.tooMany(max))
  const entries = listEntries(given)
  if (!entries || !schema.items) return complain(complaints, key, complaint.notList)
  if (entries.length > max) return complain(complaints, key, complaint.tooMany(max))
  const value: unknown[] = []
  for (const [index, item] of entries) {
    const reading = readValue(schema.items, item, `${key}.${index}`, complaints)
    if (reading === 'missing') complain(complaints, `${key}.${index}`, complaint.required)
    else if (reading !== 'wrong') value.push(reading.value)
  }
  return { value }
}

function readRecord(schema: Schema, raw: unknown, key: string, complaints: Complaints): Reading {
  const given = fromJsonText(raw)
  if (given === '') return 'missing'
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return complain(complaints, key, complaint.notRecord)
  }
  const value: RawInput = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const fieldKey = key === '' ? name : `${key}.${name}`
    const sent = Object.hasOwn(given, name) ? (given as RawInput)[name] : undefined
    const reading = readValue(field, sent, fieldKey, complaints)
    if (reading === 'missing') {
      if (schema.required?.includes(name)) complain(complaints, fieldKey, complaint.required)
    } else if (reading !== 'wrong') value[name] = reading.value
  }
  return { value }
}

/** Lists and records may come as JSON in one text, as forms have no other way to send them whole. */
function fromJsonText(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  const trimmed = raw.trim()
  if (trimmed === '') return ''
  try {
    return parseJson(trimmed)
  } catch {
    return undefined
  }
}

/** The items with the index each was sent under. A list of far indexes arrives as an object of them. */
function listEntries(given: unknown): [string, unknown][] | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const entries = Object.entries(given)
  if (!Array.isArray(given) && entries.length === 0) return undefined
  return entries.every(([index]) => /^\d{1,9}$/.test(index)) ? entries : undefined
}

function isBlank(raw: unknown): boolean {
  return typeof raw === 'string' && raw.trim() === ''
}

function notScalar(raw: unknown, otherwise: Sentence): Sentence {
  return listEntries(raw) ? complaint.notOneValue : otherwise
}

function complain(complaints: Complaints, key: string, sentence: Sentence): 'wrong' {
  complaints.set(key, [...(complaints.get(key) ?? []), sentence])
  return 'wrong'
}
