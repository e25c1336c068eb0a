import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TestClock } from '../../testing/harness/clock.ts'
import { lazily, preloadLazyValues } from './lazy.ts'

it('is made once, when it is first asked for', () => {
  let times = 0
  const get = lazily(() => ++times)
  assert.equal(times, 0)
  assert.deepEqual([get(), get()], [1, 1])
})

it('is made ahead of its first use when there is time for it, unless told to end before', async () => {
  const made: string[] = []
  const get = lazily(() => made.push('ahead'))
  const clock = new TestClock()
  const ended = new AbortController()
  ended.abort()
  await preloadLazyValues(clock, ended.signal)
  assert.deepEqual(made, [])
  const loading = preloadLazyValues(clock, new AbortController().signal)
  let isDone = false
  void loading.then(() => {
    isDone = true
  })
  while (!isDone) {
    await Promise.resolve()
    clock.advance(1_000)
  }
  get()
  assert.deepEqual(made, ['ahead'])
})

it('is tried again at its first use if it could not be made before, and whoever is ready stays so', async () => {
  let times = 0
  const get = lazily(() => {
    times += 1
    if (times === 1) throw new Error('not yet')
    return 'made'
  })
  const clock = new TestClock()
  let isDone = false
  void preloadLazyValues(clock, new AbortController().signal).then(() => {
    isDone = true
  })
  while (!isDone) {
    await Promise.resolve()
    clock.advance(1_000)
  }
  assert.deepEqual([times, get()], [1, 'made'])
})
