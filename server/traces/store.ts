import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { StoredTrace } from './trace.ts'

/** The body is the text of a JSON object. */
type NewTrace = Omit<StoredTrace, 'body'> & { body: string }

/** CTE of the query that a message goes with: kept if its `moved` has a row, unless there are so many already. */
export function tracePart(trace: NewTrace, limit: number): SqlFragment {
  const { merchantId, id, paymentId, attemptId, at, peer, direction, kind, body } = trace
  return sql`insert into traces (merchant_id, id, payment_id, attempt_id, at, peer, direction, kind, body)
    select ${merchantId}::bigint, ${id}::bigint, ${paymentId}::bigint, ${attemptId}::bigint, ${at}::timestamptz,
      ${peer}::text, ${direction}::text, ${kind}::text, ${body}::jsonb from moved
    where (select count(*) from traces where payment_id = ${paymentId} and attempt_id = ${attemptId}
      and kind = ${kind} and direction = ${direction}) < ${limit}`
}

/** Inserts a trace by itself. */
export async function insertTrace(database: Sql, part: SqlFragment): Promise<void> {
  await database.run(sql`with moved as (select 1) ${part}`)
}

/** Those of a payment, in the order in which they went and came. */
export function tracesOf(database: Sql, paymentId: number): Promise<StoredTrace[]> {
  return database.many(sql`select merchant_id as "merchantId", id, payment_id as "paymentId",
      attempt_id as "attemptId", at, peer, direction, kind, body
    from traces where payment_id = ${paymentId} order by at, id`)
}

/** Deletes some of those from before this time, and answers how many. */
export function deleteTracesBefore(database: Sql, before: Date, atOnce: number): Promise<number> {
  return database.run(sql`delete from traces where (merchant_id, id) in
    (select merchant_id, id from traces where at < ${before} limit ${atOnce} for update skip locked)`)
}
