import { signedDecimalText } from '../../kit/money/money.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { snapshotOf, sumsOfSlice } from './snapshot.sql.ts'
import type { SnapshotSum, TransferCursor } from './snapshot.ts'
import { emptySnapshot } from './snapshot.ts'

/** Transfers that one query reads. */
const sliceSize = 20_000

/** The sums of one currency and time: those of the snapshot, and those of the transfers. */
type SumPair = Record<'actual' | 'expected', SnapshotSum>

/**
 * Differences between the snapshot of a merchant and its transfers. The check can run while the service runs:
 * transfers up to a snapshot's end never change.
 */
export async function checkSnapshot(database: Sql, merchantId: number, limit = sliceSize): Promise<string[]> {
  const snapshot = await snapshotOf(database, merchantId)
  const pairs = new Map<string, SumPair>()
  for (const sum of snapshot.sums) add(pairs, 'actual', sum)
  for (let behind: TransferCursor | undefined = emptySnapshot; behind !== undefined; ) {
    const { sums, end } = await sumsOfSlice(database, merchantId, snapshot, behind, limit)
    for (const sum of sums) add(pairs, 'expected', sum)
    behind = end
  }
  return [...pairs.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { actual, expected }]) => [sumText(actual), sumText(expected)])
    .filter(([actual, expected]) => actual !== expected)
    .map(([actual, expected]) => `${actual}; expected: ${expected}`)
}

function add(pairs: Map<string, SumPair>, side: keyof SumPair, sum: SnapshotSum): void {
  const name = `${sum.currency} ${sum.availableAt?.toISOString() ?? ''}`
  const none = { ...sum, amountMinor: 0, transfers: 0 }
  const pair = pairs.get(name) ?? { actual: { ...none }, expected: none }
  pair[side].amountMinor += sum.amountMinor
  pair[side].transfers += sum.transfers
  pairs.set(name, pair)
}

function sumText({ currency, availableAt, amountMinor, transfers }: SnapshotSum): string {
  const when = availableAt === null ? '' : ` from ${availableAt.toISOString()} on`
  return `${signedDecimalText(amountMinor, '.')} ${currency}${when} by ${transfers} transfers`
}
