import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runAfterPendingIo } from '../../kit/runtime/clock.ts'
import { DatabaseUnavailable, RowLocked, reusableQuery, sql } from '../../kit/runtime/sql.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { Batcher } from './batch.ts'
import type { BatchQueryParameters } from './batching-sql.ts'
import type { OwnedId } from './owned-id.ts'

const { sql: database } = await testDatabase()
await database.run(sql`create table lines (merchant_id bigint, id bigint primary key, size integer check (size > 0),
  statement xid8)`)
const insertLines = reusableQuery<BatchQueryParameters>`insert into lines
  select ${'merchantId'}::bigint, id, size, pg_current_xact_id()
  from json_to_recordset(${'rows'}::json) as given (id bigint, size integer) returning lines.id`
const line = (id: number, size = 1) => ({ merchantId: 1, id, size })
const add = (id: number, size?: number) => database.batch(insertLines, line(id, size))

/** A batcher whose queries end when the test decides. */
function manualBatcher() {
  const clock = new TestClock()
  const queries: { rows: OwnedId[]; end: (outcome?: unknown) => void }[] = []
  const batcher = new Batcher<true>((rows) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<number, true>>()
    const end = (outcome?: unknown) => {
      const done = (outcome as number[] | undefined) ?? rows.map(({ id }) => id)
      if (outcome instanceof Error) reject(outcome)
      else resolve(new Map(done.map((id) => [id, true])))
    }
    queries.push({ rows, end })
    return promise
  }, clock)
  const add = (...ids: number[]) => ids.map((id) => batcher.add({ merchantId: 1, id }))
  const sizes = () => queries.map(({ rows }) => rows.length)
  return { batcher, queries, add, sizes, clock }
}

/** Resolves when all pending work is done. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => runAfterPendingIo(() => runAfterPendingIo(resolve)))
}

/** Adds each row in its own tick, so that none shares a batch. */
async function addOneByOne(
  add: (id: number) => Promise<unknown>[],
  ...ids: number[]
): Promise<Promise<unknown>[]> {
  const added: Promise<unknown>[] = []
  for (const id of ids) {
    added.push(...add(id))
    await nextTick()
  }
  return added
}

describe('rows share a query', () => {
  it('if they arrive in the same tick', async () => {
    const { add, queries, sizes } = manualBatcher()
    const added = add(1, 2, 3)
    await nextTick()
    assert.deepEqual(sizes(), [3])
    queries[0]?.end()
    assert.deepEqual(await Promise.all(added), [true, true, true])
  })

  it('if they arrive while two queries are under way; it is sent as soon as one has ended', async () => {
    const { add, queries, sizes } = manualBatcher()
    const added = await addOneByOne(add, 1, 2)
    added.push(...add(3), ...add(4))
    await nextTick()
    assert.deepEqual(sizes(), [1, 1])
    queries[1]?.end()
    await nextTick()
    assert.deepEqual(sizes(), [1, 1, 2])
    for (const { end } of queries) end()
    assert.deepEqual(await Promise.all(added), [true, true, true, true])
  })

  it('with at most 64 rows', async () => {
    const { add, queries, sizes } = manualBatcher()
    const added = add(...Array.from({ length: 150 }, (_, id) => id))
    await nextTick()
    assert.deepEqual(sizes(), [64, 64])
    for (const { end } of queries) end()
    await nextTick()
    assert.deepEqual(sizes(), [64, 64, 22])
    queries[2]?.end()
    assert.equal((await Promise.all(added)).every(Boolean), true)
  })

  it('that is sent after a tenth of a second, however long other queries take', async () => {
    const { add, queries, sizes, clock } = manualBatcher()
    const added = await addOneByOne(add, 1, 2)
    added.push(...add(3), ...add(4))
    await nextTick()
    clock.advance(99)
    await nextTick()
    assert.deepEqual(sizes(), [1, 1])
    clock.advance(1)
    await nextTick()
    assert.deepEqual(sizes(), [1, 1, 2])
    // Rows that were sent are not sent again, and later rows wait for their own tenth of a second.
    added.push(...add(5))
    clock.advance(99)
    await nextTick()
    assert.deepEqual(sizes(), [1, 1, 2])
    clock.advance(100)
    await nextTick()
    assert.deepEqual(sizes(), [1, 1, 2, 1])
    for (const { end } of queries) end()
    assert.deepEqual(await Promise.all(added), [true, true, true, true, true])
  })

  it('and the wait counts from their own arrival, not from that of rows sent before', async () => {
    const { add, queries, sizes, clock } = manualBatcher()
    const added = await addOneByOne(add, 1, 2)
    added.push(...add(3))
    await nextTick()
    clock.advance(50)
    queries[0]?.end()
    await nextTick()
    added.push(...add(4))
    await nextTick()
    clock.advance(50)
    await nextTick()
    assert.deepEqual(sizes(), [1, 1, 1])
    clock.advance(50)
    await nextTick()
    assert.deepEqual(sizes(), [1, 1, 1, 1])
    for (const { end } of queries) end()
    assert.deepEqual(await Promise.all(added), [true, true, true, true])
  })

  it('only with rows of their own merchant, and merchants do not wait for each other', async () => {
    const { batcher, queries } = manualBatcher()
    for (let id = 1; id <= 5; id++) {
      void batcher.add({ merchantId: 1, id })
      await nextTick()
    }
    const other = batcher.add({ merchantId: 2, id: 6 })
    await nextTick()
    assert.deepEqual(
      queries.map(({ rows }) => rows.map(({ merchantId }) => merchantId)),
      [[1], [1], [2]],
    )
    queries[2]?.end()
    assert.equal(await other, true)
  })
})

it('the batcher keeps nothing about merchants without pending rows, even if they do not exist', async () => {
  const { batcher, queries } = manualBatcher()
  const rows = Array.from({ length: 100 }, (_, merchantId) => batcher.add({ merchantId, id: 1 }))
  rows.push(batcher.add({ merchantId: 7, id: 2 }))
  await nextTick()
  assert.equal(batcher.merchantCount, 100)
  for (const { end } of queries) end()
  await Promise.all(rows)
  await nextTick()
  assert.equal(batcher.merchantCount, 0)
})

describe('each row gets its own result', () => {
  it('including that it was not written', async () => {
    const { add, queries } = manualBatcher()
    const added = add(1, 2, 3)
    await nextTick()
    queries[0]?.end([1, 3])
    assert.deepEqual(await Promise.all(added), [true, undefined, true])
  })

  it('and if one row fails or waits for a lock, all are retried one by one', async () => {
    for (const fault of [new Error('a bug'), new RowLocked('held by another')]) {
      const { add, queries, sizes } = manualBatcher()
      const added = add(1, 2, 3)
      await nextTick()
      queries[0]?.end(fault)
      await nextTick()
      assert.deepEqual(sizes(), [3, 1, 1, 1])
      queries[1]?.end()
      queries[2]?.end(fault)
      queries[3]?.end()
      const ended = await Promise.allSettled(added)
      assert.deepEqual(
        ended.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      // A failed batch does not block later rows.
      const next = add(4)
      await nextTick()
      queries[4]?.end()
      assert.deepEqual(await Promise.all(next), [true])
    }
  })

  it('and four rows are retried at a time', async () => {
    const { add, queries, sizes } = manualBatcher()
    const added = add(1, 2, 3, 4, 5, 6)
    await nextTick()
    queries[0]?.end(new Error('a bug'))
    await nextTick()
    assert.deepEqual(sizes(), [6, 1, 1, 1, 1])
    queries[2]?.end()
    await nextTick()
    assert.deepEqual(sizes(), [6, 1, 1, 1, 1, 1])
    for (let ended = 0; ended < queries.length; ended++) {
      for (const { end } of queries) end()
      await nextTick()
    }
    assert.equal((await Promise.all(added)).every(Boolean), true)
  })

  it('and a row that waits three seconds for its retry fails without a query', async () => {
    const { add, queries, sizes, clock } = manualBatcher()
    const added = add(1, 2, 3, 4, 5, 6)
    await nextTick()
    queries[0]?.end(new Error('another’s fault'))
    await nextTick()
    clock.advance(3_000)
    queries[1]?.end(new RowLocked('alone'))
    for (const { end } of queries.slice(2)) end()
    const ended = await Promise.allSettled(added)
    assert.deepEqual(
      ended.map((each) => (each.status === 'rejected' ? each.reason.name : each.value)),
      ['RowLocked', true, true, true, 'DatabaseNotReached', 'DatabaseNotReached'],
    )
    assert.deepEqual(sizes(), [6, 1, 1, 1, 1])
  })

  it('but an unreachable database is asked only once for all rows', async () => {
    const { add, queries, sizes } = manualBatcher()
    const added = add(1, 2)
    await nextTick()
    queries[0]?.end(new DatabaseUnavailable('away'))
    for (const each of added) await assert.rejects(each, DatabaseUnavailable)
    assert.deepEqual(sizes(), [2])
  })
})

describe('with a real database', () => {
  it('a hundred simultaneous rows need few queries, and a wrong row fails alone', async () => {
    const rows = Array.from({ length: 100 }, (_, id) => add(id, id === 7 ? 0 : 1))
    const failed = (await Promise.allSettled(rows)).filter(({ status }) => status === 'rejected')
    assert.equal(failed.length, 1)
    const found = await database.one<{ rows: number; good: number; queries: number }>(
      sql`select count(*) as rows, count(*) filter (where id <> 7) as good,
        count(distinct statement::text) filter (where id >= 64) as queries from lines`,
    )
    assert.deepEqual(found, { rows: 99, good: 99, queries: 1 })
  })

  it('a row inside a transaction belongs only to that transaction', async () => {
    const outside = add(200)
    const inside = database.transaction(async (transaction) => {
      assert.deepEqual(await transaction.batch(insertLines, line(201)), { id: 201 })
      throw new Error('undone')
    })
    await assert.rejects(inside, /undone/)
    assert.deepEqual(await outside, { id: 200 })
    const left = await database.many(sql`select id from lines where id in (200, 201)`)
    assert.deepEqual(left, [{ id: 200 }])
  })
})
