import { DatabaseNotReached, DatabaseUnavailable } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { HourKey } from './store.ts'
import {
  deleteCardsBefore,
  hourKeysInTableOf,
  insertHourKeys,
  lockHourKeyTable,
  storedHourKey,
  truncateHourKeys,
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
 * Hour key to seal a card of this merchant with. It is read each time and never cached, so destroying it in the
 * database is final.
 */
export async function currentHourKey(services: HourKeyServices, merchantId: number): Promise<HourKey> {
  for (;;) {
    const now = currentHourNumber(services)
    const hourKey = await storedHourKey(services.sql, now, merchantId)
    if (hourKey) return hourKey
    await rotateTable(services, { hour: now, now, isMissing: true })
  }
}

/**
 * Creates the hour keys of this hour and the next if there are none, destroys invalid ones, and erases the leftover
 * cards that were sealed with them. A step that fails does not prevent the others. Returns the number of destroyed keys
 * and erased cards.
 */
export async function rotateHourKeys(services: HourKeyServices): Promise<number> {
  const now = currentHourNumber(services)
  const steps = [
    () => rotateTable(services, { hour: now, now, isMissing: false }),
    // A distributed database can write no hour key while one of its servers is away, so the next is made beforehand.
    () => rotateTable(services, { hour: now + 1, now, isMissing: false }),
    () => deleteCardsBefore(services.sql, currentHourNumber(services) - 1),
  ]
  const failures: unknown[] = []
  let count = 0
  for (const step of steps) {
    try {
      count += await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return count
}

interface Rotation {
  /** Hour whose table is rotated. */
  hour: number
  now: number
  /** True if a server has no hour key of this hour. Another server of the same database can have it. */
  isMissing: boolean
}

/**
 * Returns the number of destroyed keys. Guarantee: if several instances rotate a table at the same time, one
 * creates the hour key, and none destroys a valid one. Keys that cannot be destroyed while their table is read
 * are left for the next run.
 */
async function rotateTable(services: HourKeyServices, rotation: Rotation): Promise<number> {
  const rotate = (mayDestroy: boolean) =>
    services.sql.transaction((sql) => rotateUnderLock({ ...services, sql }, { ...rotation, mayDestroy }))
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
  { hour, now, isMissing, mayDestroy }: Rotation & { mayDestroy: boolean },
): Promise<number> {
  const { sql, random } = services
  await lockHourKeyTable(sql, hour)
  // The hour may have ended during the wait for the lock. Other instances then work on the next one.
  if (currentHourNumber(services) !== now) return 0
  const hourKeys = await hourKeysInTableOf(sql, hour)
  const good = hourKeys.filter((hourKey) => isHourKeyValid(hourKey.hour, now))
  const isKnown = good.some((hourKey) => hourKey.hour === hour)
  const made = isKnown ? [] : [{ hour, bytes: random.bytes(keyLength) }]
  const destroyed = mayDestroy ? hourKeys.length - good.length : 0
  // A table without its key has lost it in a crash. Other servers of a Citus can still have old keys then.
  const isEmptied = mayDestroy && (destroyed > 0 || made.length > 0)
  if (isEmptied) await truncateHourKeys(sql, hour)
  const missing = isEmptied || isMissing ? [...good, ...made] : made
  if (missing.length > 0) await insertHourKeys(sql, hour, missing)
  return destroyed
}
