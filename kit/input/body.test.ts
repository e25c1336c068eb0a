import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import type { LocalizedText } from '../text/locale.ts'
import { parseRequestBody, parseUrlEncoded } from './body.ts'
import * as complaint from './complaints.ts'
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

it('a form without brackets parses the same with and without the fast path', () => {
  fc.assert(
    fc.property(form, (text) => {
      const among: { probe?: unknown } = read(`${text}&probe[0]=x`) ?? {}
      delete among.probe
      assert.equal(JSON.stringify(pairsOf(read(text) ?? {})), JSON.stringify(pairsOf(among)))
    }),
    { numRuns: repetitions(3000) },
  )
})

const segment = fc.constantFrom(
  '0',
  '1',
  '2',
  '10',
  'key',
  'value',
  'a-b',
  '__proto__',
  'constructor',
  '',
  'ş',
  '00',
)
const bracketedName = fc
  .tuple(
    fc.constantFrom('a', 'b', 'list', '__proto__', ''),
    fc.array(segment, { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([first, inner, isEncoded]) => {
    const name = first + inner.map((part) => `[${part}]`).join('')
    return isEncoded ? encodeURIComponent(name) : name
  })
const bracketedValue = fc.oneof(
  piece,
  fc.string({ unit: fc.constantFrom('[', ']', ']=', '%5D=', '%5d%3d', '=', '{', '"', ',', 'a') }),
)
const bracketedForm = fc
  .array(fc.tuple(bracketedName, fc.constantFrom('=', '=', '=', ''), bracketedValue), { maxLength: 6 })
  .map((parts) => parts.map(([name, equals, value]) => name + equals + value).join('&'))

it('a form with brackets parses the same on the fast path and with qs', () => {
  fc.assert(
    fc.property(bracketedForm, (text) => {
      // A repeated name is never parsed on the fast path.
      const byQs: { probe?: unknown } = read(`${text}&probe[0]=1&probe[0]=2`) ?? {}
      delete byQs.probe
      const quick: { probe?: unknown } = read(`${text}&probe[0]=1`) ?? {}
      delete quick.probe
      assert.equal(JSON.stringify(quick), JSON.stringify(byQs))
    }),
    { numRuns: repetitions(5000) },
  )
})

const otherForms = ['', '&probe[0]=x', '&probe[0]=1&probe[0]=2', '&probe[x]=1&probe=2']

it('a value means the same raw and percent-encoded, next to any other pairs, and ends with its pair', () => {
  const value = fc.string({ unit: fc.constantFrom(...'ab=[]{}",:; ş1', ']=', '[x]=', '[]=') })
  const name = fc.constantFrom('products', 'metadata[0][value]', 'metadata%5B0%5D%5Bvalue%5D')
  fc.assert(
    fc.property(name, value, fc.constantFrom(...otherForms), (name, value, others) => {
      const valueIn = (text: string): unknown => {
        const { products, metadata } = parseUrlEncoded(text) as { products?: unknown; metadata?: unknown }
        return name === 'products' ? products : (metadata as { 0?: { value?: unknown } })?.[0]?.value
      }
      assert.equal(valueIn(`${name}=${value}${others}`), value)
      assert.equal(valueIn(`${name}=${encodeURIComponent(value)}${others}`), value)
    }),
    { numRuns: repetitions(3000) },
  )
  const products = '[{"product_name":"Kalem [mavi]=1 adet","price":5}]'
  assert.deepEqual({ ...parseUrlEncoded(`products=${products}&amount=5`) }, { products, amount: '5' })
  assert.deepEqual({ ...parseUrlEncoded('description=a]=b') }, { description: 'a]=b' })
})

/**
 * qs keeps only the name of `__proto__`, which is enough to refuse it; it keeps repeated names as an object
 * of indexes and drops a value without a name.
 */
function pairsOf(input: object): [string, unknown][] {
  const asStored = (value: unknown) => (Array.isArray(value) ? { ...value } : value)
  const named = Object.entries(input).filter(([name]) => name !== '')
  const pairs = named.map(([name, value]): [string, unknown] => [
    name,
    name === '__proto__' ? '' : asStored(value),
  ])
  return pairs.sort(([one], [other]) => (one < other ? -1 : 1))
}

function read(text: string): object | undefined {
  try {
    return parseUrlEncoded(text)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

it('a request that cannot be read is refused with the reason', () => {
  const json = 'application/json'
  const form = 'application/x-www-form-urlencoded'
  const cases: [string | Buffer, string | undefined, LocalizedText][] = [
    ['{"a":1}', 'text/plain', complaint.unsupportedContentType],
    ['a=1', undefined, complaint.unsupportedContentType],
    ['--x', 'multipart/form-data; boundary=x', complaint.unsupportedContentType],
    ['{"a":1}', form, complaint.jsonSentAsForm],
    [' {"a":"b=c&d"}', form, complaint.jsonSentAsForm],
    ['a=1', json, complaint.brokenJson],
    ['{"a":1', json, complaint.brokenJson],
    ['[]', json, complaint.notJsonObject],
    ['"a"', json, complaint.notJsonObject],
    [`{"a":${'['.repeat(30)}${']'.repeat(30)}}`, json, complaint.tooComplex],
    ['a[b][c][d][e]=1', form, complaint.tooComplex],
    [`{"a":[${'{},'.repeat(10_001)}{}]}`, json, complaint.tooComplex],
    [
      Array.from({ length: 501 }, (_, index) => `a[${index}]=1`).join('&'),
      form,
      complaint.tooManyParameters(500),
    ],
    ['a=%FE', form, complaint.brokenPercentEncoding],
    ['a=%', form, complaint.brokenPercentEncoding],
    ['a[0]=%zz', form, complaint.brokenPercentEncoding],
    [Buffer.from([0x61, 0x3d, 0xfe]), form, complaint.notUtf8],
    ['a=1', `${form}; charset=iso-8859-9`, complaint.notUtf8],
    ['a=1&'.repeat(1001), form, complaint.tooManyParameters(1000)],
  ]
  for (const [body, type, because] of cases) {
    assert.throws(
      () => parseRequestBody(Buffer.from(body), type),
      (error) => error instanceof Refused && error.because?.en === because.en,
      String(body).slice(0, 40),
    )
  }
})
