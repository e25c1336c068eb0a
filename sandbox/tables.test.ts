import { testDatabase } from '../testing/harness/database.ts'
import { catalogOf, tableMapsIn, testTableMaps } from '../testing/harness/table-maps.ts'
import { createSandboxTables } from './index.ts'

const { sql } = await testDatabase()
await createSandboxTables(sql)
testTableMaps(await tableMapsIn(import.meta.dirname), await catalogOf(sql, 'sandbox'))
