import { createHash, timingSafeEqual } from 'node:crypto'

/** Fields by their names, as they are posted. */
export type NestpayFields = Readonly<Record<string, string>>

/** What is posted beside the others and not part of the hash, in small letters. */
const unsigned = ['hash', 'encoding', 'nationalidno']

/**
 * The third version of the hash that both sides put on what a browser carries: over the values alone, in the order of
 * their names. So it does not tell by what name a value was sent; who reads a return has to mind that.
 */
export function hashOf(fields: NestpayFields, storeKey: string): string {
  return createHash('sha512').update(hashInputText(fields, storeKey), 'utf8').digest('base64')
}

/** Whether the hash is that of these fields. It takes as long for a wrong one as for the right one. */
export function isHashOf(hash: string, fields: NestpayFields, storeKey: string): boolean {
  const given = Buffer.from(hash)
  const right = Buffer.from(hashOf(fields, storeKey))
  return given.length === right.length && timingSafeEqual(given, right)
}

/** What is hashed. An empty value keeps its place. */
export function hashInputText(fields: NestpayFields, storeKey: string): string {
  const values = Object.entries(fields)
    .map(([name, value]) => ({ name: asciiLowerCase(name), value }))
    .filter(({ name }) => !unsigned.includes(name))
    .toSorted((one, other) => inNaturalOrder(one.name, other.name))
    .map(({ value }) => value)
  return [...values, storeKey].map(escaped).join('|')
}

/** The backslash first: otherwise those that escape the bars would be escaped too. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
}

/** Latin letters alone, whatever language the machine speaks: in Turkish a small I is none of theirs. */
export function asciiLowerCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Letter by letter, but for numbers, which count as a whole: `line2` stands before `line10`. */
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
