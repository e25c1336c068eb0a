import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, jsonRowColumn, rowFromJson, sql } from '../../kit/runtime/sql.ts'
import type { SealedValue } from '../../kit/security/seal.ts'

/** Card that opens only with both the installation's secret and its hour key. */
export interface SealedCard extends SealedValue {
  hour: number
}

/** Sealed card with its hour key, read in the same query; null if the key is destroyed. */
export interface SealedCardWithKey extends SealedCard {
  hourKey: Buffer | null
}

/**
 * Secret that seals the cards of one hour together with the installation's secret. It is destroyed after the
 * next hour.
 */
export interface HourKey {
  hour: number
  bytes: Buffer
}

/**
 * CTE of the query that begins an attempt, whose `transition` has the merchant_id. The card is stored only if the
 * payment is updated.
 */
export function sealedCardPart(attemptId: number, { bytes, keyId, hour }: SealedCard): SqlFragment {
  return sql`insert into sealed_cards (merchant_id, attempt_id, bytes, key_id, hour)
    select merchant_id, ${attemptId}::bigint, ${bytes}::bytea, ${keyId}::text, ${hour}::integer from transition`
}

/**
 * CTE of the query that changes the state of an attempt, whose `transition` has the merchant_id. It takes the card
 * out, so only one of several callers gets it. Its columns are those of a SealedCard; there is no row if the
 * card was lost.
 */
export function takenCardPart(attemptId: number): SqlFragment {
  return sql`delete from sealed_cards using transition
    where sealed_cards.merchant_id = transition.merchant_id and sealed_cards.attempt_id = ${attemptId}::bigint
    returning sealed_cards.bytes, sealed_cards.key_id as "keyId", sealed_cards.hour`
}

/** CTE that erases the card of an attempt that ends without it. It returns no rows. */
export function eraseCardPart(attemptId: number): SqlFragment {
  return sql`delete from sealed_cards using transition
    where sealed_cards.merchant_id = transition.merchant_id and sealed_cards.attempt_id = ${attemptId}::bigint`
}

/** Hour key of a card, read in the same query, because no instance caches hour keys. */
export function hourKeyOf(hour: SqlFragment): SqlFragment {
  return sql`(select bytes from card_hour_keys_even where hour = ${hour}
    union all select bytes from card_hour_keys_odd where hour = ${hour})`
}

/** Column of a query about a payment `p`: the card of its last attempt, which stays stored. */
export const sealedCardColumn = jsonRowColumn(
  'card',
  sql`select bytes, key_id as "keyId", hour, ${hourKeyOf(sql`sealed_cards.hour`)} as "hourKey" from sealed_cards
    where merchant_id = p.merchant_id and attempt_id = p.attempt_id`,
)

export function sealedCardIn({ card }: { card: object | null }): SealedCardWithKey | undefined {
  return card ? rowFromJson<SealedCardWithKey>(card, {}, { bytes: true, hourKey: true }) : undefined
}

const currentHour = sql`(select floor(extract(epoch from now) / 3600)::integer from request_time)`

/** Column of a query whose `request_time` has the time: the hour key to seal with, if it exists. */
export const currentHourKeyColumn = jsonRowColumn(
  '"hourKey"',
  sql`select ${currentHour} as hour, ${hourKeyOf(currentHour)} as bytes`,
)

export function currentHourKeyIn({ hourKey }: { hourKey: object }): HourKey | undefined {
  const { hour, bytes } = rowFromJson<{ hour: number; bytes: Buffer | null }>(hourKey, {}, { bytes: true })
  return bytes ? { hour, bytes } : undefined
}

/** Erases the cards that no hour key can open any more. */
export function deleteCardsBefore(database: Sql, hour: number): Promise<number> {
  return database.run(sql`delete from sealed_cards where hour < ${hour}`)
}

const hourKeyTables = [sql`card_hour_keys_even`, sql`card_hour_keys_odd`] as const

const tableOf = (hour: number): SqlFragment => hourKeyTables[hour % 2 === 0 ? 0 : 1]

export function storedHourKey(database: Sql, hour: number): Promise<HourKey | undefined> {
  return database.maybe<HourKey>(sql`select hour, bytes from ${tableOf(hour)} where hour = ${hour}`)
}

/** Hour keys in the table of this hour, including older ones. Only the holder of the lock changes them. */
export function hourKeysInTableOf(database: Sql, hour: number): Promise<HourKey[]> {
  return database.many<HourKey>(sql`select hour, bytes from ${tableOf(hour)} order by hour`)
}

/** Locks the table of this hour until the end of the transaction. */
export async function lockHourKeyTable(database: Sql, hour: number): Promise<void> {
  await database.run(sql`update card_hour_key_locks set hour = ${hour} where parity = ${hour % 2}`)
}

export async function insertHourKeys(
  database: Sql,
  hourKeys: readonly [HourKey, ...HourKey[]],
): Promise<void> {
  const rows = hourKeys.map(({ hour, bytes }) => sql`(${hour}::integer, ${bytes}::bytea)`)
  await database.run(sql`insert into ${tableOf(hourKeys[0].hour)} (hour, bytes) values ${join(rows)}`)
}

/**
 * Truncates the table, which deletes its file. Callers that seal wait behind the truncate while a reader, for
 * example a dump, holds the table. It therefore gives up after 200 ms with a RowLocked.
 */
export async function truncateHourKeys(database: Sql, hour: number): Promise<void> {
  await database.run(sql`set local lock_timeout = '200ms'`)
  await database.run(sql`truncate ${tableOf(hour)}`)
}

/** Limit of the counts of a name over all stretches. */
export interface AttemptLimit {
  name: string
  max: number
}

export interface AttemptCount {
  name: string
  stretch: number
  count: number
}

/**
 * Counts each name that is below its limit since a stretch. Returns the names counted, and the earlier counts
 * of all names. Guarantee: concurrent calls never exceed a limit.
 */
export async function countWithinLimits(
  database: Sql,
  limits: readonly [AttemptLimit, ...AttemptLimit[]],
  { stretch, since }: { stretch: number; since: number },
): Promise<{ counted: string[]; earlier: AttemptCount[] }> {
  const rows = limits.map(({ name, max }) => sql`(${name}::text, ${max}::integer)`)
  // Rows are locked in the order of their names, so that concurrent calls do not deadlock.
  const results = await database.many<AttemptCount & { isCounted: boolean }>(sql`
    with earlier_counts as (
      select name, stretch, count from attempt_counts
      where name in (${join(limits.map(({ name }) => name))}) and stretch >= ${since}::bigint
    ), wanted as (
      select name, most - coalesce((select sum(count) from earlier_counts
        where earlier_counts.name = wanted.name and stretch <> ${stretch}::bigint), 0) as room
      from (values ${join(rows)}) as wanted (name, most)
    ), incremented as (
      insert into attempt_counts as counts (name, stretch, count)
      select name, ${stretch}::bigint, 1 from wanted where room > 0 order by name
      on conflict (name, stretch) do update set count = counts.count + 1
      where counts.count < (select room from wanted where wanted.name = excluded.name)
      returning name
    )
    select name, 0::bigint as stretch, 0 as count, true as "isCounted" from incremented
    union all
    select name, stretch, count, false from earlier_counts`)
  return {
    counted: results.filter(({ isCounted }) => isCounted).map(({ name }) => name),
    earlier: results.filter(({ isCounted }) => !isCounted),
  }
}

/** Deletes counts of stretches before this one, up to a limit; returns their number. */
export function deleteAttemptCountsBefore(database: Sql, stretch: number, atOnce: number): Promise<number> {
  return database.run(sql`
    delete from attempt_counts where (name, stretch) in
      (select name, stretch from attempt_counts where stretch < ${stretch} limit ${atOnce} for update skip locked)`)
}
