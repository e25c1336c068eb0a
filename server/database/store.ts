import type { ReserveIdBlock } from '../../kit/runtime/numeric-id-allocator.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'

const blockSize = 1000

/** Reserves the next thousand ids for this process. Unused ids are lost, which is harmless. */
export function reserveIds(database: Sql): ReserveIdBlock {
  return async () => {
    const { next_id } = await database.one<{ next_id: number }>(
      sql`update id_blocks set next_id = next_id + ${blockSize} where only_row returning next_id`,
    )
    return { first: next_id - blockSize, count: blockSize }
  }
}

/** The database's time, for comparison only: it decides nothing and is never stored. */
export async function databaseTime(database: Sql): Promise<Date> {
  return (await database.one<{ now: Date }>(sql`select clock_timestamp() as now`)).now
}
