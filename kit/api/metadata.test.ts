import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customers } from '../../testing/resources/customers.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'
import { timestampedMetadata } from './metadata.ts'

const then = new Date(1000)
const now = new Date(2000)
const before = timestampedMetadata(
  [
    { key: 'kept', value: '1' },
    { key: 'changed', value: '1' },
    { key: 'gone', value: '1' },
  ],
  then,
)

it('new pairs replace all others: an unchanged pair keeps its times, a changed value keeps its creation time', () => {
  const given = [
    { key: 'changed', value: '2' },
    { key: 'new', value: '1' },
    { key: 'kept', value: '1' },
  ]
  assert.deepEqual(timestampedMetadata(given, now, before), [
    { key: 'changed', value: '2', created_at: 1000, updated_at: 2000 },
    { key: 'new', value: '1', created_at: 2000, updated_at: 2000 },
    { key: 'kept', value: '1', created_at: 1000, updated_at: 1000 },
  ])
})

it('no pairs give an empty list', () => {
  assert.deepEqual(timestampedMetadata([], now, before), [])
})

// Every resource with metadata reads it with this code. The tests use customers.
const { backend, create, faults } = await openResourceFixture(customers)
const { path, least } = customers

/** Creates a customer with this metadata and returns the stored values by key. */
async function metadataFrom(metadata: unknown): Promise<Record<string, string>> {
  const { record } = await create({ ...least, metadata })
  return Object.fromEntries(
    record.metadata.map((item: { key: string; value: string }) => [item.key, item.value]),
  )
}

describe('200, metadata of a record', () => {
  it('returns numbers and booleans as text, exactly as they were written', async () => {
    const written = ['1', '1.0', '1e3', '-0', '0.10', '12345678901234567890', 'true', 'false']
    for (const value of written) {
      const form = { ...least, metadata: `{"n":${value}}` }
      assert.equal((await backend.form(path, form)).json.metadata[0].value, value)
      const body = JSON.stringify(least).replace('}', `,"metadata":{"n":${value}}}`)
      const headers = { 'content-type': 'application/json' }
      assert.equal(
        (await backend.send({ method: 'POST', url: path, body, headers })).json.metadata[0].value,
        value,
      )
    }
  })

  it('trims keys and values, keeps an empty value, and allows any key, including JavaScript property names', async () => {
    assert.deepEqual(await metadataFrom('{" a ":" b ","empty":""}'), { a: 'b', empty: '' })
    assert.deepEqual(await metadataFrom({ 0: 'a', constructor: 'b', toString: 'c' }), {
      0: 'a',
      constructor: 'b',
      toString: 'c',
    })
    const { json } = await backend.form(path, { ...least, metadata: '{"__proto__":"x"}' })
    assert.deepEqual([json.metadata[0].key, json.metadata[0].value], ['__proto__', 'x'])
  })

  it('accepts 50 pairs, keys of 40 characters and values of 500 characters', async () => {
    const pairs = Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(40, 'ş'), '😀'.repeat(500)])
    assert.deepEqual(await metadataFrom(Object.fromEntries(pairs)), Object.fromEntries(pairs))
  })

  it('treats an empty value, object or list as no metadata: some languages write an empty object as a list', async () => {
    for (const metadata of ['', '{}', {}, null, [], '[]']) assert.deepEqual(await metadataFrom(metadata), {})
  })
})

describe('422, metadata of a record', () => {
  it('reports every fault in the metadata under the key metadata', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, '1']))
    const wrong: [unknown, RegExp][] = [
      [many, /at most 50 items/],
      [{ ['k'.repeat(41)]: '1' }, /Keys: Must be at most 40 characters/],
      [{ a: 'v'.repeat(501) }, /a: Must be at most 500 characters/],
      [{ '': '1' }, /Keys cannot be empty/],
      [{ ' ': '1' }, /Keys cannot be empty/],
      [{ a: null }, /a: Must be text, a number, true or false/],
      [{ a: { b: 'c' } }, /a: Must be text/],
      [{ a: {} }, /a: Must be text/],
      [{ a: ['b'] }, /a: Must be text/],
      [{ a: '\0' }, /a: Contains characters/],
      [{ a: '1', ' a': '2' }, /a: Sent more than once/],
      [['a'], /object of key-value pairs/],
      ['["a"]', /object of key-value pairs/],
      ['[', /object of key-value pairs/],
      ['{"a":"1","b":"2","\\u0061":"1"}', /a: Sent more than once/],
      ['{"__proto__":"1","__proto__":"2"}', /__proto__: Sent more than once/],
      ['not json', /object of key-value pairs/],
      ['"text"', /object of key-value pairs/],
      [5, /object of key-value pairs/],
      [true, /object of key-value pairs/],
    ]
    for (const [metadata, sentence] of wrong) {
      const errors = await faults(path, { ...least, metadata })
      assert.deepEqual(Object.keys(errors), ['metadata'])
      assert.match(String(errors['metadata']), sentence)
    }
    const lists = ['metadata[0][key]=a&metadata[0][value]=b', 'metadata[0]=a&metadata[1]=b', 'metadata[]=a']
    for (const list of [...lists, 'metadata=a&metadata=b', 'metadata={"a":"b"}&metadata={"a":"b"}']) {
      const { json } = await backend.form(path, `${new URLSearchParams(least)}&${list}`)
      assert.deepEqual(Object.keys(json.errors), ['metadata'], list)
    }
  })
})
