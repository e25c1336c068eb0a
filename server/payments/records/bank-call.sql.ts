import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { BankCall } from './bank-call.ts'

export function insertBankCallPart(call: BankCall): SqlFragment {
  return sql`insert into bank_calls (merchant_id, id, payment_id, attempt_id, modification_id, operation, asked_at, answered_at, outcome,
      code, detail)
    select merchant_id, ${call.id}::bigint, ${call.paymentId}::bigint, ${call.attemptId}::bigint, ${call.modificationId}::bigint,
      ${call.operation}::text, ${call.askedAt}::timestamptz, ${call.answeredAt}::timestamptz, ${call.outcome}::text,
      ${call.code}::text, ${call.detail}::text from transition`
}

/** Only the caller writes the answer. Writing it twice is idempotent. */
export function recordAnsweredCallPart(call: BankCall): SqlFragment {
  return sql`update bank_calls c set answered_at = ${call.answeredAt}, outcome = ${call.outcome}, code = ${call.code},
      detail = ${call.detail}
    from transition where c.merchant_id = transition.merchant_id and c.id = ${call.id}`
}

/** Records the answer of a call whose attempt has changed state without it. */
export async function recordAnsweredCall(database: Sql, call: BankCall): Promise<void> {
  await database.run(sql`update bank_calls set answered_at = ${call.answeredAt}, outcome = ${call.outcome},
      code = ${call.code}, detail = ${call.detail}
    where merchant_id = ${call.merchantId} and id = ${call.id}`)
}

/** True if a call was recorded. For use after the connection was lost during the write. */
export async function isBankCallRecorded(database: Sql, { merchantId, id }: OwnedId): Promise<boolean> {
  const row = await database.maybe(
    sql`select from bank_calls where merchant_id = ${merchantId} and id = ${id}`,
  )
  return row !== undefined
}

/** True if a bank call about the attempt since then has no answer. */
export async function hasPendingBankCall(
  database: Sql,
  { merchantId, id }: OwnedId,
  since: Date,
): Promise<boolean> {
  const open = await database.many(sql`select from bank_calls where merchant_id = ${merchantId}
    and attempt_id = ${id} and asked_at > ${since} and answered_at is null limit 1`)
  return open.length > 0
}

/** All calls to a bank about a charge, or about a modification of one. */
export function bankCallsOfAttemptOrModification(
  database: Sql,
  { merchantId, ...of }: { merchantId: number } & ({ attemptId: number } | { modificationId: number }),
): Promise<BankCall[]> {
  const which =
    'modificationId' in of ? sql`modification_id = ${of.modificationId}` : sql`attempt_id = ${of.attemptId}`
  return database.many(sql`select merchant_id as "merchantId", id, payment_id as "paymentId",
      attempt_id as "attemptId", modification_id as "modificationId", operation, asked_at as "askedAt", answered_at as "answeredAt",
      outcome, code, detail
    from bank_calls where merchant_id = ${merchantId} and ${which} order by asked_at, id`)
}
