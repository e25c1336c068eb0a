import type { Clock } from '../../kit/runtime/clock.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { databaseTime } from '../database/store.ts'
import type { OpenServices } from '../services.ts'

/** Slowest usable response; a slower one is too imprecise. */
const slowestMs = 1_000

/** Clock minus the database's clock of half a round trip ago; undefined if the response was slow. */
export async function measureClock(
  database: Sql,
  clock: Pick<Clock, 'now' | 'monotonicMs'>,
): Promise<number | undefined> {
  const askedAtMs = clock.monotonicMs()
  const time = await databaseTime(database)
  const tookMs = clock.monotonicMs() - askedAtMs
  return tookMs > slowestMs ? undefined : clock.now().getTime() - tookMs / 2 - time.getTime()
}

/** Refuses a command on a machine with a wrong clock: it would write future times, or times long past. */
export async function assertClockRight({
  own,
  clock,
  config,
}: Pick<OpenServices, 'own' | 'clock' | 'config'>): Promise<void> {
  const { clockToleranceSeconds: tolerance } = config
  if (tolerance === 0) return
  let offsetMs: number | undefined
  // The first measurement may include connecting, so a slow one is repeated.
  for (let count = 0; count < 3; count++) offsetMs ??= await measureClock(own, clock)
  if (offsetMs === undefined)
    throw new Error(
      "The clock of this machine could not be compared with the database's clock: the database answers too slowly. Nothing was done. Try again, or set CLOCK_TOLERANCE_SECONDS=0 for this command.",
    )
  if (Math.abs(offsetMs) <= tolerance * 1000) return
  const offsetS = Math.round(offsetMs / 1000)
  const where = `${Math.abs(offsetS)} seconds ${offsetS > 0 ? 'ahead of' : 'behind'}`
  throw new Error(
    `The clock of this machine is ${where} the database's clock. Nothing was done. Correct the clock of this machine first. If the database's clock is wrong instead, set CLOCK_TOLERANCE_SECONDS=0 for this command.`,
  )
}
