import type { Insert, Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { BankCall } from './bank-call.ts'
import { bankCalls } from './bank-call.ts'

const answers = bankCalls.pick('answeredAt', 'outcome', 'code', 'detail')

export function insertBankCallPart(call: BankCall): Insert {
  return bankCalls.insert(call)
}

/** Only the caller writes the answer. Writing it twice is idempotent. */
export function recordAnsweredCallPart(call: BankCall): SqlFragment {
  return sql`update bank_calls set ${answers.assignments(call)}
    where merchant_id = ${call.merchantId} and id = ${call.id} and exists (select from transition)`
}

/** Records the answer of a call whose attempt, modification or verification has changed state without it. */
export async function recordAnsweredCall(database: Sql, call: BankCall): Promise<void> {
  await database.run(sql`update bank_calls set ${answers.assignments(call)}
    where merchant_id = ${call.merchantId} and id = ${call.id}`)
}

/** True if a call was recorded. For use after the connection was lost during the write. */
export async function isBankCallRecorded(database: Sql, { merchantId, id }: OwnedId): Promise<boolean> {
  const row = await database.maybe(
    sql`select from bank_calls where merchant_id = ${merchantId} and id = ${id}`,
  )
  return row !== undefined
}

/** True if a bank call since then, about the attempt or a modification of it, has no answer. */
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
  return database.many(sql`select ${bankCalls.columns()} from bank_calls
    where merchant_id = ${merchantId} and ${which} order by asked_at, id`)
}
