import type { Services } from '../services.ts'
import { currentHourNumber, rotateHourKeys } from './hour-key.ts'
import { deleteCardsBefore } from './store.ts'

/** Destroys expired hour keys, and erases the leftover cards that were sealed with them. */
export async function rotateHourKeysInBackground(services: Services): Promise<number> {
  const { destroyed } = await rotateHourKeys(services)
  return destroyed + (await deleteCardsBefore(services.sql, currentHourNumber(services) - 1))
}
