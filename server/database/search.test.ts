import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { nextPagePath } from '../../testing/harness/backend.ts'
import { customers } from '../../testing/resources/customers.ts'
import { acceptEnglish, backendWithRecords, openResourceFixture } from '../../testing/resources/fixture.ts'
import { changeMerchant } from '../merchants/change-merchant.ts'
import { listPageOf, searchWindowFromFilters } from './search.ts'

it('a page of very large records is shorter and continues after its last record', () => {
  const large = (id: number) => ({
    id: 10_000_000_000_000 + id,
    createdAt: new Date(1_763_188_200_000 - id),
    metadata: Array.from({ length: 50 }, (_, key) => ({ key: `key${key}`, value: 'ş'.repeat(500) })),
    changes: [],
  })
  const items = Array.from({ length: 100 }, (_, id) => large(id))
  const page = listPageOf({ items, count: 100, hasMore: false })
  assert.ok(page.items.length > 10 && page.items.length < 50, String(page.items.length))
  assert.ok(Buffer.byteLength(JSON.stringify(page.items)) < 2_500_000)
  const last = page.items.at(-1)
  const cursor = Buffer.from(page.next ?? '', 'base64url').toString()
  assert.equal(cursor, `${last?.createdAt.getTime()}.${last?.id}`)
  const huge = { ...large(1), changes: Array.from({ length: 100_000 }, () => 0) }
  assert.equal(listPageOf({ items: [huge], count: 1, hasMore: false }).items.length, 1, 'one is always there')
  assert.equal(listPageOf({ items: [large(1)], count: 1, hasMore: false }).next, undefined)
})

it('a day ends when the next one begins, even if the clocks change between them', () => {
  const { from, before } = searchWindowFromFilters(
    { created_from: { day: '2026-10-25' }, created_to: { day: '2026-10-25' } },
    'Europe/Berlin',
  )
  assert.deepEqual([from, before], [new Date('2026-10-24T22:00:00Z'), new Date('2026-10-25T23:00:00Z')])
})

// Every resource is searched with this code. The tests use customers.
const fixture = await openResourceFixture(customers)
const { api, backend, create } = fixture
const url = `${customers.path}/search`
const idsOf = (records: { id: number }[]) => records.map(({ id }) => id)

describe('200, page by page', () => {
  it('a page has 20 records by default, 1 to 100 on request; records of one millisecond are sorted by id, highest first', async () => {
    const own = await backendWithRecords(fixture, 120)
    const sizes = async (query: string) => {
      const list: number[] = []
      const ids: number[] = []
      for await (const { json, headers } of own.pages(`${url}?${query}`)) {
        list.push(json.length)
        ids.push(...idsOf(json))
        assert.equal(headers['x-total-count'], '120')
      }
      assert.equal(new Set(ids).size, 120)
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => b - a),
      )
      return list
    }
    assert.deepEqual(await sizes(''), [20, 20, 20, 20, 20, 20])
    assert.deepEqual(await sizes('per_page=100&q=isik'), [100, 20])
    assert.deepEqual(await sizes('per_page=60&q=I%C5%9F%C4%B1k&created_from=2026-11-15'), [60, 60])
  })

  it('the link leads to the next page with the same filters', async () => {
    const own = await backendWithRecords(fixture, 2)
    const first = await own.get(`${url}?per_page=1&q=I%C5%9F%C4%B1k&phone=+90`)
    assert.match(
      String(first.headers['link']),
      /^<http:\/\/localhost:4242\/v1\/customers\/search\?[!-~]+>; rel="next"$/,
    )
    const next = new URLSearchParams(nextPagePath(first)?.split('?')[1])
    assert.deepEqual([next.get('q'), next.get('per_page'), next.get('phone')], ['Işık', '1', ' 90'])
  })

  it('a record is on the pages exactly once while others are added and deleted', async () => {
    const own = await backendWithRecords(fixture, 40)
    const all = idsOf((await own.get(`${url}?per_page=100`)).json)
    const gone = new Set<number>()
    const seen: number[] = []
    for await (const page of own.pages(`${url}?per_page=7&q=isik`)) {
      seen.push(...idsOf(page.json))
      api.clock.advance(1)
      await own.json(customers.path, customers.whole)
      for (const id of [seen.at(-1), all.at(-1 - gone.size)]) {
        if (id === undefined || gone.has(id)) continue
        await own.delete(`/v1/customers/${id}`)
        gone.add(id)
      }
    }
    assert.equal(new Set(seen).size, seen.length, 'none twice')
    assert.deepEqual(
      all.filter((id) => !gone.has(id)).filter((id) => !seen.includes(id)),
      [],
      'none is left out',
    )
    assert.ok(seen.every((id) => all.includes(id)))
  })

  it('the count is exact up to 1000, and 1000+ above, with and without words', async () => {
    const own = await backendWithRecords(fixture, 1001)
    const counts = async () => {
      const queries = ['', '?q=isik', '?country=TR', '?created_from=2026-11-15', '?q=nobody']
      const answers = await Promise.all(queries.map((query) => own.get(url + query)))
      return answers.map(({ headers }) => headers['x-total-count'])
    }
    assert.deepEqual(await counts(), ['1000+', '1000+', '1000+', '1000+', '0'])
    const [newest] = (await own.get(`${url}?per_page=1`)).json
    await own.delete(`/v1/customers/${newest.id}`)
    assert.deepEqual(await counts(), ['1000', '1000', '1000', '1000', '0'])
  })
})

describe('422', () => {
  const faults = async (query: string): Promise<Record<string, string[]>> => {
    const answer = await backend.get(`${url}?${query}`, acceptEnglish)
    assert.deepEqual([answer.status, answer.json.error_code], [422, 901], query)
    return answer.json.errors
  }

  it('per_page must be 1 to 100', async () => {
    for (const size of ['0', '101', '-1'])
      assert.deepEqual(await faults(`per_page=${size}`), { per_page: ['Must be between 1 and 100.'] })
    for (const size of ['x', '1.0', '1e1'])
      assert.deepEqual(Object.keys(await faults(`per_page=${size}`)), ['per_page'])
  })

  it('a time must be a calendar day, or an instant with its offset', async () => {
    const wrong = [
      '2026-02-30',
      '2026-13-01',
      '15.11.2026',
      'yesterday',
      '2026-11-15T09:30:00',
      '2026-11-15T25:00:00Z',
    ]
    for (const time of [...wrong, '2026-11-15T09:30:00%2B99:00', '0000-01-01', '20261115', '1763188200']) {
      assert.match(String((await faults(`created_from=${time}`))['created_from']), /^Must be a day/, time)
      assert.match(String((await faults(`created_to=${time}`))['created_to']), /^Must be a day/, time)
    }
  })

  it('after must be one of our cursors', async () => {
    const own = Buffer.from('1763188200000.10000000000001').toString('base64url')
    assert.equal((await backend.get(`${url}?after=${own}`)).status, 200)
    const wrong = ['1', 'x', `${own}=`, own.slice(0, -1), Buffer.from('1.2').toString('base64url')]
    for (const after of wrong) assert.deepEqual(Object.keys(await faults(`after=${after}`)), ['after'])
  })

  it('all filters together have at most 10 words of at most 254 characters, and each is sent once', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join('+')
    assert.equal((await backend.get(`${url}?q=${words(10)}`)).status, 200)
    assert.deepEqual(await faults(`q=${words(11)}`), { q: ['Must contain at most 10 words.'] })
    assert.deepEqual(Object.keys(await faults(`name=${'x'.repeat(255)}`)), ['name'])
    assert.deepEqual(Object.keys(await faults('name=a&name=b')), ['name'])
    assert.deepEqual(Object.keys(await faults('country=TUR&country=TR')), ['country'])
    assert.deepEqual(Object.keys(await faults(`q=${words(8)}&name=${words(3)}`)), ['name'], 'all together')
    assert.equal((await backend.get(`${url}?q=${words(7)}&name=${words(3)}`)).status, 200)
  })
})

describe('200, by time', () => {
  const moments = [
    '2026-11-15T20:59:59.999Z',
    '2026-11-15T21:00:00.000Z',
    '2026-11-16T09:30:00.000Z',
    '2026-11-16T09:30:00.999Z',
    '2026-11-16T09:30:01.000Z',
    '2026-11-16T20:59:59.999Z',
    '2026-11-16T21:00:00.000Z',
  ]
  before(async () => {
    for (const moment of moments) {
      api.clock.advance(Date.parse(moment) - api.clock.now().getTime())
      await create({ ...customers.least, lastname: moment })
    }
  })
  /** Positions in `moments` of the found records. */
  const foundAt = async (query: string) => {
    const { json } = await backend.get(`${url}?${query}`)
    return json.map(({ lastname }: { lastname: string }) => moments.indexOf(lastname)).toReversed()
  }

  it('a day is a whole day in the merchant’s time zone', async () => {
    assert.deepEqual(await foundAt('created_from=2026-11-16'), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await foundAt('created_to=2026-11-16'), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(await foundAt('created_from=2026-11-16&created_to=2026-11-16'), [1, 2, 3, 4, 5])
    assert.deepEqual(await foundAt('created_from=2026-11-17&created_to=2026-11-16'), [])
    assert.equal((await foundAt('created_from=1000-01-01&created_to=2999-12-31')).length, moments.length)
    await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'UTC' })
    assert.deepEqual(await foundAt('created_from=2026-11-16&created_to=2026-11-16'), [2, 3, 4, 5, 6])
    await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'Europe/Istanbul' })
  })

  it('an instant includes its whole second, in any offset, with or without an encoded plus', async () => {
    for (const instant of [
      '2026-11-16T09:30:00Z',
      '2026-11-16T12:30:00%2B03:00',
      '2026-11-16T12:30:00+03:00',
    ]) {
      assert.deepEqual(await foundAt(`created_from=${instant}`), [2, 3, 4, 5, 6])
      assert.deepEqual(await foundAt(`created_to=${instant}`), [0, 1, 2, 3])
    }
    assert.deepEqual(await foundAt('created_from=2026-11-16T04:30:00-05:00'), [2, 3, 4, 5, 6])
    assert.deepEqual(await foundAt('created_to=2026-11-16T09:30:00.000Z'), [0, 1, 2])
    assert.deepEqual(await foundAt('created_to=2026-11-16T09:30Z'), [0, 1, 2, 3, 4])
  })

  it('a record is found by its own created_at as both limits', async () => {
    const { json } = await backend.get(`${url}?per_page=1`)
    const at = encodeURIComponent(json[0].created_at)
    assert.deepEqual(await foundAt(`created_from=${at}&created_to=${at}`), [6])
  })

  it('times and words are combined', async () => {
    assert.deepEqual(await foundAt('created_from=2026-11-17&name=ayse'), [6])
    assert.deepEqual(await foundAt('created_from=2026-11-17&name=ali'), [])
  })
})
