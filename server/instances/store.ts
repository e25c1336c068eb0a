import type { DueJob } from '../../kit/runtime/job.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { join, sql } from '../../kit/runtime/sql.ts'
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

/**
 * Takes the lease of a name until a time, unless it is taken. Guarantee: of several instances that ask at the
 * same time, one gets it. A lease that ends after `latest` was taken by a clock that is ahead, and does not count.
 */
export async function claimLease(
  database: Sql,
  name: string,
  { now, until, latest }: { now: Date; until: Date; latest: Date },
): Promise<boolean> {
  const claimed = await database.run(sql`update job_leases set ends_at = ${until}
    where name = ${name} and (ends_at <= ${now} or ends_at > ${latest})`)
  return claimed === 1
}

/** Takes the lease of a name until a time, even if it is taken. */
export async function takeLease(database: Sql, name: string, until: Date): Promise<void> {
  await database.run(sql`insert into job_leases (name, ends_at) values (${name}, ${until})
    on conflict (name) do update set ends_at = excluded.ends_at`)
}

/** Makes a lease end at a time, if it would end later. */
export async function endLeaseAt(database: Sql, name: string, at: Date): Promise<void> {
  await database.run(sql`update job_leases set ends_at = ${at} where name = ${name} and ends_at > ${at}`)
}

/** Earliest due time of each job with anything that is due until a time, by its name. */
export async function earliestDueTimes<Services>(
  database: Sql,
  jobs: readonly DueJob<Services>[],
  until: Date,
): Promise<Map<string, Date>> {
  const parts = jobs.map(
    ({ name, due }) => sql`select merchant_id, ${name}::text as name, due_at from (${due(until)}) as of_job`,
  )
  const rows = await database.many<{ name: string; dueAt: Date }>(
    sql`select name, min(due_at) as "dueAt" from (${join(parts, ' union all ')}) as due group by name`,
  )
  return new Map(rows.map(({ name, dueAt }) => [name, dueAt]))
}
