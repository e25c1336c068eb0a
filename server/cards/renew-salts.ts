import type { Services } from '../services.ts'
import { hourOf, renewSalts } from './salt.ts'
import { deleteCardsBefore } from './store.ts'

/** Destroys the salts of hours that are over, and erases the cards that were sealed with them and lost by everybody. */
export async function renewSaltsInBackground(services: Services): Promise<number> {
  const { destroyed } = await renewSalts(services)
  return destroyed + (await deleteCardsBefore(services.sql, hourOf(services) - 1))
}
