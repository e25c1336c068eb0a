import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runAfterPendingIo } from './clock.ts'
import { LimitedConcurrencyQueue } from './limited-concurrency-queue.ts'

const nextTick = () => new Promise<void>((resolve) => runAfterPendingIo(resolve))

it('one turn of the event loop begins at most the limit, in order of arrival', async () => {
  const lane = new LimitedConcurrencyQueue(3)
  const started: number[] = []
  const all = Array.from({ length: 8 }, (_, index) => lane.run(() => started.push(index)))
  const startedAfter: number[] = [started.length]
  while (started.length < 8) {
    await nextTick()
    startedAfter.push(started.length)
  }
  assert.deepEqual(startedAfter, [0, 3, 6, 8])
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5, 6, 7, 8])
})

it('no further work begins while the limit is under way', async () => {
  const lane = new LimitedConcurrencyQueue(2)
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const started: number[] = []
  const all = works.map(({ promise }, index) =>
    lane.run(() => {
      started.push(index)
      return promise
    }),
  )
  for (let tick = 0; tick < 5; tick++) await nextTick()
  assert.deepEqual(started, [0, 1])
  works[1]?.resolve()
  for (let tick = 0; tick < 5; tick++) await nextTick()
  assert.deepEqual(started, [0, 1, 2])
  for (const { resolve } of works) resolve()
  await Promise.all(all)
})

it('work that fails, immediately or later, rejects for its caller only', async () => {
  const lane = new LimitedConcurrencyQueue(1)
  const failing = [
    lane.run(() => {
      throw new Error('at once')
    }),
    lane.run(() => Promise.reject(new Error('later'))),
  ]
  const fine = lane.run(() => 'fine')
  const settled = await Promise.allSettled(failing)
  assert.deepEqual(
    settled.map((each) => each.status === 'rejected' && each.reason.message),
    ['at once', 'later'],
  )
  assert.equal(await fine, 'fine')
})
