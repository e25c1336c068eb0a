import assert from 'node:assert/strict'
import { it } from 'node:test'
import { metadataOf } from './metadata.ts'

const then = new Date(1000)
const now = new Date(2000)
const before = metadataOf(
  [
    { key: 'kept', value: '1' },
    { key: 'changed', value: '1' },
    { key: 'gone', value: '1' },
  ],
  then,
)

it('new pairs replace all: what stays keeps its times, what changes keeps its beginning, the rest is gone', () => {
  const given = [
    { key: 'changed', value: '2' },
    { key: 'new', value: '1' },
    { key: 'kept', value: '1' },
  ]
  assert.deepEqual(metadataOf(given, now, before), [
    { key: 'changed', value: '2', created_at: 1000, updated_at: 2000 },
    { key: 'new', value: '1', created_at: 2000, updated_at: 2000 },
    { key: 'kept', value: '1', created_at: 1000, updated_at: 1000 },
  ])
})

it('no pairs are an empty list', () => {
  assert.deepEqual(metadataOf([], now, before), [])
})
