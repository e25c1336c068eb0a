import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { raw, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { Columns, Table } from '../../kit/runtime/table.ts'
import type { SearchTerm } from './full-text-search.ts'
import { tsqueryOf } from './full-text-search.ts'
import type { ListCursor, SearchResult, SearchWindow } from './search.ts'
import { maxExactCount } from './search.ts'

export interface RecordSearch<Found> extends SearchWindow {
  /**
   * Columns to return of each record. Their table has `merchant_id`, `id`, `created_at`, `deleted_at` and
   * `words`, and the indexes for them.
   */
  table: Pick<Table<Columns>, 'name' | 'packed'> & { unpack(packed: readonly unknown[]): Found }
  merchantId: number
  /** Terms that a record must match, all of them. Without any, every record matches. */
  terms: readonly SearchTerm[]
}

/**
 * Records scanned first, and expected at most of a longer scan that the first one makes promising. With several words the
 * index is slower, so a longer scan still pays. `maxSorted` is the most matches of the index from which a page
 * is taken: if there are more, a further scan soon finds one.
 */
export const scanLimits = { first: 2_500, longest: 20_000, longestForMany: 75_000, maxSorted: 10_000 }

/**
 * The newest matching records and their number. A common word is found fast by scanning the newest records, a
 * rare one by the index of words; each way is slow for the other kind, and the database cannot know the kind
 * in advance. So a short scan comes first. It gives the result, or shows that a longer scan will; otherwise
 * the index is used.
 */
export async function searchNewestFirst<Found>(
  database: Sql,
  search: RecordSearch<Found>,
  { first, longest, longestForMany, maxSorted } = scanLimits,
): Promise<SearchResult<Found>> {
  const ask = async (query: SqlFragment) => walkedOf(await database.many<Row>(unprepared(query)), search)
  const walk = (steps: number, needed: number, after: ListCursor | undefined) =>
    ask(walkQuery({ ...search, after }, steps, needed))
  /** Scans further, if the matches of the first scan promise enough of them within the longest scan. */
  const goOn = async (walked: Walked, needed: number, after: ListCursor | undefined) => {
    const steps = (first * needed) / walked.matched
    const isPromising = steps <= (search.terms.length > 1 ? longestForMany : longest)
    // The newest records may have had more matches than the next ones.
    return isPromising ? await walk(Math.ceil(1.5 * steps), needed, after) : walked
  }
  let top = await walk(first, maxExactCount + 1, undefined)
  if (!top.isCounted) top = await goOn(top, maxExactCount + 1, undefined)
  let here = search.after ? await walk(first, search.limit + 1, search.after) : top
  if (!here.isPage && top.isCounted) here = await goOn(here, search.limit + 1, search.after)
  if (here.isPage && top.isCounted) return searchResult(here.rows, top.matched, search)
  const most = here.isPage ? maxExactCount : Math.max(maxSorted, maxExactCount)
  const indexed = await ask(listQuery(search, most))
  if (here.isPage) return searchResult(here.rows, indexed.matched, search)
  if (indexed.matched <= maxSorted) return searchResult(indexed.rows, indexed.matched, search)
  return searchResult((await ask(walkOnQuery(search))).rows, indexed.matched, search)
}

/** A record with the tally. If there is no record, one row holds only the tally. */
interface Row {
  packed: unknown[] | null
  is_end: boolean
  matched: number
}

type Walked = ReturnType<typeof walkedOf>

function walkedOf(rows: Row[], { limit }: SearchWindow) {
  const { is_end: isEnd = true, matched = 0 } = rows[0] ?? {}
  const real = rows.flatMap(({ packed }) => (packed ? [packed] : []))
  return {
    rows: real,
    matched,
    /** True if the rows are the requested page. */
    isPage: isEnd || real.length > limit,
    /** True if `matched` is the final count. */
    isCounted: isEnd || matched > maxExactCount,
  }
}

function searchResult<Found>(
  rows: unknown[][],
  matched: number,
  { table, limit }: RecordSearch<Found>,
): SearchResult<Found> {
  return {
    items: rows.slice(0, limit).map(table.unpack),
    count: Math.min(matched, maxExactCount + 1),
    hasMore: rows.length > limit,
  }
}

/**
 * Scans the newest records from a position on, until enough of them matched or the steps are over. The inner
 * limit keeps PostgreSQL from using the index of words.
 */
function walkQuery(search: RecordSearch<unknown>, steps: number, needed: number): SqlFragment {
  const scanned = sql`from ${raw(search.table.name)}
    where merchant_id = ${search.merchantId} and ${alive(search)} and ${behind(search.after)}
    order by created_at desc, id desc`
  return sql`with matching as materialized (
      select id, created_at from (
        select id, created_at, ${matches(search)} as hit ${scanned} limit ${steps}) as walked
      where hit limit ${needed})
    ${pageOf(
      search,
      sql`(select count(*) from matching) < ${needed} and not exists (select ${scanned} limit 1 offset ${steps})`,
    )}`
}

/** Takes up to `limit + 1` matches from the index of words, unordered, and sorts them. */
function listQuery(search: RecordSearch<unknown>, limit: number): SqlFragment {
  return sql`with indexed as materialized (select id, created_at from ${raw(search.table.name)}
      where merchant_id = ${search.merchantId} and ${alive(search)} and ${matches(search)}),
    matching as materialized (select id, created_at from indexed limit ${limit + 1})
    ${pageOf(search, sql`false`)}`
}

/**
 * Scans without a limit, for a word that is very common but not among the newest records. The inner order
 * prevents another plan.
 */
function walkOnQuery(search: RecordSearch<unknown>): SqlFragment {
  const { table, merchantId, after, limit } = search
  return sql`with matching as materialized (
      select id, created_at from (
        select id, created_at, ${matches(search)} as hit from ${raw(table.name)}
        where merchant_id = ${merchantId} and ${alive(search)} and ${behind(after)}
        order by created_at desc, id desc offset 0) as walked
      where hit limit ${limit + 1})
    ${pageOf(search, sql`false`)}`
}

/** No terms match every record; an empty tsquery would match none. */
function matches({ merchantId, terms }: RecordSearch<unknown>): SqlFragment {
  if (terms.length === 0) return sql`true`
  return sql`words @@ ${tsqueryOf(merchantId, terms)}::tsquery`
}

/** The newest records of `matching`, each with the tally; the tally alone if there are none. */
function pageOf(search: RecordSearch<unknown>, isEnd: SqlFragment): SqlFragment {
  const { table, merchantId, after, limit } = search
  return sql`select ${isEnd} as is_end, (select count(*) from matching) as matched, record.packed
    from (select) as tally
    left join (select id, created_at from matching where ${behind(after)}
      order by created_at desc, id desc limit ${limit + 1}) as found on true
    left join lateral (select ${table.packed()} as packed from ${raw(table.name)} where merchant_id = ${merchantId} and id = found.id) as record on true
    order by found.created_at desc, found.id desc`
}

function alive({ from, before }: RecordSearch<unknown>): SqlFragment {
  return sql`deleted_at is null
    and created_at >= ${from ?? '-infinity'}::timestamptz and created_at < ${before ?? 'infinity'}::timestamptz`
}

function behind(cursor: ListCursor | undefined): SqlFragment {
  return sql`(created_at, id) < (${cursor?.createdAt ?? 'infinity'}::timestamptz, ${cursor?.id ?? 0}::bigint)`
}
