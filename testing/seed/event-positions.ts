import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'

/** Adds the events of a merchant that a test inserted to the events that wait for a position. */
export async function seedUnassignedPositions(database: Sql, merchantId: number): Promise<void> {
  await database.run(sql`insert into event_positions (merchant_id, event_id, created_at)
    select merchant_id, id, created_at from events where merchant_id = ${merchantId} on conflict do nothing`)
}
