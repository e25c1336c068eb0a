import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { Transfer } from '../../server/ledger/index.ts'
import { transfersPart } from '../../server/ledger/index.ts'

/** Posts transfers without a payment. */
export async function postTransfers(
  database: Sql,
  merchantId: number,
  transfers: readonly Transfer[],
): Promise<void> {
  const owner = sql`select ${merchantId}::bigint as merchant_id`
  await database.write({
    steps: [['transition', owner]],
    gate: 'transition',
    storedGate: sql`(${owner}) as transition`,
    inserts: [transfersPart(merchantId, transfers)],
  })
}
