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

/** Merges sums to one per currency and time. */
export function mergeSums(sums: Iterable<SnapshotSum>): SnapshotSum[] {
  const all = new Map<string, SnapshotSum>()
  for (const sum of sums) {
    const known = all.get(nameOf(sum))
    if (known) {
      known.amountMinor += sum.amountMinor
      known.transfers += sum.transfers
    } else all.set(nameOf(sum), { ...sum })
  }
  return [...all.values()]
}

/** Each wrong sum with the expected one. */
export function sumMismatches(
  actual: readonly SnapshotSum[],
  expected: readonly SnapshotSum[],
): { actual: SnapshotSum; expected: SnapshotSum }[] {
  const byName = (sums: readonly SnapshotSum[]) => new Map(sums.map((sum) => [nameOf(sum), sum]))
  const [inSnapshot, inTransfers] = [byName(actual), byName(expected)]
  const names = new Set([...inSnapshot.keys(), ...inTransfers.keys()])
  return [...names].toSorted().flatMap((name) => {
    const any = (inSnapshot.get(name) ?? inTransfers.get(name)) as SnapshotSum
    const none = { ...any, amountMinor: 0, transfers: 0 }
    const pair = { actual: inSnapshot.get(name) ?? none, expected: inTransfers.get(name) ?? none }
    const isSame =
      pair.actual.amountMinor === pair.expected.amountMinor &&
      pair.actual.transfers === pair.expected.transfers
    return isSame ? [] : [pair]
  })
}

function nameOf({ currency, availableAt }: SnapshotSum): string {
  return `${currency} ${availableAt?.toISOString() ?? ''}`
}
