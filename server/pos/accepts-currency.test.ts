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

/** Database that fails the test if it is queried. */
const untouchable = new Proxy({} as BatchingSql, { get: () => assert.fail('the database is asked') })

before(async () => {
  await ensureDemoPos(services, merchant)
  await preloadCurrencies(services)
})

it('an accepted currency is answered from memory, synchronously', () => {
  for (const currency of ['TRY', 'USD', 'EUR']) {
    assert.equal(acceptsCurrency({ ...services, sql: untouchable }, merchant.id, currency), true)
  }
})

it('a currency is refused only after a query, so that a new POS is not missed', async () => {
  assert.equal(await acceptsCurrency(services, merchant.id, 'GBP'), false)
  const input = { name: 'Sterlin', bank: 62, connector: 'sandbox', single_rate: 10_000, currencies: ['GBP'] }
  await addPos(services, merchant, input, { secrets: {} })
  assert.equal(await acceptsCurrency(services, merchant.id, 'GBP'), true)
  const other = await createMerchant(services, { name: 'Komşu' })
  assert.equal(await acceptsCurrency(services, other.merchant.id, 'TRY'), false)
})

it('a POS that no longer accepts payments leaves the memory with the next refresh', async () => {
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

it('a POS with a connector that this program does not know does not count', async () => {
  await services.sql.run(sql`update pos_credentials set connector = 'newer' where name = 'Sterlin'`)
  await services.sql.run(sql`update pos_changes set count = count + 1`)
  await services.cache.refresh()
  assert.equal(await acceptsCurrency(services, merchant.id, 'CHF'), false)
})
