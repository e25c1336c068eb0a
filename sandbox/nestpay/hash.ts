import { createHash, timingSafeEqual } from 'node:crypto'
import type { FormFields } from './form.ts'

/** Fields that are never hashed, in any case. */
const unsigned = ['hash', 'encoding', 'nationalidno']

/** Hash version 3: all values in the order of their names, then the store key. */
export function hashOf(fields: FormFields, storeKey: string): string {
  return createHash('sha512').update(hashedText(fields, storeKey), 'utf8').digest('base64')
}

export function hashedText(fields: FormFields, storeKey: string): string {
  const values = [...fields]
    .map(([name, value]) => ({ name: lower(name), value }))
    .filter(({ name }) => !unsigned.includes(name))
    .toSorted((a, b) => inOrder(a.name, b.name))
    .map(({ value }) => value)
  return [...values, storeKey].map(escaped).join('|')
}

/** True if this shop signed the form. The field is named `hash` or `HASH`. */
export function isSigned(fields: FormFields, storeKey: string): boolean {
  const claimed = Buffer.from(fields.get('hash') ?? fields.get('HASH') ?? '')
  const right = Buffer.from(hashOf(fields, storeKey))
  return claimed.length === right.length && timingSafeEqual(claimed, right)
}

/** Natural order: `a2` is before `a10`. It uses no locale, because field names are not Turkish. */
function inOrder(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (const [index, one] of left.entries()) {
    const other = right[index] ?? ''
    if (one === other) continue
    const bothCount = /^\d/.test(one) && /^\d/.test(other)
    return bothCount ? Number(one) - Number(other) : one < other ? -1 : 1
  }
  return left.length - right.length
}

function partsOf(name: string): string[] {
  return name.match(/\d+|\D+/g) ?? []
}

function lower(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
}
