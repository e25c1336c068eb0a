import type { Sql } from '../kit/sql.ts'
import { fixed, sql } from '../kit/sql.ts'

/** Whose key it is, what it is, and for which request it stands. */
export interface KeyedRequest {
  merchantId: number
  key: string
  fingerprint: Buffer
}

const insertKey = fixed<KeyedRequest & { now: Date; keptSince: Date }>`
  insert into idempotency_keys (merchant_id, key, fingerprint, created_at)
  values (${'merchantId'}, ${'key'}, ${'fingerprint'}, ${'now'})
  on conflict (merchant_id, key) do update
    set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
    where idempotency_keys.created_at <= ${'keptSince'}`

/**
 * Takes the key for this request, also one that is out of date. False when it is taken. Waits while another
 * transaction is about to take it, and is free to take it when that one fails.
 */
export async function claimKey(
  database: Sql,
  request: KeyedRequest,
  now: Date,
  keptSince: Date,
): Promise<boolean> {
  const count = await database.run(insertKey({ ...request, now, keptSince }))
  return count === 1
}

const updateAnswer = fixed<Pick<KeyedRequest, 'merchantId' | 'key'> & { answer: string }>`
  update idempotency_keys set answer = ${'answer'} where merchant_id = ${'merchantId'} and key = ${'key'}`

export async function keepAnswer(database: Sql, request: KeyedRequest, answer: string): Promise<void> {
  const { merchantId, key } = request
  await database.run(updateAnswer({ merchantId, key, answer }))
}

export function keptAnswer(
  database: Sql,
  request: KeyedRequest,
): Promise<{ fingerprint: Buffer; answer: string } | undefined> {
  return database.maybe(sql`select fingerprint, answer from idempotency_keys
    where merchant_id = ${request.merchantId} and key = ${request.key}`)
}

/** Deletes keys that are out of date, at most so many at once, so that nobody waits long behind it. */
export function deleteKeysBefore(database: Sql, keptSince: Date, most: number): Promise<number> {
  // The time is asked twice: a key found out of date may be taken anew while its row is waited for.
  return database.run(sql`delete from idempotency_keys where created_at <= ${keptSince} and (merchant_id, key) in (
    select merchant_id, key from idempotency_keys where created_at <= ${keptSince} limit ${most})`)
}
