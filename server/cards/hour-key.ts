import { DatabaseNotReached, DatabaseUnavailable } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { HourKey } from './store.ts'
import {
  deleteCardsBefore,
  hourKeysInTableOf,
  lockHourKeyTable,
  storedHourKey,
  truncateHourKeys,
  writeHourKeys,
} from './store.ts'

const hourMs = 60 * 60 * 1000
const keyLength = 32

export type HourKeyServices = Pick<Services, 'sql' | 'clock' | 'random' | 'log'>

/** Number of the current hour. Even and odd hours keep their hour keys in separate tables. */
export function currentHourNumber({ clock }: Pick<Services, 'clock'>): number {
  return Math.floor(clock.now().getTime() / hourMs)
}

/**
 * An hour key is valid for its hour and the next one. The following hour counts too, because another
 * instance's clock may be ahead.
 */
export function isHourKeyValid(hour: number, now: number): boolean {
  return hour >= now - 1 && hour <= now + 1
}

/**
 * Hour key to seal with. It is read each time and never cached, so destroying it in the database is final.
 */
export async function currentHourKey(services: HourKeyServices): Promise<HourKey> {
  for (;;) {
    const now = currentHourNumber(services)
    const hourKey =
      (await storedHourKey(services.sql, now)) ?? (await rotateTable(services, now, now)).current
    if (hourKey) return hourKey
  }
}

/**
 * Creates the current hour key if there is none, destroys invalid ones, and erases the leftover cards that
 * were sealed with them. Returns the number of destroyed keys and erased cards.
 */
export async function rotateHourKeys(services: HourKeyServices): Promise<number> {
  const now = currentHourNumber(services)
  const before = await rotateTable(services, now - 1, now)
  const own = await rotateTable(services, now, now)
  const erased = await deleteCardsBefore(services.sql, currentHourNumber(services) - 1)
  return before.destroyed + own.destroyed + erased
}

interface Rotation {
  /** Hour key of the current hour, if it belongs to this table and the hour has not ended. */
  current: HourKey | undefined
  destroyed: number
}

/**
 * Guarantee: if several instances rotate a table at the same time, one creates the hour key, and none
 * destroys a valid one. Keys that cannot be destroyed while their table is read are left for the next run.
 */
async function rotateTable(services: HourKeyServices, hour: number, now: number): Promise<Rotation> {
  const rotate = (mayDestroy: boolean) =>
    services.sql.transaction((sql) => rotateUnderLock({ ...services, sql }, { hour, now, mayDestroy }))
  try {
    return await rotate(true)
  } catch (error) {
    // Citus reports a lock on another server as a failure of that server.
    if (!(error instanceof DatabaseUnavailable) || error instanceof DatabaseNotReached) throw error
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
  // The hour may have ended during the wait for the lock. Other instances then work on the next one.
  if (currentHourNumber(services) !== now) return { current: undefined, destroyed: 0 }
  const hourKeys = await hourKeysInTableOf(sql, hour)
  const good = hourKeys.filter((hourKey) => isHourKeyValid(hourKey.hour, now))
  const known = good.find((hourKey) => hourKey.hour === now)
  const made = hour === now && !known ? [{ hour, bytes: random.bytes(keyLength) }] : []
  const destroyed = mayDestroy ? hourKeys.length - good.length : 0
  // A table without a key has lost it in a crash. Other servers of a Citus can still have old keys then.
  if (mayDestroy && (destroyed > 0 || made.length > 0)) await truncateHourKeys(sql, hour)
  const kept = [...good, ...made]
  if (kept.length > 0) await writeHourKeys(sql, hour, kept)
  return { current: known ?? made[0], destroyed }
}
