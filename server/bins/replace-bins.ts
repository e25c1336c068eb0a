import type { Sql } from '../../kit/runtime/sql.ts'
import { CommitUnknown, RowLocked } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { BinRows } from './bin-rows.ts'
import type { BinTableOrigin } from './bin-table.ts'
import { activateTable, activeTableIdForUpdate, insertTable } from './store.ts'

/**
 * Lets these rows answer in place of the table with the id `before`. Guarantee: all of it happens or nothing, whatever
 * ends the process; and of two who replace the same table, the second is refused, for it compared with what is gone.
 */
export async function replaceBins(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  rows: BinRows,
  { source, asOf }: BinTableOrigin,
  before: number,
): Promise<void> {
  const id = await ids.next()
  const table = { id, source, asOf, rowCount: rows.size, importedAt: clock.now() }
  // The rows come first: who waits for the choice then waits for its end alone.
  await switchActiveTable(sql, before, id, (transaction) => insertTable(transaction, table, rows))
}

/** Lets the table with the id `id` answer in place of `before`, once `prepare` has written what that takes. */
export async function switchActiveTable(
  sql: Sql,
  before: number,
  id: number,
  prepare: (transaction: Sql) => Promise<void> = async () => undefined,
): Promise<void> {
  try {
    await sql.transaction(async (transaction) => {
      await prepare(transaction)
      if ((await activeTableIdForUpdate(transaction)) !== before) {
        throw new Error(
          'Another table was chosen meanwhile. Nothing was changed by this command; see: vezne bins status',
        )
      }
      await activateTable(transaction, id, before)
    })
  } catch (error) {
    if (error instanceof CommitUnknown) {
      throw new Error(
        'The connection was lost during the commit. See which table is in use: vezne bins status',
        {
          cause: error,
        },
      )
    }
    if (!(error instanceof RowLocked)) throw error
    throw new Error('Somebody else is replacing the table right now. Nothing was changed; try again later.', {
      cause: error,
    })
  }
}
