import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testCreate } from '../../testing/resources/create.ts'
import { acceptEnglish, anotherBackend, openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'

const fixture = await openResourceFixture(products)
const { api, backend, create } = fixture
const { path, least } = products
const created = async (more: object) => (await create({ ...least, ...more })).record
const faults = (more: object) => fixture.faults(path, { ...least, ...more })

testCreate(fixture)

describe('200, a product', () => {
  it('name and price are enough: the currency is the merchant’s, the rest is null or empty', async () => {
    const { json } = await backend.form(path, { product_name: 'Çay', price: '1' })
    const { currency_code, description, product_image, metadata, quantity, system_id } = json
    assert.deepEqual([currency_code, quantity, system_id], ['TRY', 1, 1])
    assert.deepEqual([description, product_image, metadata], [null, null, []])
    const abroad = await anotherBackend(api, { currency: 'EUR' })
    assert.equal((await abroad.json(path, least)).json.currency_code, 'EUR')
  })

  it('the smallest and the largest price are exact and shown with a comma', async () => {
    const shown = async (price: number) => {
      const made = await created({ price })
      return [made.price, made.formatted_price]
    }
    assert.deepEqual(await shown(1), [1, '0,01'])
    assert.deepEqual(await shown(1000), [1000, '10,00'])
    assert.deepEqual(await shown(99_999_999_999), [99_999_999_999, '999999999,99'])
  })

  it('a currency is accepted in any case and returned in upper case', async () => {
    assert.equal((await created({ currency_code: 'usd' })).currency_code, 'USD')
  })
})

describe('422, a product', () => {
  it('a price must be a whole number of minor units, digits only, from 1 to 99999999999', async () => {
    const digits = {
      price: ['Must be a whole number in the minor unit, written with digits only: 1250 for 12.50.'],
    }
    for (const price of ['12.0', '1e3', ' 12 ', '+12', '012', '12,50', 'on', 1.5, true]) {
      assert.deepEqual(await faults({ price }), digits, String(price))
    }
    for (const price of [0, -1, 100_000_000_000, '0', '-5', '9'.repeat(30)]) {
      assert.deepEqual(await faults({ price }), { price: ['Must be between 1 and 99999999999.'] })
    }
    const body = '{"product_name":"a","price":10.0}'
    const headers = { 'content-type': 'application/json', ...acceptEnglish }
    assert.deepEqual((await backend.send({ method: 'POST', url: path, body, headers })).json.errors, digits)
  })

  it('a currency must be in ISO 4217 and have two decimals', async () => {
    for (const currency_code of ['JPY', 'KWD', 'TRL', 'XAU', 'TL', 'AAA', '₺', 'ßP']) {
      assert.match(String((await faults({ currency_code }))['currency_code']), /ISO 4217/, currency_code)
    }
  })
})
