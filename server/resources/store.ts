import type { Query, Sql } from '../../kit/runtime/sql.ts'
import { raw, reusableQuery, sql } from '../../kit/runtime/sql.ts'
import type { Column, RowOf, Table } from '../../kit/runtime/table.ts'
import type { BatchingSql, BatchQueryParameters } from '../database/batching-sql.ts'
import { batchQuery } from '../database/batching-sql.ts'
import { insertQuery } from '../database/combined-write.sql.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { RecordSearch } from '../database/record-search.ts'
import { searchNewestFirst } from '../database/record-search.ts'
import type { ResourceRecord, resourceColumns } from './record.ts'

/** Map of a table with the columns of every resource. */
export type ResourceTable = Table<typeof resourceColumns & Record<keyof OwnedId, Column<number>>>

export type ResourceStore<Stored extends ResourceRecord> = ReturnType<typeof resourceStore<Stored>>

/** The SQL of a resource. `searchVector` gives the searchable words of a record. */
export function resourceStore<Stored extends ResourceRecord>(
  ofResource: Pick<ResourceTable, 'name' | 'map'>,
  searchVector: (record: Stored) => string,
) {
  // The map has the resource's own columns too, so the rows of these subsets are whole records.
  const table = ofResource as ResourceTable
  const shown = table.omit('words', 'deletedAt') as Pick<ResourceTable, 'name' | 'packed'> & {
    unpack(packed: readonly unknown[]): Stored
  }
  const inserted = table.omit('merchantId', 'deletedAt')
  const changeable = inserted.omit('id', 'createdAt')

  const selectOne = reusableQuery<OwnedId>`select ${shown.packed()} as packed from ${raw(table.name)}
    where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null`
  const selectForUpdate = reusableQuery<OwnedId>`select ${shown.packed()} as packed from ${raw(table.name)}
    where merchant_id = ${'merchantId'} and id = ${'id'} and deleted_at is null for update`
  const insertJson = reusableQuery<BatchQueryParameters>`insert into ${raw(table.name)} (merchant_id, ${inserted.names})
    select ${'merchantId'}::bigint, ${inserted.recordsetNames()}
    from json_to_recordset(${'rows'}::json) as ${inserted.recordset('given')}
    returning id`
  const whole = table.omit('deletedAt')
  const insertRows = batchQuery<RowOf<typeof whole>>(insertJson, (database, rows) =>
    database.many(sql`${insertQuery(whole.insert(rows))} returning id`),
  )

  const readOne = async (database: Sql, query: Query) => {
    const row = await database.maybe<{ packed: unknown[] }>(query)
    return row && shown.unpack(row.packed)
  }
  return {
    byId: (database: Sql, merchantId: number, id: number) => readOne(database, selectOne({ merchantId, id })),

    /** The record, locked against other changes until the transaction ends. */
    forUpdate: (database: Sql, merchantId: number, id: number) =>
      readOne(database, selectForUpdate({ merchantId, id })),

    async insert(database: BatchingSql, record: Stored): Promise<void> {
      const done = await database.batch(insertRows, { ...record, words: searchVector(record) })
      if (!done) throw new Error(`the row ${record.id} of ${table.name} was not written`)
    },

    /** Writes a record that `forUpdate` locked. */
    async update(database: Sql, record: Stored): Promise<void> {
      const row = { ...record, words: searchVector(record) }
      await database.run(sql`update ${raw(table.name)} set ${changeable.assignments(row)}
        where merchant_id = ${record.merchantId} and id = ${record.id}`)
    },

    /** Hides a record that is not hidden yet. Returns true if there was one. */
    async softDelete(database: Sql, merchantId: number, id: number, now: Date): Promise<boolean> {
      const count = await database.run(sql`update ${raw(table.name)} set deleted_at = ${now}, words = ''
        where merchant_id = ${merchantId} and id = ${id} and deleted_at is null`)
      return count === 1
    },

    search: (database: Sql, search: Omit<RecordSearch<Stored>, 'table'>) =>
      searchNewestFirst(database, { ...search, table: shown }),
  }
}
