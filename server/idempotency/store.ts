import type { Sql } from '../../kit/runtime/sql.ts'
import { join, raw, reusableQuery, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, text, timestamptz } from '../../kit/runtime/table.ts'

export const idempotencyKeys = defineMerchantTable('idempotency_keys', {
  merchantId: bigint(),
  key: text(),
  /** Hash of the request. */
  fingerprint: bytea(),
  /** The response as it was sent; null until the request is processed. */
  answer: text().orNull(),
  /** Start of its lifetime. */
  storedAt: timestamptz(),
})
type IdempotencyKey = RowOf<typeof idempotencyKeys>

export type KeyedRequest = Pick<IdempotencyKey, 'merchantId' | 'key' | 'fingerprint'>

/** Lifetime of a key and its stored response. */
const keyLifetimeHours = 24
export const keyLifetimeMs = keyLifetimeHours * 60 * 60 * 1000

/** An expired key counts as absent. */
const unlessTaken = sql`on conflict (merchant_id, key) do update
  set fingerprint = excluded.fingerprint, answer = excluded.answer, stored_at = excluded.stored_at
  where excluded.stored_at - idempotency_keys.stored_at >= interval '${raw(String(keyLifetimeHours))} hours'`

const claims = idempotencyKeys.omit('answer')

const insertKey = reusableQuery<RowOf<typeof claims>>`
  insert into idempotency_keys (${claims.names}) values (${claims.valueParameters}) ${unlessTaken}`

/**
 * Claims the key for this request; an expired key can be claimed again. Returns false if the key is taken.
 * Waits while another transaction claims the key, and claims it if that transaction fails.
 */
export async function claimKey(database: Sql, request: KeyedRequest, now: Date): Promise<boolean> {
  const count = await database.run(insertKey({ ...request, storedAt: now }))
  return count === 1
}

/** Columns of a key with its response in a JSON row, which has the columns of its effect too. */
export const storedResponses = idempotencyKeys.omit('merchantId')

/**
 * Claims the keys of `given_payments`, which has no duplicates, with their responses, as `claimKey` does. Returns the
 * claimed keys. The keys are ordered, so that two instances with the same keys do not deadlock.
 */
export const claimKeysPart = sql`insert into idempotency_keys (${idempotencyKeys.names})
  select merchant_id, ${storedResponses.recordsetNames()} from given_payments order by key
  ${unlessTaken} returning key`

/** A key with its response in a row of a batch. */
export type IdempotencyKeyRow = ReturnType<typeof storedResponses.jsonRow> & { merchantId: number }

/** Like `claimKeysPart`, as a query of its own. */
export async function claimKeys(
  database: Sql,
  rows: readonly IdempotencyKeyRow[],
): Promise<ReadonlySet<string>> {
  const inOrder = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const values = inOrder.map((row) => sql`(${row.merchantId}::bigint, ${storedResponses.jsonValues(row)})`)
  const claimed = await database.many<{ key: string }>(
    sql`insert into idempotency_keys (${idempotencyKeys.names}) values ${join(values)} ${unlessTaken} returning key`,
  )
  return new Set(claimed.map(({ key }) => key))
}

const updateAnswer = reusableQuery<Pick<IdempotencyKey, 'merchantId' | 'key' | 'answer'>>`
  update idempotency_keys set answer = ${'answer'} where merchant_id = ${'merchantId'} and key = ${'key'}`

export async function storeResponse(database: Sql, request: KeyedRequest, answer: string): Promise<void> {
  const { merchantId, key } = request
  await database.run(updateAnswer({ merchantId, key, answer }))
}

/** Response of a key that has not expired. */
export function storedResponse(
  database: Sql,
  request: KeyedRequest,
  now: Date,
): Promise<{ fingerprint: Buffer; answer: string } | undefined> {
  return database.maybe(sql`select fingerprint, answer from idempotency_keys
    where stored_at > ${new Date(now.getTime() - keyLifetimeMs)}
      and merchant_id = ${request.merchantId} and key = ${request.key}`)
}

/** Deletes expired keys up to a limit, so that no other query waits long. */
export function deleteKeysBefore(database: Sql, expiredBefore: Date, limit: number): Promise<number> {
  // The time is checked twice, because an expired key can be claimed again while its row is locked.
  return database.run(sql`delete from idempotency_keys where stored_at <= ${expiredBefore} and (merchant_id, key) in (
    select merchant_id, key from idempotency_keys where stored_at <= ${expiredBefore} limit ${limit})`)
}
