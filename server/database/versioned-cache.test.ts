import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Query, Sql } from '../../kit/runtime/sql.ts'
import { raw } from '../../kit/runtime/sql.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { silentLog } from '../../testing/harness/database.ts'
import type { VersionedSource } from './versioned-cache.ts'
import { VersionedCache } from './versioned-cache.ts'

interface Thing extends VersionedSource<string> {
  now: string
  changes: number
  readings: number
  isAway: boolean
}

/** No real database is used; the things hold the data. The query of a version is the name of its thing. */
const things = new Map<string, Thing>()
const database = {
  one: async ({ text }: Query) => ({
    versions: [...text.matchAll(/thing \d+/g)].map(([name]) => {
      const found = things.get(name)
      if (!found || found.isAway) throw new Error('away')
      return found.changes
    }),
  }),
} as unknown as Sql

function thing(): Thing {
  const name = `thing ${things.size}`
  const made: Thing = {
    name,
    version: raw(name),
    now: 'first',
    changes: 1,
    readings: 0,
    isAway: false,
    async read() {
      this.readings += 1
      return this.now
    },
  }
  things.set(name, made)
  return made
}

it('a value is read once for all callers, and again when it has changed', async () => {
  const cache = new VersionedCache(database, new TestClock(), silentLog)
  const what = thing()
  assert.deepEqual(await Promise.all([cache.get(what), cache.get(what)]), ['first', 'first'])
  await cache.refresh()
  assert.equal(what.readings, 1)
  what.now = 'second'
  what.changes += 1
  assert.equal(cache.get(what), 'first')
  await cache.refresh()
  assert.equal(cache.get(what), 'second')
  assert.equal(what.readings, 2)
})

it('while it cannot be read, the old value is returned, and the next check continues', async () => {
  const cache = new VersionedCache(database, new TestClock(), silentLog)
  const what = thing()
  await cache.get(what)
  what.isAway = true
  await cache.refresh()
  assert.equal(cache.get(what), 'first')
  Object.assign(what, { isAway: false, now: 'second', changes: 2 })
  await cache.refresh()
  assert.equal(cache.get(what), 'second')
})

it('a failed first read is an error for its caller, and the next caller tries again', async () => {
  const cache = new VersionedCache(database, new TestClock(), silentLog)
  const what = thing()
  what.isAway = true
  await assert.rejects(async () => cache.get(what), /away/)
  what.isAway = false
  assert.equal(await cache.get(what), 'first')
})

it('a first read that meets a change is repeated, a limited number of times', async () => {
  const cache = new VersionedCache(database, new TestClock(), silentLog)
  const what = thing()
  let replacements = 2
  const read = async () => {
    if (replacements > 0) {
      replacements -= 1
      what.changes += 1
      throw new Error('replaced')
    }
    return 'last'
  }
  assert.equal(await cache.get({ ...what, read }), 'last')
  replacements = 100
  await assert.rejects(async () => cache.get({ ...what, read }), /replaced/)
  assert.equal(replacements, 97)
})
