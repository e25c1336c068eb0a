import assert from 'node:assert/strict'
import { it } from 'node:test'
import { join, parameter, reusableQuery, sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { createMerchant } from '../merchants/index.ts'
import type { PricedRow } from './remembered-prices.ts'
import { maxMerchants, pricedQueries, readWithPrices } from './remembered-prices.ts'
import { posOfMerchant, posSecretsOfOtherKeys, replaceSecrets } from './store.ts'

const queries = pricedQueries(
  parameter('merchantId'),
  parameter('now'),
  (columns) => reusableQuery<{ merchantId: number; now: Date }>`select ${join(columns, ', ')}
    where ${'merchantId'}::bigint is not null and ${'now'}::timestamptz is not null`,
)

/** A merchant with a POS, whose single rate is 2 %. */
async function shop() {
  const api = await testApi()
  const { services, clock } = api
  const { merchant } = await createMerchant(services, { name: 'Mağaza' })
  const run = (...words: string[]) => runTypedCommand(services, words)
  const pos = ['--bank', '62', '--connector', 'sandbox', '--single-rate', '2']
  await run('pos', 'add', String(merchant.id), '--name', 'Garanti', ...pos)
  const [added] = await posOfMerchant(services.sql, merchant.id)
  assert.ok(added)
  const { id } = added
  const forms: string[] = []
  /** State of each POS with its rate for single payments, as a request reads them. */
  const read = async (): Promise<string[]> => {
    const lookup = { merchantId: merchant.id, now: clock.now() }
    const found = await readWithPrices<PricedRow>(services, lookup, (form) => {
      forms.push(form)
      return services.sql.maybe(queries[form](lookup))
    })
    return (found?.poses ?? []).map(({ pos: { name, state }, commissions }) => {
      const rate = commissions.find(({ segment }) => segment === 'personal')?.rate ?? 0
      return `${name} ${state} ${rate / 10_000}`
    })
  }
  const takeForms = () => forms.splice(0)
  return { services, clock, merchant, run, id, pos, read, takeForms }
}

it('prices are read once, then only their version', async () => {
  const { read, takeForms } = await shop()
  assert.deepEqual(await read(), ['Garanti active 2'])
  assert.deepEqual(await read(), ['Garanti active 2'])
  assert.deepEqual(takeForms(), ['withPrices', 'withVersion'])
})

it('every change of a POS or a rate is seen by the next reading', async () => {
  const { run, id, pos, read, merchant, services, takeForms } = await shop()
  await read()
  await run('rate', 'set', String(id), '--family', 'other', '--rate', '1=3')
  assert.deepEqual(await read(), ['Garanti active 3'])
  assert.deepEqual(takeForms(), ['withPrices', 'withVersion', 'withPrices'])
  await run('pos', 'change', String(id), '--state', 'off')
  assert.deepEqual(await read(), ['Garanti off 3'])
  await run('pos', 'add', String(merchant.id), '--name', 'Yapı Kredi', ...pos)
  assert.deepEqual(await read(), ['Garanti off 3', 'Yapı Kredi active 2'])
  const [held] = await posSecretsOfOtherKeys(services.sql, 'another key', 0)
  assert.ok(held)
  await replaceSecrets(services.sql, held, { bytes: held.secrets, keyId: held.secretsKeyId })
  takeForms()
  await read()
  assert.deepEqual(takeForms(), ['withVersion', 'withPrices'])
})

it('a rate that begins later is used from its first moment on', async () => {
  const { run, id, read, clock } = await shop()
  const from = new Date(clock.now().getTime() + 3_000)
  await run('rate', 'set', String(id), '--family', 'other', '--rate', '1=4', '--from', from.toISOString())
  assert.deepEqual(await read(), ['Garanti active 2'])
  clock.advance(2_999)
  assert.deepEqual(await read(), ['Garanti active 2'])
  clock.advance(1)
  assert.deepEqual(await read(), ['Garanti active 4'])
})

it('a rate that an older program wrote is used after five seconds', async () => {
  const { read, clock, services, id, takeForms } = await shop()
  await read()
  await services.sql.run(sql`insert into commission_rates
    select (jsonb_populate_record(r, jsonb_build_object('id', r.id + 1000, 'rate', '5', 'revision', r.revision + 1))).*
    from commission_rates r where r.pos_id = ${id}`)
  clock.advance(5_000)
  assert.deepEqual(await read(), ['Garanti active 5'])
  assert.deepEqual(takeForms(), ['withPrices', 'withPrices'])
})

it('prices of a clock that goes back are read again', async () => {
  const { read, clock, takeForms } = await shop()
  await read()
  clock.advance(-1)
  assert.deepEqual(await read(), ['Garanti active 0'], 'no rate is valid yet')
  assert.deepEqual(takeForms(), ['withPrices', 'withPrices'])
})

it('beyond the limit, the prices that were read longest ago are dropped', async () => {
  const { services, clock } = await shop()
  const forms: string[] = []
  const readOf = (merchantId: number) =>
    readWithPrices<PricedRow>(services, { merchantId, now: clock.now() }, async (form) => {
      forms.push(form)
      return { posVersion: '1', ...(form === 'withPrices' && { poses: [], nextPriceAt: null }) }
    })
  for (let merchantId = 0; merchantId <= maxMerchants; merchantId++) await readOf(merchantId)
  forms.length = 0
  await readOf(1)
  await readOf(maxMerchants)
  await readOf(0)
  assert.deepEqual(forms, ['withVersion', 'withVersion', 'withPrices'])
})
