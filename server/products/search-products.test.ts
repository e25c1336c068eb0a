import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customers } from '../../testing/resources/customers.ts'
import { acceptEnglish, openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'
import { searchAmong, testSearch } from '../../testing/resources/search.ts'

const fixture = await openResourceFixture(products)
const { backend, search, allFind } = await searchAmong(fixture, {
  turk: { product_name: 'Türk kahvesi, 250 g', price: 18990, description: 'Taze çekilmiş, orta kavrulmuş.' },
  cay: { product_name: 'IHLAMUR ÇAYI', price: 1899, description: 'Kurutulmuş yaprak.' },
  fincan: { product_name: 'Kahve fincanı', price: 18990, currency_code: 'EUR' },
  sise: {
    product_name: 'Şişe (1 litre)',
    price: 250,
    currency_code: 'usd',
    description: 'Cam; kahve için değil.',
  },
})

testSearch(fixture)

describe('200, products', () => {
  it('a name is found by prefixes of its words, in any case and with or without Turkish letters', async () => {
    await allFind('cay', 'product_name', [
      'ihlamur',
      'ıhlamur',
      'IHLAMUR',
      'İhlamur',
      'cay',
      'ÇAYI',
      'çayi ihla',
    ])
    await allFind('sise', 'product_name', ['sise', 'ŞİŞE', 'şişe', 'SISE', '1', 'litre sise'])
    await allFind('turk fincan', 'product_name', ['kahve', 'KAHVE'])
    await allFind('', 'product_name', ['ahve', 'lamur', 'kahve cay', 'taze'])
  })

  it('q searches name and description, each of its words in either', async () => {
    await allFind('turk fincan sise', 'q', ['kahve'])
    await allFind('turk', 'q', ['cekilmis', 'turk taze', '250 orta'])
    await allFind('', 'q', ['TRY', '18990', 'turk yaprak'])
  })

  it('price and currency must match as a whole', async () => {
    await allFind('turk fincan', 'price', ['18990'])
    await allFind('cay', 'price', ['1899'])
    await allFind('', 'price', ['189'])
    await allFind('turk cay', 'currency_code', ['TRY', 'try'])
    await allFind('sise', 'currency_code', ['USD'])
    await allFind('turk cay fincan sise', 'price', ['', ' '])
    assert.deepEqual(await search({ price: '18990', currency_code: 'EUR' }), ['fincan'])
    assert.deepEqual(await search({ price: '18990', product_name: 'turk', q: 'taze' }), ['turk'])
  })

  it('customers are not found', async () => {
    const body = { ...customers.least, name: 'Ihlamur' }
    assert.equal((await backend.json(customers.path, body)).status, 200)
    await allFind('cay', 'q', ['ihlamur'])
  })
})

describe('422, products', () => {
  it('a price must have the right format', async () => {
    for (const price of ['0', 'x', '100000000000']) {
      const { json } = await backend.get(`${products.path}/search?price=${price}`, acceptEnglish)
      assert.deepEqual([json.error_code, Object.keys(json.errors)], [901, ['price']], price)
    }
  })
})
