import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testDatabase } from '../../testing/harness/database.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import type { CardKind } from './card.ts'
import { activateTable, activeTableId, insertTable, readTable } from './store.ts'

const { sql: database } = await testDatabase()

async function insert(id: number, count: number): Promise<void> {
  const kind: CardKind = {
    bankCode: 62,
    bankName: 'Garanti BBVA',
    brand: 'visa',
    type: 'credit',
    family: null,
    segment: 'personal',
    country: 'TR',
    prepaid: false,
  }
  const rows = new Map(Array.from({ length: count }, (_, index) => [10_000_000 + index, kind]))
  const table = { id, source: 'test', asOf: '2026-11-15', rowCount: count, importedAt: new Date(0) }
  await insertTable(database, table, rows)
}

it('reading a table that is replaced meanwhile throws, and never returns a part', async () => {
  await insert(1, 50_000)
  await activateTable(database, 1, 0)
  assert.equal((await readTable(database, 1)).rows.size, 50_000)
  let pages = 0
  const meddled = sqlWith(database, {
    one: async (query) => {
      pages += 1
      if (pages === 2) {
        await insert(2, 10)
        await activateTable(database, 2, 1)
      }
      return database.one(query)
    },
  })
  await assert.rejects(readTable(meddled, 1), /replaced while it was read/)
  await assert.rejects(readTable(database, 1), /replaced while it was read/)
  assert.equal(await activeTableId(database), 2)
  assert.equal((await readTable(database, 2)).rows.size, 10)
})
