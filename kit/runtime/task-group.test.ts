import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runAfterPendingIo } from './clock.ts'
import { ProcessState } from './process-state.ts'
import { TaskGroup } from './task-group.ts'

it('draining waits for all work, also for work that begins at the end of other work', async () => {
  const tasks = new TaskGroup()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done: string[] = []
  void tasks.add(first.promise).then(() => tasks.add(second.promise.then(() => done.push('second'))))
  const drained = tasks.drain().then(() => done.push('drained'))
  first.resolve()
  runAfterPendingIo(() => second.resolve())
  await drained
  assert.deepEqual(done, ['second', 'drained'])
})

it('failed work rejects for its caller, and draining ends', async () => {
  const tasks = new TaskGroup()
  const failed = assert.rejects(tasks.add(Promise.reject(new Error('no'))), /no/)
  await tasks.drain()
  await failed
})

it('the signal is aborted by the end only', () => {
  const tasks = new TaskGroup()
  assert.equal(tasks.signal.aborted, false)
  tasks.end()
  assert.equal(tasks.signal.aborted, true)
})

it('each process has one state of a kind', () => {
  const names = () => new Set<string>()
  const [one, other] = [new ProcessState(), new ProcessState()]
  one.of(names).add('a')
  assert.deepEqual([...one.of(names)], ['a'])
  assert.deepEqual([...other.of(names)], [])
  assert.deepEqual([...one.of(() => new Set<string>())], [])
})
