import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { StoredTrace } from './trace.ts'
import { traces } from './trace.ts'

/** New trace; its body is a JSON object as text. */
type NewTrace = Omit<StoredTrace, 'body'> & { body: string }

const bodiless = traces.omit('body')

/**
 * CTE of the query that a message belongs to. The trace is recorded if `transition` has a row and the limit is not
 * reached.
 */
export function tracePart(trace: NewTrace, limit: number): SqlFragment {
  const { merchantId, paymentId, attemptId, direction, kind, body } = trace
  return sql`insert into traces (${bodiless.names}, body)
    select ${bodiless.values(trace)}, ${body}::jsonb from transition
    where (select count(*) from traces where merchant_id = ${merchantId} and payment_id = ${paymentId} and attempt_id = ${attemptId}
      and kind = ${kind} and direction = ${direction}) < ${limit}`
}

export async function insertTrace(database: Sql, part: SqlFragment): Promise<void> {
  await database.run(sql`with transition as (select 1) ${part}`)
}

/** Traces of a payment of any merchant, in the order of their times. */
export function tracesOf(database: Sql, paymentId: number): Promise<StoredTrace[]> {
  return database.many(sql`select ${traces.columns('t')} from merchants m
    join traces t on t.merchant_id = m.id and t.payment_id = ${paymentId} order by t.at, t.id`)
}

/** Deletes traces before a time, up to a limit; returns their number. */
export function deleteTracesBefore(database: Sql, before: Date, atOnce: number): Promise<number> {
  return database.run(sql`delete from traces where (merchant_id, at, id) in
    (select merchant_id, at, id from traces where at < ${before} limit ${atOnce} for update skip locked)`)
}
