import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TestClock } from '../../testing/harness/clock.ts'
import { lazily, preloadLazyValues } from './lazy.ts'

it('a lazy value is made once, at its first use', () => {
  let times = 0
  const get = lazily(() => ++times)
  assert.equal(times, 0)
  assert.deepEqual([get(), get()], [1, 1])
})

it('preloadLazyValues makes a lazy value before its first use, unless it is aborted', async () => {
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

it('a lazy value that could not be preloaded is made at its first use, and the preload does not fail', async () => {
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
