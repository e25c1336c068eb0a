import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pageOf, windowOf } from './search.ts'

it('a page of very large records ends early and goes on behind the last that it has', () => {
  const large = (id: number) => ({
    id: 10_000_000_000_000 + id,
    createdAt: new Date(1_763_188_200_000 - id),
    metadata: Array.from({ length: 50 }, (_, key) => ({ key: `key${key}`, value: 'ş'.repeat(500) })),
    changes: [],
  })
  const items = Array.from({ length: 100 }, (_, id) => large(id))
  const page = pageOf({ items, count: 100, hasMore: false })
  assert.ok(page.items.length > 10 && page.items.length < 50, String(page.items.length))
  assert.ok(Buffer.byteLength(JSON.stringify(page.items)) < 2_500_000)
  const last = page.items.at(-1)
  const place = Buffer.from(page.next ?? '', 'base64url').toString()
  assert.equal(place, `${last?.createdAt.getTime()}.${last?.id}`)
  const huge = { ...large(1), changes: Array.from({ length: 100_000 }, () => 0) }
  assert.equal(pageOf({ items: [huge], count: 1, hasMore: false }).items.length, 1, 'one is always there')
  assert.equal(pageOf({ items: [large(1)], count: 1, hasMore: false }).next, undefined)
})

it('a day ends when the next one begins, also when clocks change between them', () => {
  const { from, before } = windowOf(
    { created_from: { day: '2026-10-25' }, created_to: { day: '2026-10-25' } },
    'Europe/Berlin',
  )
  assert.deepEqual([from, before], [new Date('2026-10-24T22:00:00Z'), new Date('2026-10-25T23:00:00Z')])
})
