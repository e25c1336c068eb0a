import type { Services } from '../services.ts'
import { daysSince } from './as-of.ts'
import { currentBins } from './current-bins.ts'

/** Reads the table, so that no request waits for it, and shows in the metrics how large and how old the one in use is. */
export async function watchBins({
  memory,
  metrics,
  clock,
}: Pick<Services, 'memory' | 'metrics' | 'clock'>): Promise<void> {
  let table = await memory.get(currentBins)
  const help = 'The table of BINs in use: its rows, and the days since what it says was so.'
  metrics.gauge('vezne_bin_table', help, 'what', () => {
    const now = memory.get(currentBins)
    if (!(now instanceof Promise)) table = now
    return { rows: table.size, age_days: daysSince(table.origin.asOf, clock) }
  })
}
