import { RowLocked } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { HourKey } from './store.ts'
import {
  hourKeysInTableOf,
  insertHourKeys,
  lockHourKeyTable,
  storedHourKey,
  truncateHourKeys,
} from './store.ts'

const hourMs = 60 * 60 * 1000
const keyLength = 32

export type HourKeyServices = Pick<Services, 'sql' | 'clock' | 'random' | 'log'>

/** Hours are numbered, and one with an even number keeps its hour key in another table than one with an odd number. */
export function currentHourNumber({ clock }: Pick<Services, 'clock'>): number {
  return Math.floor(clock.now().getTime() / hourMs)
}

/** An hour key is valid for its hour and the next one. The clock of the instance that made it may be ahead of ours. */
export function isHourKeyValid(hour: number, now: number): boolean {
  return hour >= now - 1 && hour <= now + 1
}

/** The hour key to seal with. It is read again each time: what is destroyed in the database is nowhere else. */
export async function currentHourKey(services: HourKeyServices): Promise<HourKey> {
  for (;;) {
    const now = currentHourNumber(services)
    const hourKey =
      (await storedHourKey(services.sql, now)) ?? (await rotateTable(services, now, now)).current
    if (hourKey) return hourKey
  }
}

/** Makes the hour key of the current hour if there is none, and destroys all that are not valid any more. */
export async function rotateHourKeys(services: HourKeyServices): Promise<{ destroyed: number }> {
  const now = currentHourNumber(services)
  const before = await rotateTable(services, now - 1, now)
  const own = await rotateTable(services, now, now)
  return { destroyed: before.destroyed + own.destroyed }
}

interface Rotation {
  /** The hour key of the current hour, if this is its table and the hour is still the current one. */
  current?: HourKey
  destroyed: number
}

/**
 * Guarantee: of all who rotate a table at once one makes the hour key, and nobody destroys it as long as it is
 * valid. What cannot be destroyed because somebody reads the table is left for the next time.
 */
async function rotateTable(services: HourKeyServices, hour: number, now: number): Promise<Rotation> {
  const rotate = (mayDestroy: boolean) =>
    services.sql.transaction((sql) => rotateUnderLock({ ...services, sql }, { hour, now, mayDestroy }))
  try {
    return await rotate(true)
  } catch (error) {
    if (!(error instanceof RowLocked)) throw error
    services.log.warn(
      { err: error },
      'destroying expired card hour keys failed: somebody reads their table; will retry',
    )
    return rotate(false)
  }
}

async function rotateUnderLock(
  services: HourKeyServices,
  { hour, now, mayDestroy }: { hour: number; now: number; mayDestroy: boolean },
): Promise<Rotation> {
  const { sql, random } = services
  await lockHourKeyTable(sql, hour)
  // The hour may have ended while we waited for the lock; then others have gone on.
  if (currentHourNumber(services) !== now) return { destroyed: 0 }
  const hourKeys = await hourKeysInTableOf(sql, hour)
  const good = hourKeys.filter((hourKey) => isHourKeyValid(hourKey.hour, now))
  const known = good.find((hourKey) => hourKey.hour === now)
  const made = hour === now && !known ? [{ hour, bytes: random.bytes(keyLength) }] : []
  const destroyed = mayDestroy ? hourKeys.length - good.length : 0
  if (destroyed > 0) await truncateHourKeys(sql, hour)
  const [first, ...others] = destroyed > 0 ? [...good, ...made] : made
  if (first) await insertHourKeys(sql, [first, ...others])
  const current = known ?? made[0]
  return { ...(current && { current }), destroyed }
}
