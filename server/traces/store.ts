import type { Insert, Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { StoredTrace } from './trace.ts'
import { traces } from './trace.ts'

/** New trace; its body is a JSON object as text. */
export type NewTrace = Omit<StoredTrace, 'body'> & { body: string }

const ofMessage = traces.omit('merchantId', 'body')

/**
 * Part of the write that a message belongs to, whose `transition` has the merchant_id. The trace is recorded
 * unless the limit is reached.
 */
export function tracePart(trace: NewTrace, limit: number): Insert {
  return {
    into: traces.name,
    names: sql`merchant_id, ${ofMessage.names}, body`,
    select: (
      transition,
    ) => sql`select transition.merchant_id, ${ofMessage.values(trace)}, ${trace.body}::jsonb
      from ${transition} where ${isBelow(trace, limit)}`,
  }
}

/** Inserts a trace unless the limit is reached. */
export async function insertTrace(database: Sql, trace: NewTrace, limit: number): Promise<void> {
  const { merchantId, body } = trace
  await database.write({
    steps: [['below_limit', sql`select 1 where ${isBelow(trace, limit)}`]],
    gate: 'below_limit',
    inserts: [
      {
        into: traces.name,
        names: sql`merchant_id, ${ofMessage.names}, body`,
        rows: [sql`${merchantId}::bigint, ${ofMessage.values(trace)}, ${body}::jsonb`],
      },
    ],
  })
}

/** True if fewer traces of this kind of message are recorded for the attempt. */
function isBelow(trace: NewTrace, limit: number): SqlFragment {
  const { merchantId, paymentId, attemptId, direction, kind } = trace
  return sql`(select count(*) from traces where merchant_id = ${merchantId} and payment_id = ${paymentId}
    and attempt_id = ${attemptId} and kind = ${kind} and direction = ${direction}) < ${limit}`
}

/** Traces of a payment of any merchant, in the order of their times. */
export function tracesOf(database: Sql, paymentId: number): Promise<StoredTrace[]> {
  return database.many(sql`select ${traces.columns('t')} from merchants m
    join traces t on t.merchant_id = m.id and t.payment_id = ${paymentId} order by t.at, t.id`)
}

/** Deletes traces before a time, up to a limit; returns their number. */
export function deleteTracesBefore(database: Sql, before: Date, atOnce: number): Promise<number> {
  // Traces never change, so several instances may delete the same ones at the same time.
  return database.run(sql`delete from traces where (merchant_id, at, id) in
    (select merchant_id, at, id from traces where at < ${before} limit ${atOnce})`)
}
