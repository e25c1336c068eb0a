import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'

/** Heartbeat of an instance, with the time of its own clock. */
export interface Heartbeat {
  id: number
  beats: number
  clockAt: Date
}

/** Writes the own heartbeat and returns those of all other instances, which may have ended long ago. */
export function exchangeHeartbeats(database: Sql, { id, beats, clockAt }: Heartbeat): Promise<Heartbeat[]> {
  return database.many(sql`with own as (
      insert into instances (id, beats, clock_at) values (${id}, ${beats}, ${clockAt})
      on conflict (id) do update set beats = excluded.beats, clock_at = excluded.clock_at)
    select id, beats, clock_at as "clockAt" from instances where id <> ${id}`)
}

/** Deletes the row of an instance that ends. */
export async function deleteInstance(database: Sql, id: number): Promise<void> {
  await database.run(sql`delete from instances where id = ${id}`)
}

/** Deletes instances whose last heartbeat is before a time. Returns their number. */
export function deleteInstancesBefore(database: Sql, before: Date): Promise<number> {
  return database.run(sql`delete from instances where clock_at < ${before}`)
}
