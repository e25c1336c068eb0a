import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { reusableQuery, sql, unprepared } from '../../kit/runtime/sql.ts'
import type { Snapshot, SnapshotSum, TransferCursor } from './snapshot.ts'
import { balanceSnapshotSums, balanceSnapshots, emptySnapshot } from './snapshot.ts'
import { affectsBalance, balanceChange } from './store.ts'

/** Reads the position and the sums in one query: sums without their end position are useless. */
const selectSnapshot = reusableQuery<{
  merchantId: number
}>`select until::text as until, ${balanceSnapshots.pick('untilId', 'takenAt').columns()}, sums.*
  from balance_snapshots whole
  left join (select ${balanceSnapshotSums.omit('merchantId', 'availableAt').columns()},
      nullif(available_at, '-infinity') as "availableAt"
    from balance_snapshot_sums where merchant_id = ${'merchantId'}) as sums on true
  where whole.merchant_id = ${'merchantId'}`

type SnapshotRow = Omit<Snapshot, 'sums'> & { [Name in keyof SnapshotSum]: SnapshotSum[Name] | null }

/** Returns an empty snapshot if the merchant has none yet. */
export async function snapshotOf(database: Sql, merchantId: number): Promise<Snapshot> {
  const rows = await database.many<SnapshotRow>(selectSnapshot({ merchantId }))
  const [any] = rows
  if (!any) return emptySnapshot
  const { until, untilId, takenAt } = any
  const sums = rows.flatMap(({ currency, availableAt, amountMinor, transfers }) =>
    currency === null
      ? []
      : [{ currency, availableAt, amountMinor: amountMinor ?? 0, transfers: transfers ?? 0 }],
  )
  return { until, untilId, takenAt, sums }
}

/** Change of a balance after a snapshot, and the part of it that is pending. */
interface ChangeSinceSnapshot {
  currency: string
  amountMinor: number
  pendingMinor: number
}

const selectChanges = reusableQuery<
  TransferCursor & { merchantId: number; now: Date }
>`select currency, sum(change)::bigint as "amountMinor",
    coalesce(sum(change) filter (where available_at > ${'now'}::timestamptz), 0)::bigint as "pendingMinor"
  from (select currency, available_at, ${balanceChange} as change from ledger_transfers
    where merchant_id = ${'merchantId'} and ${affectsBalance}
      and (created_at, id) > (${'until'}::timestamptz, ${'untilId'}::bigint)) as changes
  group by currency`

export function changesSinceSnapshot(
  database: Sql,
  merchantId: number,
  { until, untilId }: TransferCursor,
  now: Date,
): Promise<ChangeSinceSnapshot[]> {
  return database.many<ChangeSinceSnapshot>(selectChanges({ merchantId, until, untilId, now }))
}

/** Time of availability under which a snapshot taken now stores a transfer. */
function bucketAt(now: Date): SqlFragment {
  return sql`case when available_at > ${now}::timestamptz then available_at else '-infinity' end`
}

function isAfter({ until, untilId }: TransferCursor): SqlFragment {
  return sql`(created_at, id) > (${until}::timestamptz, ${untilId}::bigint)`
}

/**
 * Adds up to `limit` transfers, posted before `before`, to a snapshot. Returns the number of added transfers:
 * 0 if another instance has extended the snapshot since it was read. Amounts available by `now` are merged
 * into one sum.
 */
export async function addToSnapshot(
  database: Sql,
  merchantId: number,
  snapshot: Snapshot,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<number> {
  const { added } = await database.one<{ added: number }>(
    unprepared(sql`with slice as materialized (
        select id, created_at, currency, ${balanceChange} as change, ${bucketAt(now)} as bucket
        from ledger_transfers
        where merchant_id = ${merchantId} and ${affectsBalance} and ${isAfter(snapshot)} and created_at < ${before}
        order by created_at, id limit ${limit}),
      updated_snapshot as (
        insert into balance_snapshots (merchant_id, until, until_id, taken_at)
        select ${merchantId}::bigint, created_at, id, ${now}::timestamptz from slice
        order by created_at desc, id desc limit 1
        on conflict (merchant_id) do update
          set until = excluded.until, until_id = excluded.until_id, taken_at = excluded.taken_at
          where balance_snapshots.until = ${snapshot.until}::timestamptz
            and balance_snapshots.until_id = ${snapshot.untilId}::bigint
        returning merchant_id),
      available_sums as (
        delete from balance_snapshot_sums using updated_snapshot
        where balance_snapshot_sums.merchant_id = ${merchantId}
          and available_at > '-infinity' and available_at <= ${now}
        returning currency, amount, transfers),
      parts as (
        select currency, bucket, change as amount, 1 as transfers from slice
        union all select currency, '-infinity', amount, transfers from available_sums),
      updated_sums as (
        insert into balance_snapshot_sums (merchant_id, currency, available_at, amount, transfers)
        select updated_snapshot.merchant_id, currency, bucket, sum(amount), sum(transfers) from updated_snapshot, parts
        group by updated_snapshot.merchant_id, currency, bucket
        on conflict (merchant_id, currency, available_at) do update
          set amount = balance_snapshot_sums.amount + excluded.amount,
            transfers = balance_snapshot_sums.transfers + excluded.transfers)
      select case when exists (select from updated_snapshot) then (select count(*) from slice) else 0 end as added`),
  )
  return added
}

/**
 * Sums of up to `limit` transfers after a position, none after the snapshot's end, and the position of the
 * last one.
 */
export async function sumsOfSlice(
  database: Sql,
  merchantId: number,
  snapshot: Snapshot,
  behind: TransferCursor,
  limit: number,
): Promise<{ sums: SnapshotSum[]; end: TransferCursor | undefined }> {
  const rows = await database.many<SnapshotSum & TransferCursor>(
    unprepared(sql`with slice as materialized (
        select id, created_at, currency, ${balanceChange} as change, ${bucketAt(snapshot.takenAt)} as bucket
        from ledger_transfers where merchant_id = ${merchantId} and ${affectsBalance} and ${isAfter(behind)}
          and (created_at, id) <= (${snapshot.until}::timestamptz, ${snapshot.untilId}::bigint)
        order by created_at, id limit ${limit}),
      last as (select created_at, id from slice order by created_at desc, id desc limit 1)
      select currency, nullif(bucket, '-infinity') as "availableAt", sum(change)::bigint as "amountMinor",
        count(*) as transfers, (select created_at::text from last) as until, (select id from last) as "untilId"
      from slice group by currency, bucket`),
  )
  const [any] = rows
  const sums = rows.map(({ until: _until, untilId: _untilId, ...sum }) => sum)
  return { sums, end: any && { until: any.until, untilId: any.untilId } }
}
