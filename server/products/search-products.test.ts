import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customers } from '../../testing/resources/customers.ts'
import { acceptEnglish, anotherBackend, openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'
import { testSearch } from '../../testing/resources/search.ts'

const fixture = await openResourceFixture(products)
const backend = await anotherBackend(fixture.api)
const url = '/v1/products/search'

const goods = [
  { product_name: 'Türk kahvesi, 250 g', price: 18990, description: 'Taze çekilmiş, orta kavrulmuş.' },
  { product_name: 'IHLAMUR ÇAYI', price: 1899, description: 'Kurutulmuş yaprak.' },
  { product_name: 'Kahve fincanı', price: 18990, currency_code: 'EUR' },
  { product_name: 'Şişe (1 litre)', price: 250, currency_code: 'usd', description: 'Cam; kahve için değil.' },
]
for (const product of goods) assert.equal((await backend.json(products.path, product)).status, 200)

/** Positions of the found products in the list of goods, in ascending order. */
async function search(filters: Record<string, string>): Promise<number[]> {
  const answer = await backend.get(`${url}?${new URLSearchParams(filters)}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['x-total-count'], String(answer.json.length))
  const positions = answer.json.map((product: { product_name: string }) =>
    goods.findIndex(({ product_name }) => product_name === product.product_name),
  )
  return positions.toReversed()
}

async function allFind(positions: number[], filter: string, values: readonly string[]): Promise<void> {
  for (const value of values)
    assert.deepEqual(await search({ [filter]: value }), positions, `${filter}=${value}`)
}

testSearch(fixture)

describe('200, products', () => {
  it('a name is found by prefixes of its words, in any case and with or without Turkish letters', async () => {
    await allFind([1], 'product_name', [
      'ihlamur',
      'ıhlamur',
      'IHLAMUR',
      'İhlamur',
      'cay',
      'ÇAYI',
      'çayi ihla',
    ])
    await allFind([3], 'product_name', ['sise', 'ŞİŞE', 'şişe', 'SISE', '1', 'litre sise'])
    await allFind([0, 2], 'product_name', ['kahve', 'KAHVE'])
    await allFind([], 'product_name', ['ahve', 'lamur', 'kahve cay', 'taze'])
  })

  it('q searches name and description, each of its words in either', async () => {
    await allFind([0, 2, 3], 'q', ['kahve'])
    await allFind([0], 'q', ['cekilmis', 'turk taze', '250 orta'])
    await allFind([], 'q', ['TRY', '18990', 'turk yaprak'])
  })

  it('price and currency must match as a whole', async () => {
    await allFind([0, 2], 'price', ['18990'])
    await allFind([1], 'price', ['1899'])
    await allFind([], 'price', ['189'])
    await allFind([0, 1], 'currency_code', ['TRY', 'try'])
    await allFind([3], 'currency_code', ['USD'])
    await allFind([0, 1, 2, 3], 'price', ['', ' '])
    assert.deepEqual(await search({ price: '18990', currency_code: 'EUR' }), [2])
    assert.deepEqual(await search({ price: '18990', product_name: 'turk', q: 'taze' }), [0])
  })

  it('customers are not found', async () => {
    const body = { ...customers.least, name: 'Ihlamur' }
    assert.equal((await backend.json(customers.path, body)).status, 200)
    await allFind([1], 'q', ['ihlamur'])
  })
})

describe('422, products', () => {
  it('a price must have the right format', async () => {
    for (const price of ['0', 'x', '100000000000']) {
      const { json } = await backend.get(`${url}?price=${price}`, acceptEnglish)
      assert.deepEqual([json.error_code, Object.keys(json.errors)], [901, ['price']], price)
    }
  })
})
