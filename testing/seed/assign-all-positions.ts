import type { Sql } from '../../kit/runtime/sql.ts'
import type { PositionedEvent } from '../../server/events/index.ts'
import { assignPositions } from '../../server/events/index.ts'

/** Assigns a position to every event of a merchant, as the service does. */
export function assignAllPositions(database: Sql, { id }: { id: number }): Promise<PositionedEvent[]> {
  return database.transaction((transaction) => assignPositions(transaction, id, 100_000))
}
