import assert from 'node:assert/strict'
import { it } from 'node:test'
import { RequestDeadlineExceeded, sql } from '../../kit/runtime/sql.ts'
import { emptyDatabase } from '../../testing/harness/database.ts'
import type { BatchQuery, BatchQueryParameters } from './batching-sql.ts'
import { RequestSql, servicesWithoutDeadline } from './request-sql.ts'

const { sql: database } = await emptyDatabase()

/** A request with its database, and a function that ends its time. */
function request() {
  const own = new RequestSql(database)
  return { sql: own, cut: () => own.end(new RequestDeadlineExceeded()) }
}

const sent: string[][] = []

/** Returns each row's own title. */
const titles: BatchQuery = ({ rows }: BatchQueryParameters) => {
  sent.push(JSON.parse(rows).map(({ title }: { title: string }) => title))
  return sql`select id::bigint, title from jsonb_to_recordset(${rows}::jsonb) as given (id bigint, title text)`
}

const ask = (asking: RequestSql, id: number, title: string) =>
  asking.batch<{ id: number; title: string }>(titles, { merchantId: 1, id, title } as never)

it('rows of several requests share a query, and rows of a late request are not sent', async () => {
  const [one, late, other] = [request(), request(), request()]
  late.cut()
  const refused = assert.rejects(ask(late.sql, 2, 'late'), RequestDeadlineExceeded)
  const answers = await Promise.all([ask(one.sql, 1, 'one'), ask(other.sql, 3, 'other')])
  await refused
  assert.deepEqual(
    answers.map((answer) => answer?.title),
    ['one', 'other'],
  )
  assert.deepEqual(sent, [['one', 'other']])
})

it('every method is refused once the request is late, and works until then', async () => {
  const { sql: own, cut } = request()
  const ways = [
    () => own.many(sql`select 1 as n`),
    () => own.one(sql`select 1 as n`),
    () => own.maybe(sql`select 1 as n`),
    () => own.run(sql`select 1 as n`),
    () => own.transaction(async (transaction) => transaction.run(sql`select 1 as n`)),
    () => ask(own, 4, 'any'),
  ]
  for (const way of ways) await way()
  cut()
  for (const way of ways) await assert.rejects(way(), RequestDeadlineExceeded)
})

it('required writes are possible after the deadline, and the other services stay the same', async () => {
  const { sql: own, cut } = request()
  cut()
  const services = { sql: own, clock: 'a clock' }
  const lasting = servicesWithoutDeadline(services)
  assert.equal(await lasting.sql.run(sql`select 1 as n`), 1)
  assert.equal(lasting.clock, 'a clock')
  assert.equal(servicesWithoutDeadline(lasting), lasting)
})
