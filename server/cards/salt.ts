import { RowLocked } from '../kit/sql.ts'
import type { Services } from '../services.ts'
import { emptySalts, insertSalts, saltOfHour, saltsBesides, takeTurn } from './store.ts'

/** What the cards of one hour are sealed with beside the installation's secret. */
export interface Salt {
  hour: number
  bytes: Buffer
}

const hourMs = 60 * 60 * 1000
const saltLength = 32

export type Salting = Pick<Services, 'sql' | 'clock' | 'random' | 'log'>

/** Hours are numbered, and one with an even number keeps its salt in another table than one with an odd number. */
export function hourOf({ clock }: Pick<Services, 'clock'>): number {
  return Math.floor(clock.now().getTime() / hourMs)
}

/** A salt is good for its hour and the next one. The clock of the copy that made it may be ahead of ours. */
export function isGood(hour: number, now: number): boolean {
  return hour >= now - 1 && hour <= now + 1
}

/** The salt to seal with. It is read anew each time: what is destroyed in the database is nowhere else. */
export async function currentSalt(services: Salting): Promise<Salt> {
  for (;;) {
    const now = hourOf(services)
    const salt = (await saltOfHour(services.sql, now)) ?? (await renewTable(services, now, now)).current
    if (salt) return salt
  }
}

/** Makes the salt of the current hour if there is none, and destroys all that are not good any more. */
export async function renewSalts(services: Salting): Promise<{ destroyed: number }> {
  const now = hourOf(services)
  const before = await renewTable(services, now - 1, now)
  const own = await renewTable(services, now, now)
  return { destroyed: before.destroyed + own.destroyed }
}

interface Renewed {
  /** The salt of the current hour, if this is its table and the hour is still the current one. */
  current?: Salt
  destroyed: number
}

/**
 * Guarantee: of all who renew a table at once one makes the salt of the hour, and nobody destroys it as long as it is
 * good. What cannot be destroyed because somebody reads the table is left for the next time.
 */
async function renewTable(services: Salting, hour: number, now: number): Promise<Renewed> {
  const renew = (mayDestroy: boolean) =>
    services.sql.transaction((sql) => renewInTurn({ ...services, sql }, { hour, now, mayDestroy }))
  try {
    return await renew(true)
  } catch (error) {
    if (!(error instanceof RowLocked)) throw error
    services.log.warn({ err: error }, 'old salts of cards cannot be destroyed while somebody reads them')
    return renew(false)
  }
}

async function renewInTurn(
  services: Salting,
  { hour, now, mayDestroy }: { hour: number; now: number; mayDestroy: boolean },
): Promise<Renewed> {
  const { sql, random } = services
  await takeTurn(sql, hour)
  // The hour may have ended while we waited for the turn; then others have gone on.
  if (hourOf(services) !== now) return { destroyed: 0 }
  const found = await saltsBesides(sql, hour)
  const good = found.filter((salt) => isGood(salt.hour, now))
  const known = good.find((salt) => salt.hour === now)
  const made = hour === now && !known ? [{ hour, bytes: random.bytes(saltLength) }] : []
  const destroyed = mayDestroy ? found.length - good.length : 0
  if (destroyed > 0) await emptySalts(sql, hour)
  const [first, ...others] = destroyed > 0 ? [...good, ...made] : made
  if (first) await insertSalts(sql, [first, ...others])
  const current = known ?? made[0]
  return { ...(current && { current }), destroyed }
}
