import { RowLocked } from '../kit/sql.ts'
import type { Services } from '../services.ts'
import type { BinRows } from './bin-rows.ts'
import type { BinTable, Origin } from './bin-table.ts'
import { currentBins, ownTableId } from './current-bins.ts'
import { chooseTable, chosenTableIdForChange, insertTable } from './store.ts'

/** The table in use, and the id by which it was chosen. */
export interface TableInUse {
  id: number
  table: BinTable
}

/** The table in use as the database has it now, not as it is remembered. */
export async function tableInUse({ sql }: Pick<Services, 'sql'>): Promise<TableInUse> {
  const id = await currentBins.version(sql)
  return { id, table: await currentBins.read(sql, id) }
}

/**
 * Lets these rows answer in place of the table with the id `before`. Guarantee: all of it happens or nothing, whatever
 * ends the process; and of two who replace the same table, the second is refused, for it compared with what is gone.
 */
export async function replaceBins(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  rows: BinRows,
  { source, asOf }: Origin,
  before: number,
): Promise<void> {
  const id = await ids.next()
  const table = { id, source, asOf, rowCount: rows.size, importedAt: clock.now() }
  await whileNobodyElse(() =>
    sql.transaction(async (transaction) => {
      // The rows come first: who waits for the choice then waits for its end alone.
      await insertTable(transaction, table, rows)
      await choose(transaction, id, before)
    }),
  )
}

/** Lets the table that comes with the program answer again. Guarantee: as above. */
export async function restoreBins({ sql }: Pick<Services, 'sql'>, before: number): Promise<void> {
  await whileNobodyElse(() => sql.transaction((transaction) => choose(transaction, ownTableId, before)))
}

async function choose(transaction: Services['sql'], id: number, before: number): Promise<void> {
  if ((await chosenTableIdForChange(transaction)) !== before) {
    throw new Error(
      'Another table was chosen meanwhile. Nothing was changed by this command; see: vezne bins status',
    )
  }
  await chooseTable(transaction, id, before)
}

async function whileNobodyElse(change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof RowLocked)) throw error
    throw new Error('Somebody else is replacing the table right now. Nothing was changed; try again later.', {
      cause: error,
    })
  }
}
