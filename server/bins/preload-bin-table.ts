import type { Services } from '../services.ts'
import { activeBins } from './active-bins.ts'
import type { BinTable } from './bin-table.ts'
import { daysSince } from './day.ts'

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
  metrics.gauge('vezne_bin_table_rows', 'Rows of the table of BINs in use.', () => table().size)
  metrics.gauge('vezne_bin_table_age_days', 'Days since what the table of BINs in use says was so.', () =>
    daysSince(table().origin.asOf, clock),
  )
}
