import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../testing/harness/tier.ts'
import { parseMessage } from './parse-message.ts'
import type { ProtocolError } from './protocol-error.ts'

function faultOf(text: string): Pick<ProtocolError, 'code' | 'detail'> | undefined {
  const read = parseMessage(text)
  return 'error' in read ? { code: read.error.code, detail: read.error.detail } : undefined
}

it('invalid JSON is 101', () => {
  for (const text of ['', '{', 'messageType=ARes', '{"a":1}}', '\ufeff{}']) {
    assert.deepEqual(faultOf(text), { code: '101', detail: '' }, text)
  }
})

it('a repeated element is 204, at any depth and in any spelling', () => {
  const doubled = {
    '{"transStatus":"N","transStatus":"Y"}': 'transStatus',
    '{"transStatus":"N","trans\\u0053tatus" \n : "Y"}': 'transStatus',
    '{"a":{"eci":"05","b":[{}],"eci":"05"}}': 'eci',
    '[{"x":"\\"{","y":1,"x":2,"y":3}]': 'x,y',
    '{"4155650100416111":1,"4155650100416111":2}': 'unnamed',
  }
  for (const [text, detail] of Object.entries(doubled))
    assert.deepEqual(faultOf(text), { code: '204', detail })
})

it('the same name in two objects, or as a value, is no repetition', () => {
  for (const text of [
    '{"a":{"x":1},"b":{"x":1},"x":"x"}',
    '[{"x":1},{"x":1}]',
    '{"a":"a","b":"{\\"a\\":1,\\"a\\":2}"}',
    '["a","a"]',
  ]) {
    assert.equal(faultOf(text), undefined, text)
  }
})

it('JSON without repeated elements is parsed unchanged', () => {
  fc.assert(
    fc.property(fc.json(), (text) => assert.deepEqual(parseMessage(text), { value: JSON.parse(text) })),
    { numRuns: repetitions(500) },
  )
})

it('a message of several megabytes is parsed; one that is nested too deeply is 101', () => {
  assert.equal(faultOf(JSON.stringify({ a: 'x\\'.repeat(1_500_000) })), undefined)
  for (const depth of [51, 5_000, 500_000]) {
    assert.equal(faultOf(`${'['.repeat(depth)}${']'.repeat(depth)}`)?.code, '101')
    assert.equal(faultOf(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)?.code, '101')
  }
  assert.equal(faultOf(`{${'"a":1,'.repeat(200_000)}"a":1}`)?.code, '204')
})
