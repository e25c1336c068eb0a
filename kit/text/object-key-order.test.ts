import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sortObjectKeys } from './object-key-order.ts'

it('keys follow the given order, in nested objects and lists too; unknown keys come last', () => {
  const given = { z: 1, list: [{ b: 1, a: { d: 1, c: 2 } }, null, 'x'], y: { b: 1, a: 2 }, a: null }
  const order = ['a', 'missing', ['list', [['a', ['c', 'd']], 'b']], 'y'] as const
  const expected = '{"a":null,"list":[{"a":{"c":2,"d":1},"b":1},null,"x"],"y":{"b":1,"a":2},"z":1}'
  assert.equal(JSON.stringify(sortObjectKeys(given, order)), expected)
  assert.equal(JSON.stringify(sortObjectKeys(given, [])), JSON.stringify(given))
})
