import type { Sql } from '../../kit/runtime/sql.ts'
import { CommitUnknown, RowLocked } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { BinTable } from './bin-table.ts'
import { activateTable, activeTableIdForUpdate, insertTable } from './store.ts'

/**
 * Replaces the table `before` with these rows. Guarantee: all or nothing happens, even after a kill. If two
 * commands replace the same table, the second is refused, because it compared with a table that is gone.
 */
export async function replaceBins(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  { rows, origin: { source, asOf } }: BinTable,
  before: number,
): Promise<void> {
  const id = await ids.next()
  const table = { id, source, asOf, rowCount: rows.size, importedAt: clock.now() }
  // The rows are written before the lock is taken, so a waiting command waits for the end of this transaction
  // only.
  await switchActiveTable(sql, before, id, (transaction) => insertTable(transaction, table, rows))
}

/** Makes table `id` active in place of `before`, after `prepare` has written its rows. */
export async function switchActiveTable(
  sql: Sql,
  before: number,
  id: number,
  prepare?: (transaction: Sql) => Promise<void>,
): Promise<void> {
  try {
    await sql.transaction(async (transaction) => {
      await prepare?.(transaction)
      if ((await activeTableIdForUpdate(transaction)) !== before) {
        throw new Error(
          'Another command has changed the table in the meantime. This command changed nothing. Check the table in use: vezne bins status',
        )
      }
      await activateTable(transaction, id, before)
    })
  } catch (error) {
    if (error instanceof CommitUnknown) throw new Error(outcomeUnknown, { cause: error })
    throw error instanceof RowLocked ? new Error(isBeingReplaced, { cause: error }) : error
  }
}

const outcomeUnknown =
  'The connection was lost during the commit. The table may or may not have been replaced. Check the table in use: vezne bins status'
const isBeingReplaced = 'Another command is replacing the table. Nothing was changed. Try again later.'
