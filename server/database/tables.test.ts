import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { Columns, Table } from '../../kit/runtime/table.ts'
import { testDatabase } from '../../testing/harness/database.ts'

const server = join(import.meta.dirname, '..')
const { sql: database } = await testDatabase()

interface CatalogRow {
  table: string
  column: string
  sqlType: string
  isNullable: boolean
}

const catalog = await database.many<CatalogRow>(sql`select c.relname as table, a.attname as column,
    replace(format_type(a.atttypid, null), 'timestamp with time zone', 'timestamptz') as "sqlType",
    not a.attnotnull as "isNullable"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname, a.attnum`)
const columnsByTable = Map.groupBy(catalog, ({ table }) => table)

/** Every map that the service defines. Subsets of a map are left out. */
async function definedTables(): Promise<Table<Columns>[]> {
  const files = globSync('**/*.ts', { cwd: server }).filter((file) => !file.endsWith('.test.ts'))
  const defining = files.filter((file) =>
    /\bdefine(?:Merchant)?Table\(/.test(readFileSync(join(server, file), 'utf8')),
  )
  const modules = await Promise.all(defining.map((file) => import(join(server, file))))
  const tables = modules.flatMap((module) => Object.values(module)).filter(isTable)
  return tables.filter(
    (table) => !tables.some((other) => other.name === table.name && size(other) > size(table)),
  )
}

const size = ({ catalog: columns }: Table<Columns>) => columns.length

function isTable(value: unknown): value is Table<Columns> {
  return typeof value === 'object' && value !== null && 'isMerchantTable' in value
}

const tables = await definedTables()

describe('the map of a table', () => {
  for (const table of tables)
    it(`has the columns of the database, with their types: ${table.name}`, () => {
      const sorted = (columns: readonly Omit<CatalogRow, 'table'>[]) =>
        columns
          .map(({ column, sqlType, isNullable }) => `${column} ${sqlType}${isNullable ? '' : ' not null'}`)
          .toSorted()
      assert.deepEqual(sorted(table.catalog), sorted(columnsByTable.get(table.name) ?? []))
    })

  it('is defined once for each table', () => {
    const names = tables.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
  })

  it('exists for every table with more than two columns', () => {
    const wide = [...columnsByTable].filter(([, columns]) => columns.length > 2).map(([name]) => name)
    const mapped = new Set(tables.map(({ name }) => name))
    assert.deepEqual(
      wide.filter((name) => !mapped.has(name) && name !== 'schema_state'),
      [],
    )
  })
})

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
