import assert from 'node:assert/strict'
import { it } from 'node:test'
import { maxTimelineChanges, shownTimeline, withTimelineChange } from './timeline.ts'

const texts = {
  created: { tr: 'Oluşturuldu.', en: 'Created.' },
  updated: { tr: 'Güncellendi.', en: 'Updated.' },
}
const noon = new Date('2026-11-15T09:00:00Z')

it('a timeline lists events oldest first, in the requested language and the merchant’s time zone', () => {
  const record = { createdAt: noon, changes: withTimelineChange([], new Date('2026-11-16T22:30:00Z')) }
  assert.deepEqual(shownTimeline(record, texts, 'tr', 'Europe/Istanbul'), [
    { type: 'created', order: 1, text: 'Oluşturuldu.', date: '15.11.2026 12:00', icon: 'icon-plus' },
    { type: 'updated', order: 2, text: 'Güncellendi.', date: '17.11.2026 01:30', icon: 'icon-pencil' },
  ])
  const [created] = shownTimeline(record, texts, 'en', 'America/New_York')
  assert.deepEqual([created?.text, created?.date], ['Created.', '15.11.2026 04:00'])
})

it('a timeline keeps the creation and the newest 99 changes; their order numbers count the dropped ones', () => {
  let changes = withTimelineChange([], noon)
  for (let change = 2; change <= 600; change++) changes = withTimelineChange(changes, noon)
  const orders = changes.map(({ order }) => order)
  assert.equal(changes.length, maxTimelineChanges)
  assert.deepEqual([orders[0], orders.at(-1)], [503, 601])
  assert.deepEqual(
    orders,
    orders.toSorted((a, b) => a - b),
  )
})
