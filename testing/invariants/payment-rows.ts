import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'

/** Events of a payment, in order: `1 payment.succeeded`. */
export async function eventLines(database: Sql, paymentId: number): Promise<string[]> {
  const events = await eventRows(database, paymentId)
  return events.map(({ number, kind }) => `${number} ${kind}`)
}

interface EventRow {
  number: number
  kind: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was written, and fails where it differs
  data: any
}

export function eventRows(database: Sql, paymentId: number): Promise<EventRow[]> {
  return database.many(
    sql`select number, kind, data from events where payment_id = ${paymentId} order by number`,
  )
}

/**
 * Postings of a payment, in order: `refund 3928 receivable → balance`, from the credited to the debited
 * account.
 */
export async function postingLines(database: Sql, paymentId: number): Promise<string[]> {
  const rows = await database.many<{ text: string }>(sql`
    select reason || ' ' || amount || ' ' || credit || ' → ' || debit as text
    from ledger_transfers where payment_id = ${paymentId} order by created_at, id`)
  return rows.map(({ text }) => text)
}

/** Modifications of a payment, in order: `refund done by void`. */
export async function modificationLines(database: Sql, paymentId: number): Promise<string[]> {
  const rows = await database.many<{ text: string }>(sql`
    select kind || ' ' || state || coalesce(' by ' || operation, '') as text
    from modifications where payment_id = ${paymentId} order by began_at, id`)
  return rows.map(({ text }) => text)
}
