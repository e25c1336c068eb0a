import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMessage } from './messages.ts'

const read = (message: object) => readMessage({ vezne: 'page', ...message })

describe('a message of the payment page', () => {
  it('is read with its valid fields', () => {
    const stepMessage = { type: 'standing', step: 'bank', transaction_id: 10000000000123 }
    assert.deepEqual(read({ type: 'here', more: 1 }), { type: 'here' })
    assert.deepEqual(read(stepMessage), { type: 'standing', step: 'bank', transactionId: 10000000000123 })
    assert.deepEqual(read({ type: 'size', height: 812.2 }), { type: 'size', height: 813 })
    assert.deepEqual(read({ type: 'look', top: 10, bottom: 60 }), { type: 'look', top: 10, bottom: 60 })
    const leave = read({ type: 'leave', url: 'https://shop.example/return?transaction_id=1' })
    assert.deepEqual(leave, { type: 'leave', url: 'https://shop.example/return?transaction_id=1' })
  })

  it('cannot make the frame too low or too high', () => {
    for (const [height, bounded] of [
      [-1, 200],
      [0, 200],
      [1e9, 4000],
      [Number.MAX_VALUE, 4000],
    ] as const)
      assert.deepEqual(read({ type: 'size', height }), { type: 'size', height: bounded })
  })

  it('can scroll only within its frame', () => {
    assert.deepEqual(read({ type: 'look', top: -40, bottom: 1e9 }), { type: 'look', top: 0, bottom: 4000 })
  })

  it('can navigate only to web addresses', () => {
    const urls = [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'blob:https://a/b',
      '/here',
      '',
      5,
      null,
    ]
    for (const url of [...urls, ['https://a.example'], { href: 'https://a.example' }])
      assert.equal(read({ type: 'leave', url }), undefined, String(url))
  })

  it('is ignored if any part of it is invalid', () => {
    const id = 10000000000123
    for (const data of [
      null,
      'here',
      5,
      [],
      { type: 'here' },
      { vezne: 'bridge', type: 'here' },
      { vezne: 'page', type: 'toString' },
      ...[
        { type: 'standing', step: 'toString', transaction_id: id },
        { type: 'standing', step: ['paid'], transaction_id: id },
        { type: 'standing', step: 'paid', transaction_id: String(id) },
        { type: 'standing', step: 'paid', transaction_id: -id },
        { type: 'standing', step: 'paid' },
        { type: 'size', height: '800' },
        { type: 'size', height: Number.NaN },
        { type: 'size', height: Number.POSITIVE_INFINITY },
        { type: 'look', top: 60, bottom: 10 },
        { type: 'look', top: '0}*{display:none', bottom: 10 },
      ].map((each) => ({ vezne: 'page', ...each })),
    ])
      assert.equal(readMessage(data), undefined, JSON.stringify(data))
  })
})
