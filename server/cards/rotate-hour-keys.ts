import type { Services } from '../services.ts'
import { currentHourNumber, rotateHourKeys } from './hour-key.ts'
import { deleteCardsBefore } from './store.ts'

/** Destroys the keys of hours that are over, and erases the cards that were sealed with them and lost by everybody. */
export async function rotateHourKeysInBackground(services: Services): Promise<number> {
  const { destroyed } = await rotateHourKeys(services)
  return destroyed + (await deleteCardsBefore(services.sql, currentHourNumber(services) - 1))
}
