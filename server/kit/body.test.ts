import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readForm } from './body.ts'
import { Refused } from './refusals.ts'

const piece = fc.oneof(
  fc.constantFrom('a', 'b', '=', '+', '%20', '%', '%zz', '%C5%9F', 'ş', '%00', '.', '__proto__', ''),
  fc.string({ unit: fc.constantFrom(...'ab=+%.c1'), maxLength: 5 }),
)
const form = fc
  .array(
    fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('&'))

it('a form without brackets is read as it is read among brackets', () => {
  fc.assert(
    fc.property(form, (text) => {
      const among: { probe?: unknown } = read(`${text}&probe[0]=x`) ?? {}
      delete among.probe
      assert.equal(JSON.stringify(pairsOf(read(text) ?? {})), JSON.stringify(pairsOf(among)))
    }),
    { numRuns: 3000 },
  )
})

/**
 * qs keeps of `__proto__` the name alone, which is enough to refuse it, of repeated names an object of indexes, and of a
 * value without a name nothing.
 */
function pairsOf(input: object): [string, unknown][] {
  const asKept = (value: unknown) => (Array.isArray(value) ? { ...value } : value)
  const named = Object.entries(input).filter(([name]) => name !== '')
  const pairs = named.map(([name, value]): [string, unknown] => [
    name,
    name === '__proto__' ? '' : asKept(value),
  ])
  return pairs.sort(([one], [other]) => (one < other ? -1 : 1))
}

function read(text: string): object | undefined {
  try {
    return readForm(text)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}
