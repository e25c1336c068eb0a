import type { PlacedEvent } from '../events/index.ts'
import { placeEvents } from '../events/index.ts'
import type { Sql } from '../kit/sql.ts'

/** Gives every event of a merchant its place in the list, as the service does by itself. */
export function placeAll(database: Sql, { id }: { id: number }): Promise<PlacedEvent[]> {
  return database.transaction((transaction) => placeEvents(transaction, id, 100_000))
}
