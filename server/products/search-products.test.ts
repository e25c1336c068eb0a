import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseUnavailable, sql } from '../kit/sql.ts'
import type { TestApi } from '../testing/api.ts'
import { testApi } from '../testing/api.ts'
import { backendOf, nextOf } from '../testing/backend.ts'

const env = { RATE_LIMIT_PER_SECOND: '0' }
const api = await testApi({ env })
const backend = backendOf(api)
const url = '/v1/products/search'

const goods = [
  { product_name: 'Türk kahvesi, 250 g', price: 18990, description: 'Taze çekilmiş, orta kavrulmuş.' },
  { product_name: 'IHLAMUR ÇAYI', price: 1899, description: 'Kurutulmuş yaprak.' },
  { product_name: 'Kahve fincanı', price: 18990, currency_code: 'EUR' },
  { product_name: 'Şişe (1 litre)', price: 250, currency_code: 'usd', description: 'Cam; kahve için değil.' },
]
for (const product of goods) assert.equal((await backend.json('/v1/products', product)).status, 200)

/** What is found, by its place in the list of goods, in that order. */
async function found(filters: Record<string, string>): Promise<number[]> {
  const answer = await backend.get(`${url}?${new URLSearchParams(filters)}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['x-total-count'], String(answer.json.length))
  const places = answer.json.map((product: { product_name: string }) =>
    goods.findIndex(({ product_name }) => product_name === product.product_name),
  )
  return places.toReversed()
}

async function allFind(places: number[], filter: string, values: readonly string[]): Promise<void> {
  for (const value of values) assert.deepEqual(await found({ [filter]: value }), places, `${filter}=${value}`)
}

/** A merchant of its own with so many products, all alike but for their ids, made within one millisecond. */
async function shelfOf(size: number): Promise<TestApi> {
  const shelf = await testApi({ env, database: api.database })
  const { json } = await backendOf(shelf).json('/v1/products', goods[0])
  await shelf.services.sql.run(sql`insert into products select merchant_id, id + 10000000000000 + number,
      product_name, price, currency_code, quantity, description, product_image, system_id, metadata, changes,
      words, created_at, updated_at, deleted_at
    from products, generate_series(1, ${size - 1}::int) as number where id = ${json.id}`)
  return shelf
}

describe('200', () => {
  it('without a filter everything is found, newest first, as products are read', async () => {
    const answer = await backend.get(url)
    assert.deepEqual(
      answer.json.map(({ product_name }: { product_name: string }) => product_name),
      goods.map(({ product_name }) => product_name).toReversed(),
    )
    assert.deepEqual([answer.headers['x-total-count'], answer.headers['link']], ['4', undefined])
    const [bottle] = answer.json
    assert.deepEqual((await backend.get(`/v1/products/${bottle.id}`)).json, bottle)
  })

  it('a name is found by the beginnings of its words, whatever their case or Turkish letters', async () => {
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

  it('q looks in name and description, for each of its words in either', async () => {
    await allFind([0, 2, 3], 'q', ['kahve'])
    await allFind([0], 'q', ['cekilmis', 'turk taze', '250 orta'])
    await allFind([], 'q', ['TRY', '18990', 'turk yaprak'])
  })

  it('price and currency are compared as a whole', async () => {
    await allFind([0, 2], 'price', ['18990'])
    await allFind([1], 'price', ['1899'])
    await allFind([], 'price', ['189'])
    await allFind([0, 1], 'currency_code', ['TRY', 'try'])
    await allFind([3], 'currency_code', ['USD'])
    assert.deepEqual(await found({ price: '18990', currency_code: 'EUR' }), [2])
    assert.deepEqual(await found({ price: '18990', product_name: 'turk', q: 'taze' }), [0])
  })

  it('a filter without a word in it finds nothing, one without anything in it is none, no match is []', async () => {
    await allFind([], 'q', ['!', '…'])
    await allFind([], 'product_name', ['(', '-'])
    assert.equal((await found({ product_name: ' ', price: '', q: '' })).length, 4)
    assert.equal((await backend.get(`${url}?q=nothing`)).text, '[]')
  })

  it('nothing of another merchant is found, and no customer', async () => {
    const stranger = backendOf(await testApi({ env, database: api.database }))
    const ayse = { name: 'Kahve', lastname: 'Kahve', email: 'kahve@example.com', phone: '+905321234567' }
    await stranger.json('/v1/customers', ayse)
    for (const query of ['', '?q=kahve', '?currency_code=TRY', '?price=18990']) {
      assert.deepEqual((await stranger.get(url + query)).json, [], query)
    }
  })

  it('days are of the merchant’s calendar, and an instant includes the second that it names', async () => {
    const timed = await testApi({ env })
    const own = backendOf(timed)
    const moments = ['2026-11-15T20:59:59.999Z', '2026-11-15T21:00:00.000Z', '2026-11-16T21:00:00.999Z']
    for (const moment of moments) {
      timed.clock.advance(Date.parse(moment) - timed.clock.now().getTime())
      await own.json('/v1/products', { product_name: moment, price: 1 })
    }
    const count = async (query: string) => (await own.get(`${url}?${query}`)).headers['x-total-count']
    assert.equal(await count('created_from=2026-11-16'), '2')
    assert.equal(await count('created_to=2026-11-15'), '1')
    assert.equal(await count('created_from=2026-11-16&created_to=2026-11-16'), '1')
    assert.equal(await count('created_to=2026-11-17T00:00:00+03:00'), '3')
    assert.equal(
      await count('created_to=2026-11-17T00:00:00.000Z&created_from=2026-11-17T00:00:00%2B03:00'),
      '1',
    )
  })
})

describe('200, page by page', () => {
  it('a page has 20 unless asked otherwise, and the link leads to the next with the same filters', async () => {
    const own = backendOf(await shelfOf(45))
    const sizes: number[] = []
    for await (const page of own.pages(`${url}?q=t%C3%BCrk&price=18990`)) sizes.push(page.json.length)
    assert.deepEqual(sizes, [20, 20, 5])
    assert.equal((await own.get(`${url}?per_page=100`)).json.length, 45)
    const first = await own.get(`${url}?per_page=1&q=t%C3%BCrk`)
    assert.match(
      String(first.headers['link']),
      /^<http:\/\/localhost:4242\/v1\/products\/search\?[!-~]+>; rel="next"$/,
    )
    assert.equal(new URLSearchParams(nextOf(first)?.split('?')[1]).get('q'), 'türk')
  })

  it('what stays is on the pages exactly once, while others come and go', async () => {
    const shelf = await shelfOf(30)
    const own = backendOf(shelf)
    const all: number[] = (await own.get(`${url}?per_page=100`)).json.map(({ id }: { id: number }) => id)
    const gone = new Set<number>()
    const seen: number[] = []
    for await (const page of own.pages(`${url}?per_page=4`)) {
      seen.push(...page.json.map(({ id }: { id: number }) => id))
      shelf.clock.advance(1)
      await own.json('/v1/products', goods[0])
      for (const id of [seen.at(-1), all.at(-1 - gone.size)]) {
        if (id === undefined || gone.has(id)) continue
        await own.delete(`/v1/products/${id}`)
        gone.add(id)
      }
    }
    assert.equal(new Set(seen).size, seen.length, 'nothing twice')
    const left = all.filter((id) => !gone.has(id)).filter((id) => !seen.includes(id))
    assert.deepEqual(left, [], 'nothing is left out')
    assert.ok(seen.every((id) => all.includes(id)))
  })

  it('the count is exact up to 1000, and 1000+ above', async () => {
    const own = backendOf(await shelfOf(1001))
    const counts = async () => {
      const answers = await Promise.all(['', '?q=turk', '?price=18990'].map((query) => own.get(url + query)))
      return answers.map(({ headers }) => headers['x-total-count'])
    }
    assert.deepEqual(await counts(), ['1000+', '1000+', '1000+'])
    const [newest] = (await own.get(`${url}?per_page=1`)).json
    await own.delete(`/v1/products/${newest.id}`)
    assert.deepEqual(await counts(), ['1000', '1000', '1000'])
  })
})

describe('401', () => {
  it('without a token nothing is found', async () => {
    const answer = await api.call({ url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key finds nothing', async () => {
    const answer = await api.call({ url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  const faults = async (query: string): Promise<Record<string, string[]>> => {
    const answer = await backend.get(`${url}?${query}`, { 'accept-language': 'en' })
    assert.equal(answer.status, 422, query)
    assert.equal(answer.json.error_code, 901)
    return answer.json.errors
  }

  it('an unknown filter is refused by its name, together with all other faults', async () => {
    const names = 'q, product_name, currency_code, price, created_from, created_to, after, per_page'
    const unknown = [`There is no such filter. There are: ${names}.`]
    assert.deepEqual(await faults('prcie=1'), { prcie: unknown })
    assert.deepEqual(await faults('description=x&name=y'), { description: unknown, name: unknown })
    assert.deepEqual(Object.keys(await faults('per_page=101&x=a&currency_code=JPY&price=1.0')), [
      'currency_code',
      'price',
      'per_page',
      'x',
    ])
  })

  it('ten words are enough for all filters together', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join('%20')
    assert.deepEqual(Object.keys(await faults(`q=${words(11)}`)), ['q'])
    assert.deepEqual(Object.keys(await faults(`q=${words(8)}&product_name=${words(3)}`)), ['product_name'])
    assert.equal((await backend.get(`${url}?q=${words(7)}&product_name=${words(3)}`)).status, 200)
  })

  it('price, per_page, times and cursor keep to their form', async () => {
    const wrong = ['price=0', 'price=x', 'price=100000000000', 'per_page=0', 'per_page=x', 'after=x']
    const times = ['created_from=2026-02-30', 'created_to=2026-11-15T09:30:00', 'created_to=x']
    for (const query of [...wrong, ...times]) {
      assert.deepEqual(Object.keys(await faults(query)), query.split('=', 1), query)
    }
  })
})

it('searches have connections of their own: when none is left, everything else goes on', async () => {
  const other = await testApi({ env })
  const shop = backendOf(other)
  const { json } = await shop.json('/v1/products', goods[0] ?? {})
  const none = async () => {
    throw new DatabaseUnavailable('timeout exceeded when trying to connect')
  }
  other.services.searches = { many: none, one: none, maybe: none, run: none, gather: none, transaction: none }
  const answer = await shop.get(`${url}?q=kahve`)
  assert.deepEqual([answer.status, answer.json.error_code, answer.headers['retry-after']], [503, 991, '2'])
  assert.equal((await shop.get(`/v1/products/${json.id}`)).status, 200)
})
