import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { CatalogColumn, Columns, Table } from '../../kit/runtime/table.ts'

type ColumnInDatabase = Omit<CatalogColumn, 'name'> & { table: string }

/** The columns of a schema as the database has them. Names of tables outside `public` begin with the schema. */
export function catalogOf(database: Sql, schema: string): Promise<ColumnInDatabase[]> {
  return database.many(sql`select c.oid::regclass::text as table, a.attname as column,
      replace(format_type(a.atttypid, null), 'timestamp with time zone', 'timestamptz') as "sqlType",
      not a.attnotnull as "isNullable"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p') order by c.relname, a.attnum`)
}

/** Every map that the code in a folder defines. Subsets of a map are left out. */
export async function tableMapsIn(folder: string): Promise<Table<Columns>[]> {
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  const defining = files.filter((file) =>
    /\bdefine(?:Merchant)?Table\(/.test(readFileSync(join(folder, file), 'utf8')),
  )
  const modules = await Promise.all(defining.map((file) => import(join(folder, file))))
  const tables = modules.flatMap((module) => Object.values(module)).filter(isTable)
  return tables.filter(
    (table) => !tables.some((other) => other.name === table.name && size(other) > size(table)),
  )
}

const size = ({ catalog: columns }: Table<Columns>) => columns.length

function isTable(value: unknown): value is Table<Columns> {
  return typeof value === 'object' && value !== null && 'isMerchantTable' in value
}

/** Tests that these maps and the database have the same tables and columns. */
export function testTableMaps(tables: readonly Table<Columns>[], catalog: readonly ColumnInDatabase[]): void {
  const columnsByTable = Map.groupBy(catalog, ({ table }) => table)

  describe('the map of a table', () => {
    for (const table of tables)
      it(`has the columns of the database, with their types: ${table.name}`, () => {
        const sorted = (columns: readonly Omit<CatalogColumn, 'name'>[]) =>
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
        wide.filter((name) => !mapped.has(name)),
        [],
      )
    })
  })
}
