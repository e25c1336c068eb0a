import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import type { BatchingSql } from '../database/batching-sql.ts'
import { createMerchant } from '../merchants/index.ts'
import { acceptsCurrency, preloadCurrencies } from './accepts-currency.ts'
import { addPos } from './add-pos.ts'
import { changePos } from './change-pos.ts'
import { ensureDemoPos } from './demo-pos.ts'
import { posOfMerchant } from './store.ts'

const { services, merchant } = await testApi()

/** A database that must not be asked. */
const untouchable = new Proxy({} as BatchingSql, { get: () => assert.fail('the database is asked') })

before(async () => {
  await ensureDemoPos(services, merchant)
  await preloadCurrencies(services)
})

it('yes is said from memory, at once', () => {
  for (const currency of ['TRY', 'USD', 'EUR']) {
    assert.equal(acceptsCurrency({ ...services, sql: untouchable }, merchant.id, currency), true)
  }
})

it('no is said after the database was asked, so that a POS that was just added is not missed', async () => {
  assert.equal(await acceptsCurrency(services, merchant.id, 'GBP'), false)
  const input = { name: 'Sterlin', bank: 62, connector: 'sandbox', single_rate: 10_000, currencies: ['GBP'] }
  await addPos(services, merchant, input, { secrets: {} })
  assert.equal(await acceptsCurrency(services, merchant.id, 'GBP'), true)
  const other = await createMerchant(services, { name: 'Komşu' })
  assert.equal(await acceptsCurrency(services, other.merchant.id, 'TRY'), false)
})

it('a POS that takes nothing new any more is out of memory by the next look', async () => {
  await services.cache.refresh()
  assert.equal(acceptsCurrency(services, merchant.id, 'GBP'), true)
  const pos = (await posOfMerchant(services.sql, merchant.id)).find(({ name }) => name === 'Sterlin')
  for (const state of ['refund_only', 'off'] as const) {
    await changePos(services, { pos: pos?.id ?? 0, state }, undefined)
    await services.cache.refresh()
    assert.equal(await acceptsCurrency(services, merchant.id, 'GBP'), false)
  }
  await changePos(services, { pos: pos?.id ?? 0, state: 'active', currencies: ['CHF'] }, undefined)
  await services.cache.refresh()
  assert.equal(await acceptsCurrency(services, merchant.id, 'GBP'), false)
  assert.equal(acceptsCurrency(services, merchant.id, 'CHF'), true)
})

it('a POS whose connector only a newer program has counts for nothing', async () => {
  await services.sql.run(sql`update pos_credentials set connector = 'newer' where name = 'Sterlin'`)
  await services.sql.run(sql`update pos_changes set count = count + 1`)
  await services.cache.refresh()
  assert.equal(await acceptsCurrency(services, merchant.id, 'CHF'), false)
})
