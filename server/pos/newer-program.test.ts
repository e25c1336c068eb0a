import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { seed } from '../../testing/seed/seed.ts'
import { bins, binTables } from '../bins/bin-table.ts'
import { binKinds } from '../bins/card.ts'
import { commissionRates } from './commission.ts'
import { ensureDemoPos } from './demo-pos.ts'

// Two neighbouring versions run on one database, so rows can have values that this program does not know yet.

const api = await testApi()
const { sql: database } = api.services
const run = (...words: string[]) => runTypedCommand(api.services, words)
const url = '/v1/pos/commissions'

before(() => ensureDemoPos(api.services, api.merchant))

it('rates of an unknown family are left out, and the others are listed', async () => {
  const { json: all } = await backendOf(api).json(url, {})
  await database.run(sql`update pos_credentials set families = families || '{neo}'::text[]`)
  const copied = commissionRates.omit('id', 'family').names
  await database.run(sql`insert into commission_rates (id, family, ${copied})
    select id + 1000000, 'neo', ${copied} from commission_rates where family = 'bonus'`)
  const { status, json } = await backendOf(api).json(url, {})
  assert.deepEqual([status, json], [200, all])
  assert.match(await run('offer', '--bin', '40430800', '--amount', '10000'), /\n12 .*Deneme Bonus POS/)
})

it('a card of an unknown family counts as a card without a family', async () => {
  const importedAt = api.clock.now()
  const kind = { bankCode: 62, bankName: 'Garanti BBVA', brand: 'visa', type: 'credit' } as const
  await seed(database, binTables, [{ id: 5, source: 'newer', asOf: '2026-11-15', rowCount: 1, importedAt }])
  await seed(database, binKinds, [
    { tableId: 5, id: 0, ...kind, segment: 'personal', country: 'TR', prepaid: false },
  ])
  await database.run(sql`update bin_kinds set family = 'neo' where table_id = 5`)
  await seed(database, bins, [{ tableId: 5, prefix: 404308, kindId: 0 }])
  await database.run(sql`update active_bin_table set table_id = 5`)
  await api.services.cache.refresh()
  assert.match(
    await run('offer', '--bin', '40430800', '--amount', '10000'),
    /visa, credit, no family.*\n1 [^\n]*$/s,
  )
  await database.run(sql`update active_bin_table set table_id = null`)
  await api.services.cache.refresh()
})

it('a POS with an unknown connector accepts no payment', async () => {
  await database.run(sql`update pos_credentials set connector = 'newer' where families @> '{bonus}'`)
  const offered = await run('offer', '--bin', '40430800', '--amount', '10000')
  assert.match(offered, /\n1 .*Deneme World POS/)
  assert.doesNotMatch(offered, /Deneme Bonus POS/)
})
