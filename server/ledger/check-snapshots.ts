import { signedDecimalText } from '../../kit/money/money.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import type { IntegrityViolation } from './integrity-violation.ts'
import { nextMerchantWithSnapshot, snapshotOf, sumsOfSlice } from './snapshot.sql.ts'
import type { SnapshotSum, TransferCursor } from './snapshot.ts'
import { emptySnapshot, mergeSums, sumMismatches } from './snapshot.ts'

/** Transfers that one query reads. */
const sliceSize = 20_000

/**
 * Differences between snapshots and transfers. The check can run while the service runs: transfers up to a
 * snapshot's end never change.
 */
export async function checkSnapshots(database: Sql, limit = sliceSize): Promise<IntegrityViolation[]> {
  const wrong: Pick<IntegrityViolation, 'merchantId' | 'detail'>[] = []
  let merchantId = await nextMerchantWithSnapshot(database, Number.MIN_SAFE_INTEGER)
  while (merchantId !== undefined) {
    for (const { actual, expected } of await sumMismatchesOf(database, merchantId, limit)) {
      wrong.push({ merchantId, detail: `${sumText(actual)}; expected: ${sumText(expected)}` })
    }
    merchantId = await nextMerchantWithSnapshot(database, merchantId)
  }
  return wrong.map((each) => ({ ...each, paymentId: null, total: wrong.length }))
}

async function sumMismatchesOf(database: Sql, merchantId: number, limit: number) {
  const snapshot = await snapshotOf(database, merchantId)
  let expected: SnapshotSum[] = []
  for (let behind: TransferCursor | undefined = emptySnapshot; behind !== undefined; ) {
    const { sums, end } = await sumsOfSlice(database, merchantId, snapshot, behind, limit)
    expected = mergeSums([...expected, ...sums])
    behind = end
  }
  return sumMismatches(snapshot.sums, expected)
}

function sumText({ currency, availableAt, amountMinor, transfers }: SnapshotSum): string {
  const when = availableAt === null ? '' : ` from ${availableAt.toISOString()} on`
  return `${signedDecimalText(amountMinor, '.')} ${currency}${when} by ${transfers} transfers`
}
