import type { Insert, Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, raw, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, defineTable, integer, text } from '../../kit/runtime/table.ts'

export const sealedCards = defineMerchantTable('sealed_cards', {
  merchantId: bigint(),
  attemptId: bigint(),
  bytes: bytea(),
  /** Key that is derived from the installation's secret. */
  keyId: text(),
  /** Hour of its hour key. */
  hour: integer(),
})

const cardColumns = sealedCards.omit('merchantId', 'attemptId')

/** Card that opens only with both the installation's secret and its hour key. */
export type SealedCard = RowOf<typeof cardColumns>

/** Sealed card with its hour key, read in the same query; null if the key is destroyed. */
export interface SealedCardWithKey extends SealedCard {
  hourKey: Buffer | null
}

/** Columns of both tables of hour keys. The map of either reads and writes both. */
const hourKeyMap = { hour: integer(), bytes: bytea() }
export const evenHourKeys = defineTable('card_hour_keys_even', hourKeyMap)
export const oddHourKeys = defineTable('card_hour_keys_odd', hourKeyMap)

/**
 * Secret that seals the cards of one hour together with the installation's secret. It is destroyed after the
 * next hour.
 */
export type HourKey = RowOf<typeof evenHourKeys>

/** Part of a transition that begins an attempt: stores its card. */
export function sealedCardPart(merchantId: number, attemptId: number, card: SealedCard): Insert {
  return sealedCards.insert({ ...card, merchantId, attemptId })
}

/**
 * Part of a transition of an attempt. It takes the card out, so only one of several callers gets it. Its
 * columns are those of a SealedCard; there is no row if the card was lost.
 */
export function takenCardPart(merchantId: number, attemptId: number): SqlFragment {
  return sql`${eraseCardPart(merchantId, attemptId)} returning ${cardColumns.columns('sealed_cards')}`
}

/** Part of a transition: erases the card of an attempt that ends without it. It returns no rows. */
export function eraseCardPart(merchantId: number, attemptId: number): SqlFragment {
  return sql`delete from sealed_cards
    where merchant_id = ${merchantId} and attempt_id = ${attemptId}::bigint and exists (select from transition)`
}

/** Hour key of a card, read in the same query, because no instance caches hour keys. */
export function hourKeyOf(hour: SqlFragment, column = sql`bytes`): SqlFragment {
  return sql`(select ${column} from card_hour_keys_even where hour = ${hour}
    union all select ${column} from card_hour_keys_odd where hour = ${hour})`
}

const packedHourKeyOf = (hour: SqlFragment) => hourKeyOf(hour, evenHourKeys.packed())

/** Column of a query about a merchant's payment `p`: the card of its last attempt, which stays stored. */
export function sealedCardColumn(merchantId: SqlFragment): SqlFragment {
  return sql`(select json_build_array(${cardColumns.packed()}, ${packedHourKeyOf(sql`sealed_cards.hour`)})
    from sealed_cards where merchant_id = ${merchantId} and attempt_id = p.attempt_id) as card`
}

/** A packed card, and its packed hour key. */
export type PackedCard = [card: unknown[], hourKey: unknown[] | null]

export function sealedCardIn({ card }: { card: PackedCard | null }): SealedCardWithKey | undefined {
  if (!card) return undefined
  const [sealed, hourKey] = card
  return { ...cardColumns.unpack(sealed), hourKey: hourKey && evenHourKeys.unpack(hourKey).bytes }
}

/** Column: the hour key to seal with at a time, if it exists. */
export function currentHourKeyColumn(now: SqlFragment): SqlFragment {
  const hour = sql`floor(extract(epoch from ${now}::timestamptz) / 3600)::integer`
  return sql`${packedHourKeyOf(hour)} as "hourKey"`
}

export function currentHourKeyIn({ hourKey }: { hourKey: unknown[] | null }): HourKey | undefined {
  return hourKey ? evenHourKeys.unpack(hourKey) : undefined
}

/** Erases the cards that no hour key can open any more. */
export function deleteCardsBefore(database: Sql, hour: number): Promise<number> {
  return database.run(sql`delete from sealed_cards where hour < ${hour}`)
}

const tableOf = (hour: number): SqlFragment => raw((hour % 2 === 0 ? evenHourKeys : oddHourKeys).name)

/**
 * Hour key as the merchant's queries see it. A distributed database has a copy of the tables on every server, and
 * a server that crashed has lost its copy. The query of a merchant is answered by the merchant's server.
 */
export async function storedHourKey(
  database: Sql,
  hour: number,
  merchantId: number,
): Promise<HourKey | undefined> {
  const row = await database.one<{ hourKey: unknown[] | null }>(
    sql`select count(*), ${packedHourKeyOf(sql`${hour}::integer`)} as "hourKey" from sealed_cards
      where merchant_id = ${merchantId} and attempt_id = 0`,
  )
  return currentHourKeyIn(row)
}

/** Hour keys in the table of this hour, including older ones. Only the holder of the lock changes them. */
export function hourKeysInTableOf(database: Sql, hour: number): Promise<HourKey[]> {
  return database.many(sql`select ${evenHourKeys.columns()} from ${tableOf(hour)} order by hour`)
}

/** Locks the table of this hour until the end of the transaction. */
export async function lockHourKeyTable(database: Sql, hour: number): Promise<void> {
  await database.run(sql`update card_hour_key_locks set hour = ${hour} where parity = ${hour % 2}`)
}

/**
 * Inserts hour keys, at least one, into the table of this hour. A server of a distributed database that has a key of
 * the same hour keeps that one.
 */
export async function insertHourKeys(
  database: Sql,
  hour: number,
  hourKeys: readonly HourKey[],
): Promise<void> {
  const rows = hourKeys.map((hourKey) => sql`(${evenHourKeys.values(hourKey)})`)
  await database.run(sql`insert into ${tableOf(hour)} (${evenHourKeys.names}) values ${join(rows)}
    on conflict (hour) do nothing`)
}

/**
 * Truncates the table, which deletes its file. Callers that seal wait behind the truncate while a reader, for
 * example a dump, holds the table. It therefore gives up after 200 ms with a RowLocked.
 */
export async function truncateHourKeys(database: Sql, hour: number): Promise<void> {
  // Citus passes the limit on to every server with a copy of the table. PostgreSQL ignores this setting.
  await database.run(sql`set local citus.propagate_set_commands = 'local'`)
  await database.run(sql`set local lock_timeout = '200ms'`)
  await database.run(sql`truncate ${tableOf(hour)}`)
}

/** Limit of the counts of a name over all stretches. */
export interface AttemptLimit {
  name: string
  max: number
}

export const attemptCounts = defineTable('attempt_counts', {
  /** Keyed hash of the card or the address that is limited. */
  name: text(),
  stretch: bigint(),
  count: integer(),
})
export type AttemptCount = RowOf<typeof attemptCounts>

/**
 * Counts each name that is below its limit since a stretch. Returns the names counted, and the earlier counts
 * of all names. Guarantee: concurrent calls never exceed a limit.
 */
export async function countWithinLimits(
  database: Sql,
  limits: readonly AttemptLimit[],
  { stretch, since }: { stretch: number; since: number },
): Promise<{ counted: string[]; earlier: AttemptCount[] }> {
  const rows = limits.map(({ name, max }) => sql`(${name}::text, ${max}::integer)`)
  // Rows are locked in the order of their names, so that concurrent calls do not deadlock.
  const results = await database.many<AttemptCount & { isCounted: boolean }>(sql`
    with earlier_counts as (
      select ${attemptCounts.columns()} from attempt_counts
      where name in (${join(limits.map(({ name }) => name))}) and stretch >= ${since}::bigint
    ), wanted as (
      select name, most - coalesce((select sum(count) from earlier_counts
        where earlier_counts.name = wanted.name and stretch <> ${stretch}::bigint), 0) as room
      from (values ${join(rows)}) as wanted (name, most)
    ), incremented as (
      insert into attempt_counts as counts (${attemptCounts.names})
      select name, ${stretch}::bigint, 1 from wanted where room > 0 order by name
      on conflict (name, stretch) do update set count = counts.count + 1
      where counts.count < (select room from wanted where wanted.name = excluded.name)
      returning name
    )
    select name, 0::bigint as stretch, 0 as count, true as "isCounted" from incremented
    union all
    select ${attemptCounts.columns()}, false from earlier_counts`)
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
