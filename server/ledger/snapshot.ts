/** A transfer in the order in which they were posted: its time, in the database's own words and so exact, and its id. */
export interface TransferCursor {
  until: string
  untilId: number
}

/**
 * What the transfers of a merchant up to one of them had brought its balance to. They are added up in the order in which
 * they were posted, so a sum stays true whatever is posted after it was made.
 */
export interface Snapshot extends TransferCursor {
  /** Time of the snapshot. Amounts that were available by then are one sum, no longer kept by their own time. */
  takenAt: Date
  sums: SnapshotSum[]
}

/** What the transfers of one currency add up to that are available from one moment on. */
export interface SnapshotSum {
  currency: string
  /** Null for all that was available when they were added up. */
  availableAt: Date | null
  amountMinor: number
  /** How many they are. */
  transfers: number
}

/** Of a merchant whose transfers nobody has added up yet. */
export const emptySnapshot: Snapshot = { until: '-infinity', untilId: 0, takenAt: new Date(0), sums: [] }

/** The sums of several parts, each currency and moment once. */
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

/** Each sum that is not as it should be, beside the one that is due. */
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
