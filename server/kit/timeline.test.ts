import assert from 'node:assert/strict'
import { it } from 'node:test'
import { beginning, keptEntries, shownTimeline, withChange } from './timeline.ts'

const texts = {
  created: { tr: 'Oluşturuldu.', en: 'Created.' },
  updated: { tr: 'Güncellendi.', en: 'Updated.' },
}
const noon = new Date('2026-11-15T09:00:00Z')

it('a timeline tells in the language asked for and in the zone of the merchant what happened, oldest first', () => {
  const timeline = withChange(beginning(noon), new Date('2026-11-16T22:30:00Z'))
  assert.deepEqual(shownTimeline(timeline, texts, 'tr', 'Europe/Istanbul'), [
    { type: 'created', order: 1, text: 'Oluşturuldu.', date: '15.11.2026 12:00', icon: 'icon-plus' },
    { type: 'updated', order: 2, text: 'Güncellendi.', date: '17.11.2026 01:30', icon: 'icon-pencil' },
  ])
  const [created] = shownTimeline(timeline, texts, 'en', 'America/New_York')
  assert.deepEqual([created?.text, created?.date], ['Created.', '15.11.2026 04:00'])
})

it('a timeline keeps the creation and the newest 499 changes, whose order counts those that are forgotten', () => {
  let timeline = beginning(noon)
  for (let change = 1; change <= 600; change++) timeline = withChange(timeline, noon)
  const orders = timeline.map(({ order }) => order)
  assert.equal(timeline.length, keptEntries)
  assert.deepEqual([orders[0], orders[1], orders.at(-1)], [1, 103, 601])
  assert.deepEqual(
    orders,
    orders.toSorted((a, b) => a - b),
  )
})

it('a timeline without a creation is a bug', () => {
  assert.throws(() => withChange([], noon), /begins with the creation/)
})
