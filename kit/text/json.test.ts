import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import { duplicateMemberMarker, parseUntrustedJson } from './json.ts'

/** JSON with members in order, repeated names included. */
type JsonText = string | number | boolean | null | { items: JsonText[] } | { members: [string, JsonText][] }

/**
 * Node 26 bug: it reads a one-character escaped name as a backslash if it has seen that name in such a place
 * before.
 */
const isMisread = (name: string) => name === '\\'

const name = fc
  .oneof(
    fc.constantFrom('a', 'b', 'c', '0', '__proto__', 'constructor', '', ' ', '"', '\\a', ':', '{', ',', 'ş'),
    fc.string(),
  )
  .filter((name) => !isMisread(name))
const { written } = fc.letrec<{ written: JsonText }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(name, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('written'), { maxLength: 4 }).map((items) => ({ items })),
    fc.array(fc.tuple(name, tie('written')), { maxLength: 5 }).map((members) => ({ members })),
  ),
}))

/** Writes every name in a different spelling and adds white space everywhere it is allowed. */
function textOf(value: JsonText, spelling: { count: number }): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('items' in value) return `[ ${value.items.map((item) => textOf(item, spelling)).join(' , ')}\n]`
  const members = value.members.map(([name, inner]) => {
    spelling.count += 1
    return `${spelling.count % 2 ? JSON.stringify(name) : escaped(name)}\t:${textOf(inner, spelling)}`
  })
  return `{${members.join(',')} }`
}

function escaped(name: string): string {
  const units = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}

function meaningOf(value: JsonText): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('items' in value) return value.items.map(meaningOf)
  const meaning = {}
  for (const [name, inner] of value.members) {
    const isTwice = value.members.filter(([other]) => other === name).length > 1
    Object.defineProperty(meaning, name, {
      value: isTwice ? duplicateMemberMarker : meaningOf(inner),
      enumerable: true,
      configurable: true,
    })
  }
  return meaning
}

it('a repeated name has no value, at any depth and in any spelling; everything else is read', () => {
  fc.assert(
    fc.property(written, (value) => {
      assert.deepStrictEqual(parseUntrustedJson(textOf(value, { count: 0 })), meaningOf(value))
    }),
    { numRuns: repetitions(2000) },
  )
})

it('a repeated name has no value next to non-canonical numbers either', () => {
  const { a, b, c } = parseUntrustedJson('{"a":1.50,"b":1,"b":2.0,"c":[{"d":1e3,"d":1e3}]}') as Record<
    string,
    unknown
  >
  assert.deepEqual([String(a), b === duplicateMemberMarker], ['1.50', true])
  assert.deepEqual(c, [{ d: duplicateMemberMarker }])
})

it('finding the maximum number of repeated names takes no longer than parsing', () => {
  const inner = Array.from({ length: 9_950 }, (_, index) => `"name ${index % 4_975}":${index}`)
  const text = `${'{"a":'.repeat(19)}{${inner}}${'}'.repeat(19)}`
  const startedAt = process.cpuUsage()
  parseUntrustedJson(text)
  assert.ok(process.cpuUsage(startedAt).user < 1_000_000)
})

it('a repeated name inside an overwritten value does not affect the last value', () => {
  assert.deepEqual(parseUntrustedJson('{"items":{"length":1,"length":1},"amount":1000,"items":[]}'), {
    items: duplicateMemberMarker,
    amount: 1000,
  })
})
