import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maskSecrets } from './mask-secrets.ts'

const key = 'pk_test_0123456789abcdefghij'

it('keys and tokens are cut to their beginning at any depth, and long texts and lists are shortened', () => {
  const shown = maskSecrets({
    headers: { Authorization: `Bearer ${key}`, 'webhook-signature': `v1,${key}` },
    data: [{ access_token: key, secrets: [key], amount: 18_990, note: null, metadata: [{ key: 'order' }] }],
  })
  assert.deepEqual(shown, {
    headers: { Authorization: 'Bearer pk_test_0123…', 'webhook-signature': 'v1,pk_test_0…' },
    data: [
      {
        access_token: 'pk_test_0123…',
        secrets: ['pk_test_0123…'],
        amount: 18_990,
        note: null,
        metadata: [{ key: 'order' }],
      },
    ],
  })
  const { text, list } = maskSecrets({ text: 'x'.repeat(2_001), list: Array(101).fill(1) }) as {
    text: string
    list: number[]
  }
  assert.deepEqual([text, list.length], [`${'x'.repeat(2_000)}…`, 100])
})
