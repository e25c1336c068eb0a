import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, text, timestamptz } from '../../kit/runtime/table.ts'

export const balanceSnapshots = defineMerchantTable('balance_snapshots', {
  merchantId: bigint(),
  /** Time of the last transfer in the sums. */
  until: timestamptz(),
  untilId: bigint(),
  /** Time of the snapshot. Amounts available by then are merged into one sum. */
  takenAt: timestamptz(),
})

export const balanceSnapshotSums = defineMerchantTable('balance_snapshot_sums', {
  merchantId: bigint(),
  currency: text(),
  /** `-infinity` for transfers that were available when they were summed. */
  availableAt: timestamptz(),
  amountMinor: bigint(),
  /** Number of transfers in the sum. */
  transfers: bigint(),
})

/** Position of a transfer in the order of posting: its time, as the database's exact text, and its id. */
export type TransferCursor = Pick<RowOf<typeof balanceSnapshots>, 'untilId'> & { until: string }

/**
 * Sums of a merchant's transfers up to a position. Transfers are summed in the order of posting, so later
 * postings never change a sum.
 */
export type Snapshot = TransferCursor &
  Pick<RowOf<typeof balanceSnapshots>, 'takenAt'> & { sums: SnapshotSum[] }

/** Sum of the transfers of one currency that become available at the same time. */
export type SnapshotSum = Omit<RowOf<typeof balanceSnapshotSums>, 'merchantId' | 'availableAt'> & {
  /** Null for transfers that were available when they were summed: no Date is infinite. */
  availableAt: Date | null
}

/** Snapshot of a merchant that has none yet. */
export const emptySnapshot: Snapshot = { until: '-infinity', untilId: 0, takenAt: new Date(0), sums: [] }
