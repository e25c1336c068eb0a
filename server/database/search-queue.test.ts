import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseNotReached, sql } from '../../kit/runtime/sql.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { emptyDatabase } from '../../testing/harness/database.ts'
import { SearchQueue } from './search-queue.ts'

const { sql: database } = await emptyDatabase()

/** Searches that end when the test decides, and a list of events. */
function stage(atOnce: number) {
  const clock = new TestClock()
  const searches = new SearchQueue(database, atOnce, clock)
  const seen: string[] = []
  const search = (name: string) => {
    const started = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const answered = searches.run(async (own) => {
      seen.push(name)
      started.resolve()
      await end.promise
      return own.one<{ name: string }>(sql`select ${name} as name`)
    })
    return { answered, started: started.promise, end: end.resolve, fail: end.reject }
  }
  return { clock, searches, seen, search }
}

describe('a search that finds all connections in use', () => {
  it('runs when its turn comes, in order of arrival', async () => {
    const { clock, searches, seen, search } = stage(2)
    const [first, second, third, fourth] = [search('1'), search('2'), search('3'), search('4')]
    assert.deepEqual([seen, searches.waitingCount], [['1', '2'], 2])
    clock.advance(14_999)
    second.end()
    await third.started
    assert.deepEqual([seen, searches.waitingCount], [['1', '2', '3'], 1])
    for (const { end } of [first, third, fourth]) end()
    assert.deepEqual(await fourth.answered, { name: '4' })
    assert.deepEqual([seen, searches.waitingCount], [['1', '2', '3', '4'], 0])
  })

  it('waits once: no other search runs between its queries', async () => {
    const { searches } = stage(1)
    const seen: string[] = []
    const pair = (name: string) =>
      searches.run(async (own) => {
        for (const part of ['begins', 'ends']) {
          await own.one(sql`select 1`)
          seen.push(`${name} ${part}`)
        }
      })
    await Promise.all([pair('1'), pair('2'), pair('3')])
    assert.deepEqual(seen, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
  })

  it('gets its turn even if the search before it fails', async () => {
    const { search } = stage(1)
    const [first, second] = [search('1'), search('2')]
    first.fail(new Error('too slow'))
    await assert.rejects(first.answered, /too slow/)
    second.end()
    assert.deepEqual(await second.answered, { name: '2' })
  })

  it('is refused after fifteen seconds and takes no turn afterwards', async () => {
    const { clock, searches, seen, search } = stage(1)
    const [first, second] = [search('1'), search('2')]
    clock.advance(15_000)
    await assert.rejects(second.answered, DatabaseNotReached)
    assert.equal(searches.waitingCount, 0)
    first.end()
    await first.answered
    const third = search('3')
    third.end()
    assert.deepEqual(await third.answered, { name: '3' })
    assert.deepEqual(seen, ['1', '3'])
  })

  it('takes a turn that comes just as it gives up, and passes it on', async () => {
    const { clock, search } = stage(1)
    const [first, second] = [search('1'), search('2')]
    first.end()
    await first.answered
    clock.advance(15_000)
    const third = search('3')
    second.end()
    third.end()
    assert.deepEqual(await second.answered, { name: '2' })
    assert.deepEqual(await third.answered, { name: '3' })
  })

  it('is refused immediately if a hundred wait per connection; the waiting ones are not affected', async () => {
    const { searches, search } = stage(2)
    const accepted = Array.from({ length: 202 }, (_, index) => search(String(index)))
    assert.equal(searches.waitingCount, 200)
    await assert.rejects(search('one too many').answered, DatabaseNotReached)
    for (const { end } of accepted) end()
    const answers = await Promise.all(accepted.map(({ answered }) => answered))
    assert.deepEqual(
      answers.map(({ name }) => name),
      accepted.map((_, index) => String(index)),
    )
  })
})
