import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readBody, readForm } from './body.ts'
import * as complaint from './complaints.ts'
import type { Sentence } from './locale.ts'
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

it('whoever sends what cannot be read is told why', () => {
  const json = 'application/json'
  const form = 'application/x-www-form-urlencoded'
  const cases: [string | Buffer, string | undefined, Sentence][] = [
    ['{"a":1}', 'text/plain', complaint.otherContentType],
    ['a=1', undefined, complaint.otherContentType],
    ['--x', 'multipart/form-data; boundary=x', complaint.otherContentType],
    ['{"a":1}', form, complaint.jsonAsForm],
    [' {"a":"b=c&d"}', form, complaint.jsonAsForm],
    ['a=1', json, complaint.brokenJson],
    ['{"a":1', json, complaint.brokenJson],
    ['[]', json, complaint.notJsonObject],
    ['"a"', json, complaint.notJsonObject],
    [`{"a":${'['.repeat(30)}${']'.repeat(30)}}`, json, complaint.tooMuch],
    ['a[b][c][d][e]=1', form, complaint.tooMuch],
    [`{"a":[${'{},'.repeat(10_001)}{}]}`, json, complaint.tooMuch],
    [Array.from({ length: 501 }, (_, index) => `a[${index}]=1`).join('&'), form, complaint.tooManyNames(500)],
    ['a=%FE', form, complaint.brokenEncoding],
    ['a=%', form, complaint.brokenEncoding],
    ['a[0]=%zz', form, complaint.brokenEncoding],
    [Buffer.from([0x61, 0x3d, 0xfe]), form, complaint.notUtf8],
    ['a=1', `${form}; charset=iso-8859-9`, complaint.notUtf8],
    ['a=1&'.repeat(1001), form, complaint.tooManyNames(1000)],
  ]
  for (const [body, type, because] of cases) {
    assert.throws(
      () => readBody(Buffer.from(body), type),
      (error) => error instanceof Refused && error.because?.en === because.en,
      String(body).slice(0, 40),
    )
  }
})
