import type { Sql } from '../../kit/runtime/sql.ts'
import type { PositionedEvent } from '../../server/events/index.ts'
import { assignPositions } from '../../server/events/index.ts'

/** Gives every event of a merchant its position in the list, as the service does by itself. */
export function assignAllPositions(database: Sql, { id }: { id: number }): Promise<PositionedEvent[]> {
  return database.transaction((transaction) => assignPositions(transaction, id, 100_000))
}
