import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import type { LocalizedText } from '../text/locale.ts'
import { parseRequestBody, parseUrlEncoded, strayBracketsMarker } from './body.ts'
import * as complaint from './complaints.ts'
import { Refused } from './refusals.ts'

it('names in brackets become objects, and several values under one name become a list', () => {
  const cases: [string, object][] = [
    ['a=1&&b&=2', { a: '1', b: '', '': '2' }],
    ['a[b][c][d]=1&a%5Bb%5D%5Be%5D=2', { a: { b: { c: { d: '1' }, e: '2' } } }],
    ['a[1]=y&a[0]=x&a[900]=z', { a: { 0: 'x', 1: 'y', 900: 'z' } }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2&a=3', { a: ['1', '2', '3'] }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['a[][k]=1&a[][v]=2', { a: { 0: { k: '1', v: '2' } } }],
    ['a[k[0]]=1', { a: { 'k[0]': '1' } }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[0]=1&a[0]=2', { a: { 0: ['1', '2'] } }],
    ['a[b]=1&a=2&a[c]=3', { a: [{ b: '1' }, '2', { c: '3' }] }],
    ['a=1&a[b]=2', { a: ['1', { b: '2' }] }],
  ]
  for (const [text, input] of cases)
    assert.equal(JSON.stringify(parseUrlEncoded(text)), JSON.stringify(input))
})

it('a name with stray brackets marks its word, whatever else is sent under it', () => {
  for (const name of ['a[', 'a[b', 'a[b]c', 'a[b].c', 'a[b]]', 'a[[b]', 'a[b][c', 'a[b[c][d]]'])
    for (const form of [`${name}=1`, `a=2&${name}=1&a=3`, `${name}=1&a[b]=2&a[]=3&a[0][c]=4`])
      assert.deepEqual(Object.entries(parseUrlEncoded(form)), [['a', strayBracketsMarker]])
  for (const name of ['a]', '[a]', '[]'])
    assert.deepEqual(Object.entries(parseUrlEncoded(`${name}=1`)), [[name, '1']])
})

it('any form is read or refused, and each of its words is kept', () => {
  const name = fc.string({
    unit: fc.constantFrom(...'ab[].0', '[0]', '[]', '[a]', '__proto__'),
    minLength: 1,
  })
  fc.assert(
    fc.property(fc.array(name, { maxLength: 8 }), (names) => {
      const wordsOf = (sent: string[]) =>
        new Set(sent.map((each) => each.slice(0, each.indexOf('[', 1) >>> 0)))
      try {
        const input = parseUrlEncoded(names.map((each) => `${each}=1`).join('&'))
        assert.deepEqual(wordsOf(Object.keys(input)), wordsOf(names))
      } catch (error) {
        assert.ok(error instanceof Refused, String(error))
      }
    }),
    { numRuns: repetitions(3000) },
  )
})

it('a name of a prototype is a name like any other', () => {
  const input = parseUrlEncoded('__proto__[x]=1&a[__proto__][y]=2&a[constructor]=3&toString=4')
  const text = '{"__proto__":{"x":"1"},"a":{"__proto__":{"y":"2"},"constructor":"3"},"toString":"4"}'
  assert.equal(JSON.stringify(input), text)
  assert.equal(({} as { x?: string; y?: string }).x ?? ({} as { y?: string }).y, undefined)
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
    [`a${'[b]'.repeat(80_000)}=1`, form, complaint.tooComplex],
    [`{"a":[${'{},'.repeat(10_001)}{}]}`, json, complaint.tooComplex],
    [
      Array.from({ length: 501 }, (_, index) => `a[${index}]=1`).join('&'),
      form,
      complaint.tooManyBracketedParameters(500),
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
