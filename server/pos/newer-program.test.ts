import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
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
  await database.run(sql`insert into commission_rates
    select merchant_id, id + 1000000, pos_id, 'neo', segment, installment, rate, commission_by, valid_from, revision, created_at
    from commission_rates where family = 'bonus'`)
  const { status, json } = await backendOf(api).json(url, {})
  assert.deepEqual([status, json], [200, all])
  assert.match(await run('offer', '--bin', '40430800', '--amount', '10000'), /\n12 .*Deneme Bonus POS/)
})

it('a card of an unknown family counts as a card without a family', async () => {
  await database.run(sql`insert into bin_tables (id, source, as_of, row_count, imported_at)
    values (5, 'newer', '2026-11-15', 1, '2026-11-15T09:30:00Z')`)
  await database.run(sql`insert into bin_kinds (table_id, id, bank_code, bank_name, brand, type, family, segment, country,
    prepaid) values (5, 0, 62, 'Garanti BBVA', 'visa', 'credit', 'neo', 'personal', 'TR', false)`)
  await database.run(sql`insert into bins (table_id, prefix, kind_id) values (5, 404308, 0)`)
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
