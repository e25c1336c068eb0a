import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import { andThen } from '../../kit/runtime/maybe-promise.ts'
import type { VersionedSource } from '../database/versioned-cache.ts'
import type { Services } from '../services.ts'
import type { BinTable } from './bin-table.ts'
import { kindOfBin } from './bin-table.ts'
import type { CardKind } from './card.ts'
import { daysSince } from './day.ts'
import { readBinFile } from './read-bin-file.ts'
import { activeTableId, activeTableQuery, readTable } from './store.ts'

/** Id of the built-in table. */
export const builtInTableId = 0

/** The table in use, on every instance. */
export const activeBins: VersionedSource<BinTable> = {
  name: 'bins',
  version: activeTableQuery,
  read: (database, version) => (version === builtInTableId ? builtInTable() : readTable(database, version)),
}

/** Kind of card of an eight-digit BIN. Once the table is cached, the result is no promise. */
export function cardOfBin(
  { cache }: Pick<Services, 'cache'>,
  bin: number,
): MaybePromise<CardKind | undefined> {
  return andThen(cache.get(activeBins), (table) => kindOfBin(table, bin))
}

/** Reads the active table from the database, not from the cache. */
export async function activeTable({ sql }: Pick<Services, 'sql'>): Promise<{ id: number; table: BinTable }> {
  for (;;) {
    const id = await activeTableId(sql)
    try {
      return { id, table: await activeBins.read(sql, id) }
    } catch (error) {
      // If the table was replaced during the read, read the new one.
      if ((await activeTableId(sql)) === id) throw error
    }
  }
}

/** The built-in table. It cannot change while the program runs, so it is read once. */
export function builtInTable(): Promise<BinTable> {
  builtInReading ??= readBuiltInTable()
  return builtInReading
}

let builtInReading: Promise<BinTable> | undefined

async function readBuiltInTable(): Promise<BinTable> {
  const { rows, refused } = await readBinFile(createReadStream(join(import.meta.dirname, 'default.csv')))
  const [first] = refused
  if (first) throw new Error(`default.csv, line ${first.line}: ${first.reason}`)
  return { origin: { source: 'the table that comes with Vezne', asOf: '2026-11-15' }, rows }
}

/** Loads the table, so that no request waits for it, and registers metrics of its size and age. */
export async function preloadBinTable({
  cache,
  metrics,
  clock,
}: Pick<Services, 'cache' | 'metrics' | 'clock'>): Promise<void> {
  let latest = await cache.get(activeBins)
  const table = (): BinTable => {
    const now = cache.get(activeBins)
    if (!(now instanceof Promise)) latest = now
    return latest
  }
  metrics.gauge('vezne_bin_table_rows', 'Rows of the table of BINs in use.', () => table().rows.size)
  metrics.gauge('vezne_bin_table_age_days', 'Days since what the table of BINs in use says was so.', () =>
    daysSince(table().origin.asOf, clock),
  )
}
