import { systemClock } from '../../kit/runtime/clock.ts'
import type { Services } from '../../server/services.ts'

/** Number of concurrent searches in a test's service. */
export const searchesAtOnce = 2

/** Occupied search connections, freed at the latest when the scope ends. */
interface OccupiedSearches extends AsyncDisposable {
  letGo(): Promise<void>
}

/** Occupies every search connection. */
export async function occupySearches(
  { searches }: Pick<Services, 'searches'>,
  atOnce = searchesAtOnce,
): Promise<OccupiedSearches> {
  const release = Promise.withResolvers<void>()
  const holding = Array.from({ length: atOnce }, () => {
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const ended = searches.run((sql) =>
      sql.transaction(async () => {
        resolve()
        await release.promise
      }),
    )
    return { started, ended }
  })
  await Promise.all(holding.map(({ started }) => started))
  const letGo = async () => {
    release.resolve()
    await Promise.all(holding.map(({ ended }) => ended))
  }
  return { letGo, [Symbol.asyncDispose]: letGo }
}

/** Returns when this many searches wait for a connection. */
export async function untilSearchesWait(
  { searches }: Pick<Services, 'searches'>,
  count: number,
): Promise<void> {
  for (let look = 0; searches.waitingCount < count; look++) {
    if (look === 2_000) throw new Error(`${searches.waitingCount} searches wait, not ${count}`)
    await systemClock.sleep(5)
  }
}
