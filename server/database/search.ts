import type { Found, Place, Window } from '../kit/search.ts'
import { countedTo } from '../kit/search.ts'
import type { Sql, Statement } from '../kit/sql.ts'
import { raw, sql } from '../kit/sql.ts'
import type { Term } from '../kit/words.ts'
import { queryFor } from '../kit/words.ts'

export interface Search extends Window {
  /** A table with `merchant_id`, `id`, `created_at`, `deleted_at` and `words`, and the indexes for them. */
  table: 'customers' | 'products'
  /** What is answered of a record. */
  columns: Statement
  merchantId: number
  /** What a record must have, all of it. Without any, everything is found. */
  terms: readonly Term[]
}

/** How many records are looked at one by one before the index of words is asked. */
const stepsAtMost = 3000

/**
 * The newest records that match, and how many there are. A common word is found by walking along the newest records, a
 * rare one by the index of words; neither way is quick for the other, and the database cannot know beforehand which
 * it is. So a bounded walk comes first, and the index is asked only for what the walk could not say.
 */
export async function newestFirst<Row extends object>(database: Sql, search: Search): Promise<Found<Row>> {
  const walk = await database.many<Row & Tally>(walkFrom(search, search.after))
  const here = tallyOf(walk, search)
  const fromTop = search.after
    ? tallyOf(await database.many<Row & Tally>(walkFrom({ ...search, limit: 0 }, undefined)), search)
    : here
  if (here.isWhole && fromTop.isCounted) return found(here.rows, fromTop.matched, search)
  const listed = await database.many<Row & Tally>(listed1000(search))
  const { rows, matched } = tallyOf(listed, search)
  if (here.isWhole) return found(here.rows, matched, search)
  if (matched <= countedTo) return found(rows, matched, search)
  return found(tallyOf(await database.many<Row & Tally>(sortedAll(search)), search).rows, matched, search)
}

/** Comes with every row, and with one row of nothing else when there is none. */
interface Tally {
  found_id: number | null
  looked_at: number
  matched: number
}

function tallyOf<Row extends Tally>(rows: Row[], { limit }: Search) {
  const { looked_at = 0, matched = 0 } = rows[0] ?? {}
  const isEnd = looked_at < stepsAtMost
  const real = rows.filter((row) => row.found_id !== null)
  return {
    rows: real,
    matched,
    isWhole: isEnd || real.length > limit,
    isCounted: isEnd || matched > countedTo,
  }
}

function found<Row extends object>(rows: Row[], count: number, { limit }: Search): Found<Row> {
  return { items: rows.slice(0, limit), count, hasMore: rows.length > limit }
}

/** Walks from a place along the newest records. */
function walkFrom(search: Search, place: Place | undefined): Statement {
  const { terms, limit } = search
  return sql`with walked as materialized (
      select id, created_at, words from ${raw(search.table)}
      where ${alive(search)} and ${behind(place)}
      order by created_at desc, id desc limit ${stepsAtMost}),
    matching as materialized (
      select id, created_at from walked ${terms.length === 0 ? sql`` : sql`where ${matches(search)}`}
      limit ${countedTo + 1})
    ${pageOf(search, sql`(select id, created_at from matching order by created_at desc, id desc limit ${limit + 1})`, sql`(select count(*) from walked)`)}`
}

/** Takes up to a thousand and one from the index of words, in no order, and sorts those. */
function listed1000(search: Search): Statement {
  return sql`with indexed as materialized (${byWords(search)}),
    matching as materialized (select id, created_at from indexed limit ${countedTo + 1})
    ${pageOf(search, sql`(select id, created_at from matching where ${behind(search.after)} order by created_at desc, id desc limit ${search.limit + 1})`, sql`0::bigint`)}`
}

/** Takes all from the index of words, for what is common, but not among the newest. */
function sortedAll(search: Search): Statement {
  return sql`with indexed as materialized (${byWords(search)}),
    matching as materialized (
      select id, created_at from indexed where ${behind(search.after)}
      order by created_at desc, id desc limit ${search.limit + 1})
    ${pageOf(search, sql`matching`, sql`0::bigint`)}`
}

function byWords(search: Search): Statement {
  return sql`select id, created_at from ${raw(search.table)}
    where ${alive(search)} and ${matches(search)}`
}

function matches({ merchantId, terms }: Search): Statement {
  return sql`words @@ ${queryFor(merchantId, terms)}::tsquery`
}

/** The records themselves, each with the tally; the tally alone when there are none. */
function pageOf({ table, columns, merchantId }: Search, place: Statement, lookedAt: Statement): Statement {
  return sql`select found.id as found_id, ${lookedAt} as looked_at, (select count(*) from matching) as matched, record.*
    from (select) as tally
    left join ${place} as found on true
    left join lateral (select ${columns} from ${raw(table)} where merchant_id = ${merchantId} and id = found.id) as record on true
    order by found.created_at desc, found.id desc`
}

function alive({ merchantId, from, before }: Search): Statement {
  return sql`merchant_id = ${merchantId} and deleted_at is null
    and created_at >= ${from ?? '-infinity'}::timestamptz and created_at < ${before ?? 'infinity'}::timestamptz`
}

function behind(place: Place | undefined): Statement {
  return sql`(created_at, id) < (${place?.createdAt ?? 'infinity'}::timestamptz, ${place?.id ?? 0}::bigint)`
}
