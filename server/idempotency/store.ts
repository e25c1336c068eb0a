import type { StoredIdempotentResponse } from '../../kit/api/route.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { raw, reusableQuery, sql } from '../../kit/runtime/sql.ts'

/** Whose key it is, what it is, and for which request it stands. */
export interface KeyedRequest {
  merchantId: number
  key: string
  fingerprint: Buffer
}

/** How long a kept answer is given again. */
const keyLifetimeHours = 24
export const keyLifetimeMs = keyLifetimeHours * 60 * 60 * 1000

/** A key that is out of date counts as absent. */
const unlessTaken = sql`on conflict (merchant_id, key) do update
  set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
  where idempotency_keys.created_at <= excluded.created_at - interval '${raw(String(keyLifetimeHours))} hours'`

const insertKey = reusableQuery<KeyedRequest & { now: Date }>`
  insert into idempotency_keys (merchant_id, key, fingerprint, created_at)
  values (${'merchantId'}, ${'key'}, ${'fingerprint'}, ${'now'}) ${unlessTaken}`

/**
 * Takes the key for this request, also one that is out of date. False when it is taken. Waits while another
 * transaction is about to take it, and is free to take it when that one fails.
 */
export async function claimKey(database: Sql, request: KeyedRequest, now: Date): Promise<boolean> {
  const count = await database.run(insertKey({ ...request, now }))
  return count === 1
}

/** A key with its answer as a part of a row of JSON. */
export const storedResponseColumns = sql`key text, fingerprint text, answer text, "storedAt" timestamptz`

export function storedResponseRow({ key, fingerprint, answer, storedAt }: StoredIdempotentResponse) {
  return { key, fingerprint: fingerprint.toString('hex'), answer, storedAt }
}

/**
 * Takes the keys of `keyed`, none of them there twice, as `claimKey` does, with their answers. Answers those it took. In
 * their order, so that two instances that are sent the same keys do not wait for each other.
 */
export const claimKeysPart = sql`insert into idempotency_keys (merchant_id, key, fingerprint, answer, created_at)
  select merchant_id, key, decode(fingerprint, 'hex'), answer, "storedAt" from keyed order by key
  ${unlessTaken} returning key`

const updateAnswer = reusableQuery<Pick<KeyedRequest, 'merchantId' | 'key'> & { answer: string }>`
  update idempotency_keys set answer = ${'answer'} where merchant_id = ${'merchantId'} and key = ${'key'}`

export async function storeResponse(database: Sql, request: KeyedRequest, answer: string): Promise<void> {
  const { merchantId, key } = request
  await database.run(updateAnswer({ merchantId, key, answer }))
}

export function storedResponse(
  database: Sql,
  request: KeyedRequest,
): Promise<{ fingerprint: Buffer; answer: string } | undefined> {
  return database.maybe(sql`select fingerprint, answer from idempotency_keys
    where merchant_id = ${request.merchantId} and key = ${request.key}`)
}

/** Deletes keys that are out of date, at most so many at once, so that nobody waits long behind it. */
export function deleteKeysBefore(database: Sql, expiredBefore: Date, limit: number): Promise<number> {
  // The time is asked twice: a key found out of date may be taken anew while its row is waited for.
  return database.run(sql`delete from idempotency_keys where created_at <= ${expiredBefore} and (merchant_id, key) in (
    select merchant_id, key from idempotency_keys where created_at <= ${expiredBefore} limit ${limit})`)
}
