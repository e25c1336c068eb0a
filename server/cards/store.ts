import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, jsonRowColumn, rowFromJson, sql } from '../../kit/runtime/sql.ts'
import type { SealedValue } from '../../kit/security/seal.ts'

/** A card that opens with the installation's secret and its hour key, and with neither alone. */
export interface SealedCard extends SealedValue {
  hour: number
}

/** Sealed card with its hour key as it was read with it; null when that is destroyed. */
export interface SealedCardWithKey extends SealedCard {
  hourKey: Buffer | null
}

/** Secret that the cards of one hour are sealed with, beside the installation's secret. It is destroyed after the next hour. */
export interface HourKey {
  hour: number
  bytes: Buffer
}

/**
 * CTE of the query that begins an attempt, whose `moved` has the merchant_id: the card is stored if the payment is
 * updated, and not if it is not.
 */
export function sealedCardPart(attemptId: number, { bytes, keyId, hour }: SealedCard): SqlFragment {
  return sql`insert into sealed_cards (merchant_id, attempt_id, bytes, key_id, hour)
    select merchant_id, ${attemptId}::bigint, ${bytes}::bytea, ${keyId}::text, ${hour}::integer from moved`
}

/**
 * CTE of the query that changes the state of an attempt, whose `moved` has the merchant_id: takes the card out, so that of
 * all who try one gets it. Its columns are those of a SealedCard; there is no row when the card was lost.
 */
export function takenCardPart(attemptId: number): SqlFragment {
  return sql`delete from sealed_cards using moved
    where sealed_cards.merchant_id = moved.merchant_id and sealed_cards.attempt_id = ${attemptId}::bigint
    returning sealed_cards.bytes, sealed_cards.key_id as "keyId", sealed_cards.hour`
}

/** CTE like it for an attempt that ends without the card having been needed. It answers nothing. */
export function eraseCardPart(attemptId: number): SqlFragment {
  return sql`delete from sealed_cards using moved
    where sealed_cards.merchant_id = moved.merchant_id and sealed_cards.attempt_id = ${attemptId}::bigint`
}

/** The hour key of a card that a query reads or takes out: in the same query, for no instance remembers any. */
export function hourKeyOf(hour: SqlFragment): SqlFragment {
  return sql`(select salt from card_salts_even where hour = ${hour}
    union all select salt from card_salts_odd where hour = ${hour})`
}

/** Column of a query about a payment `p`: the card of its last attempt, which stays where it is. */
export const sealedCardColumn = jsonRowColumn(
  'card',
  sql`select bytes, key_id as "keyId", hour, ${hourKeyOf(sql`sealed_cards.hour`)} as "hourKey" from sealed_cards
    where merchant_id = p.merchant_id and attempt_id = p.attempt_id`,
)

export function sealedCardIn({ card }: { card: object | null }): SealedCardWithKey | undefined {
  return card ? rowFromJson<SealedCardWithKey>(card, {}, { bytes: true, hourKey: true }) : undefined
}

const currentHour = sql`(select floor(extract(epoch from now) / 3600)::integer from moment)`

/** Column of a query whose `moment` has the time: the hour key to seal with, unless nobody has made it yet. */
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

const hourKeyTables = [sql`card_salts_even`, sql`card_salts_odd`] as const

const tableOf = (hour: number): SqlFragment => hourKeyTables[hour % 2 === 0 ? 0 : 1]

export function storedHourKey(database: Sql, hour: number): Promise<HourKey | undefined> {
  return database.maybe<HourKey>(sql`select hour, salt as bytes from ${tableOf(hour)} where hour = ${hour}`)
}

/** The hour keys in the table of this hour, its own and older ones. Whoever changes them holds the lock. */
export function hourKeysInTableOf(database: Sql, hour: number): Promise<HourKey[]> {
  return database.many<HourKey>(sql`select hour, salt as bytes from ${tableOf(hour)} order by hour`)
}

/** Takes the lock of the table of this hour, until the transaction ends. */
export async function lockHourKeyTable(database: Sql, hour: number): Promise<void> {
  await database.run(sql`update card_salt_turns set hour = ${hour} where parity = ${hour % 2}`)
}

export async function insertHourKeys(
  database: Sql,
  hourKeys: readonly [HourKey, ...HourKey[]],
): Promise<void> {
  const rows = hourKeys.map(({ hour, bytes }) => sql`(${hour}::integer, ${bytes}::bytea)`)
  await database.run(sql`insert into ${tableOf(hourKeys[0].hour)} (hour, salt) values ${join(rows)}`)
}

/**
 * Truncates the table, which deletes its file. All who seal wait behind us as long as we wait for somebody who reads it, as a
 * dump does for as long as it takes: so it is given up soon, as a RowLocked.
 */
export async function truncateHourKeys(database: Sql, hour: number): Promise<void> {
  await database.run(sql`set local lock_timeout = '200ms'`)
  await database.run(sql`truncate ${tableOf(hour)}`)
}

/** How often a name may be counted, all stretches together. */
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
 * Counts each name once more unless it was counted often enough since a stretch, and answers which of them were; of the
 * others, what they were counted before. Guarantee: however many do so at once, no name is counted more often.
 */
export async function countWithinLimits(
  database: Sql,
  limits: readonly [AttemptLimit, ...AttemptLimit[]],
  { stretch, since }: { stretch: number; since: number },
): Promise<{ counted: string[]; earlier: AttemptCount[] }> {
  const rows = limits.map(({ name, max }) => sql`(${name}::text, ${max}::integer)`)
  // Two that count the same names lock them in the same order.
  const results = await database.many<AttemptCount & { isCounted: boolean }>(sql`
    with earlier as (
      select name, stretch, count from attempt_counts
      where name in (${join(limits.map(({ name }) => name))}) and stretch >= ${since}::bigint
    ), wanted as (
      select name, most - coalesce((select sum(count) from earlier
        where earlier.name = wanted.name and stretch <> ${stretch}::bigint), 0) as room
      from (values ${join(rows)}) as wanted (name, most)
    ), counted as (
      insert into attempt_counts as kept (name, stretch, count)
      select name, ${stretch}::bigint, 1 from wanted where room > 0 order by name
      on conflict (name, stretch) do update set count = kept.count + 1
      where kept.count < (select room from wanted where wanted.name = excluded.name)
      returning name
    )
    select name, 0::bigint as stretch, 0 as count, true as "isCounted" from counted
    union all
    select name, stretch, count, false from earlier`)
  return {
    counted: results.filter(({ isCounted }) => isCounted).map(({ name }) => name),
    earlier: results.filter(({ isCounted }) => !isCounted),
  }
}

/** Deletes some of the counts of stretches before this one, and answers how many. */
export function deleteAttemptCountsBefore(database: Sql, stretch: number, atOnce: number): Promise<number> {
  return database.run(sql`
    delete from attempt_counts where (name, stretch) in
      (select name, stretch from attempt_counts where stretch < ${stretch} limit ${atOnce} for update skip locked)`)
}
