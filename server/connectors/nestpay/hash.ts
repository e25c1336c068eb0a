import { createHash, timingSafeEqual } from 'node:crypto'

/** Form fields by name. */
export type NestpayFields = Readonly<Record<string, string>>

/** Fields that the hash does not cover, in lower case. */
const unsigned = ['hash', 'encoding', 'nationalidno']

/**
 * Version 3 of the hash that both sides sign browser posts with. It covers the values, ordered by name, but
 * not the names. A reader of a return must allow for renamed fields.
 */
export function hashOf(fields: NestpayFields, storeKey: string): string {
  return createHash('sha512').update(hashInputText(fields, storeKey), 'utf8').digest('base64')
}

/** True if the hash matches the fields. The comparison is constant-time. */
export function isHashOf(hash: string, fields: NestpayFields, storeKey: string): boolean {
  const given = Buffer.from(hash)
  const right = Buffer.from(hashOf(fields, storeKey))
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Input of the hash. An empty value keeps its place. */
export function hashInputText(fields: NestpayFields, storeKey: string): string {
  const values = Object.entries(fields)
    .map(([name, value]) => ({ name: asciiLowerCase(name), value }))
    .filter(({ name }) => !unsigned.includes(name))
    .toSorted((one, other) => inNaturalOrder(one.name, other.name))
    .map(({ value }) => value)
  return [...values, storeKey].map(escaped).join('|')
}

/** Escapes backslashes first: otherwise the escapes of the bars would be escaped too. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
}

/** Lower case for A to Z only, independent of the locale: in Turkish, I has another lower case. */
export function asciiLowerCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Compares letter by letter, and numbers by value: `line2` comes before `line10`. */
function inNaturalOrder(one: string, other: string): number {
  const [ours, theirs] = [one, other].map((name) => name.split(/(\d+)/))
  for (const [index, part] of (ours ?? []).entries()) {
    const counterpart = theirs?.[index]
    if (counterpart === undefined) return 1
    if (part === counterpart) continue
    const isNumber = index % 2 === 1
    if (isNumber && BigInt(part) !== BigInt(counterpart)) return BigInt(part) < BigInt(counterpart) ? -1 : 1
    return part < counterpart ? -1 : 1
  }
  return -1
}
