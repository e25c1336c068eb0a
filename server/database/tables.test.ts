import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { catalogOf, tableMapsIn, testTableMaps } from '../../testing/harness/table-maps.ts'

const { sql: database } = await testDatabase()
const catalog = await catalogOf(database, 'public')
const tables = await tableMapsIn(join(import.meta.dirname, '..'))

testTableMaps(
  tables,
  catalog.filter(({ table }) => table !== 'schema_state'),
)

describe('a table of merchants', () => {
  it('begins its primary key with merchant_id, and its map says so', async () => {
    const keys = await database.many<{
      table: string
      first: string
    }>(sql`select c.relname as table, a.attname as first
      from pg_index i join pg_class c on c.oid = i.indrelid
        join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indisprimary and c.relnamespace = 'public'::regnamespace`)
    const withMerchant = new Set(
      catalog.flatMap(({ table, column }) => (column === 'merchant_id' ? [table] : [])),
    )
    for (const { table, first } of keys) assert.equal(first === 'merchant_id', withMerchant.has(table), table)
    for (const { name, isMerchantTable } of tables)
      assert.equal(isMerchantTable, withMerchant.has(name), name)
  })
})
