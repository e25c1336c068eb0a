import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import { andThen } from '../../kit/runtime/maybe-promise.ts'
import type { VersionedSource } from '../database/versioned-cache.ts'
import type { Services } from '../services.ts'
import type { BinRow, BinTableOrigin } from './bin-table.ts'
import { BinTable } from './bin-table.ts'
import type { BinCard } from './card.ts'
import { readBinFile } from './read-bin-file.ts'
import { activeTableId, readTable } from './store.ts'

/** Id of the built-in table. */
export const builtInTableId = 0

const builtInOrigin: BinTableOrigin = { source: 'the table that comes with Vezne', asOf: '2026-11-15' }

let builtInReading: Promise<BinTable> | undefined

/** The table in use, on every instance. */
export const activeBins: VersionedSource<BinTable> = {
  name: 'bins',
  version: activeTableId,
  read: (database, version) => (version === builtInTableId ? builtInTable() : readTable(database, version)),
}

/** Row that matches a BIN. Once the table is cached, the result is no promise. */
export function binRowOf({ cache }: Pick<Services, 'cache'>, bin: number): MaybePromise<BinRow | undefined> {
  return andThen(cache.get(activeBins), (table) => table.rowFor(bin))
}

/** Card of an eight-digit BIN. */
export function cardOfBin(
  { cache }: Pick<Services, 'cache'>,
  bin: number,
): MaybePromise<BinCard | undefined> {
  return andThen(cache.get(activeBins), (table) => table.find(bin))
}

export interface ActiveTable {
  id: number
  table: BinTable
}

/** Reads the active table from the database, not from the cache. */
export async function activeTable({ sql }: Pick<Services, 'sql'>): Promise<ActiveTable> {
  for (;;) {
    const id = await activeBins.version(sql)
    try {
      return { id, table: await activeBins.read(sql, id) }
    } catch (error) {
      // If the table was replaced during the read, read the new one.
      if ((await activeBins.version(sql)) === id) throw error
    }
  }
}

/** The built-in table. It cannot change while the program runs, so it is read once. */
export function builtInTable(): Promise<BinTable> {
  builtInReading ??= readBuiltInTable()
  return builtInReading
}

async function readBuiltInTable(): Promise<BinTable> {
  const bytes = createReadStream(join(import.meta.dirname, 'default.csv'))
  const { rows, refused } = await readBinFile(bytes)
  const [first] = refused
  if (first) throw new Error(`default.csv, line ${first.line}: ${first.reason}`)
  return new BinTable(builtInOrigin, rows.kinds, rows.prefixes, rows.kindOfPrefix)
}
