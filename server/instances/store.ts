import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineTable, integer, timestamptz } from '../../kit/runtime/table.ts'

export const instances = defineTable('instances', {
  id: bigint(),
  beats: integer(),
  /** Time by the clock of the instance. */
  clockAt: timestamptz(),
})

export type Heartbeat = RowOf<typeof instances>

/** Writes the own heartbeat and returns those of all other instances, which may have ended long ago. */
export function exchangeHeartbeats(database: Sql, own: Heartbeat): Promise<Heartbeat[]> {
  return database.many(sql`with own as (
      insert into instances (${instances.names}) values (${instances.values(own)})
      on conflict (id) do update set beats = excluded.beats, clock_at = excluded.clock_at)
    select ${instances.columns()} from instances where id <> ${own.id}`)
}

export async function deleteInstance(database: Sql, id: number): Promise<void> {
  await database.run(sql`delete from instances where id = ${id}`)
}

export function deleteInstancesBefore(database: Sql, before: Date): Promise<number> {
  return database.run(sql`delete from instances where clock_at < ${before}`)
}
