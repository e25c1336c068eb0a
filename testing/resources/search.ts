import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextPagePath } from '../harness/backend.ts'
import { occupySearches, untilSearchesWait } from '../harness/searches.ts'
import type { ResourceFixture } from './fixture.ts'
import { acceptEnglish, anotherBackend, backendWithRecords, testCredentials } from './fixture.ts'
import type { RequestBody } from './resource.ts'

/**
 * Guarantees of `GET /v1/<resources>/search` that hold for every resource. server/database/search.test.ts
 * tests all variants of words, times, pages and counts. Here is one of each, to detect a search that lacks a
 * filter.
 */
export function testSearch(fixture: ResourceFixture): void {
  const { resource } = fixture
  describe('200', () => {
    testFilters(fixture)
    testPages(fixture)
    testTimes(fixture)
  })
  testCredentials(fixture, async () => ({ request: { url: `${resource.path}/search` } }))
  describe('422', () => testFaults(fixture))
  describe('503', () => testConnections(fixture))
}

function testFilters({ resource, api, backend, create, find }: ResourceFixture): void {
  const { path, whole, search, sentences } = resource

  it('without a filter all records are found, newest first, as a read returns them', async () => {
    const own = await anotherBackend(api)
    const bodies = ['Bir', 'İki', 'Üç'].map((title) => ({ ...whole, [search.title]: title }))
    for (const body of bodies) await own.json(path, body)
    const { json, headers } = await own.get(`${path}/search`)
    const titles = json.map((record: Record<string, unknown>) => record[search.title])
    assert.deepEqual(titles, ['Üç', 'İki', 'Bir'])
    assert.deepEqual([headers['x-total-count'], headers['link']], ['3', undefined])
    assert.deepEqual((await own.get(`${path}/${json[0].id}`)).json, json[0])
  })

  it('a filter with only punctuation finds nothing, and a blank filter is ignored', async () => {
    const { record } = await create(whole)
    for (const filter of search.wordFilters) {
      for (const value of ['!', '…', '@']) assert.deepEqual(await find(`${filter}=${value}`), [], filter)
      assert.equal((await find(`${filter}=%20`))[0], record.id, filter)
    }
  })

  it('no match is an empty array', async () => {
    const { text, headers } = await backend.get(`${path}/search?q=nobody`)
    assert.deepEqual([text, headers['x-total-count'], headers['link']], ['[]', '0', undefined])
  })

  it('records of another merchant are never found', async () => {
    const { record } = await create(whole)
    const stranger = await anotherBackend(api)
    for (const query of search.matchingQueries) {
      assert.ok((await find(query)).includes(record.id), query)
      assert.deepEqual((await stranger.get(`${path}/search?${query}`)).json, [], query)
    }
  })

  it('texts in the found records are in the requested language', async () => {
    await create(whole)
    const { json } = await backend.get(`${path}/search?per_page=1`, acceptEnglish)
    assert.equal(json[0].timeline[0].text, sentences.created.en)
  })
}

function testPages(fixture: ResourceFixture): void {
  const { path, whole, search } = fixture.resource

  it('a page has 20 records by default, and the link leads to the next page with the same filters', async () => {
    const own = await backendWithRecords(fixture, 45)
    const sizes: number[] = []
    for await (const { json, headers } of own.pages(`${path}/search?${search.title}=${search.titleWord}`)) {
      sizes.push(json.length)
      assert.equal(headers['x-total-count'], '45')
    }
    assert.deepEqual(sizes, [20, 20, 5])
    assert.equal((await own.get(`${path}/search?per_page=100`)).json.length, 45)
    const title = String(whole[search.title])
    const first = await own.get(`${path}/search?per_page=1&${search.title}=${encodeURIComponent(title)}`)
    assert.match(String(first.headers['link']), /^<http:\/\/localhost:4242\/[!-~]+>; rel="next"$/)
    const next = new URL(nextPagePath(first) ?? '', 'http://localhost:4242')
    const { per_page, [search.title]: sent } = Object.fromEntries(next.searchParams)
    assert.deepEqual([next.pathname, per_page, sent], [`${path}/search`, '1', title])
  })
}

function testTimes({ resource, api, find }: ResourceFixture): void {
  it('a day is a day in the merchant’s time zone, and a time includes its whole second', async () => {
    const own = await anotherBackend(api)
    const moments = ['2026-11-15T20:59:59.999Z', '2026-11-15T21:00:00.000Z', '2026-11-16T21:00:00.999Z']
    for (const moment of moments) {
      api.clock.advance(Date.parse(moment) - api.clock.now().getTime())
      await own.json(resource.path, resource.least)
    }
    const count = async (query: string) =>
      (await own.get(`${resource.path}/search?${query}`)).headers['x-total-count']
    assert.equal(await count('created_from=2026-11-16'), '2')
    assert.equal(await count('created_to=2026-11-15'), '1')
    assert.equal(await count('created_from=2026-11-16&created_to=2026-11-16'), '1')
    assert.equal(await count('created_from=2026-11-17T00:00:00%2B03:00'), '1')
    assert.equal(await count('created_to=2026-11-17T00:00:00+03:00'), '3')
    assert.deepEqual(await find('created_from=2026-11-16'), [], 'another merchant has nothing of that time')
  })
}

function testFaults({ resource, backend }: ResourceFixture): void {
  const { filters, faulty } = resource.search
  const faults = async (query: string): Promise<Record<string, string[]>> => {
    const answer = await backend.get(`${resource.path}/search?${query}`, acceptEnglish)
    assert.deepEqual([answer.status, answer.json.error_code], [422, 901], query)
    return answer.json.errors
  }

  it('an unknown filter is refused by its name, together with all other faults', async () => {
    const unknown = [`There is no such filter. Valid filters: ${filters}.`]
    const names = ['description', 'district', 'page', 'Q']
    const expected = Object.fromEntries(names.map((name) => [name, unknown]))
    assert.deepEqual(await faults(names.map((name) => `${name}=1`).join('&')), expected)
    assert.deepEqual(Object.keys(await faults(faulty.query)), faulty.names)
  })

  it('malformed times, cursors, page sizes and too many words are refused', async () => {
    const query = 'created_from=2026-02-30&created_to=2026-11-15T09:30:00&after=x&per_page=101'
    assert.deepEqual(
      Object.keys(await faults(query)),
      query.split('&').map((pair) => pair.split('=', 1)[0]),
    )
    const words = Array.from({ length: 11 }, (_, index) => `w${index}`).join('+')
    assert.deepEqual(await faults(`q=${words}`), { q: ['Must contain at most 10 words.'] })
  })
}

function testConnections({ resource, api, backend, create }: ResourceFixture): void {
  it('a search waits up to fifteen seconds for a search connection; other requests continue meanwhile', async () => {
    const { url, record } = await create(resource.whole)
    const search = () => backend.get(`${resource.path}/search?per_page=1`)
    await using held = await occupySearches(api.services)
    const tooLate = search()
    await untilSearchesWait(api.services, 1)
    api.clock.advance(4_000)
    const inTime = search()
    await untilSearchesWait(api.services, 2)
    assert.equal((await backend.get(url)).status, 200)
    api.clock.advance(11_000)
    const { status, json, headers } = await tooLate
    assert.deepEqual([status, json.error_code, headers['retry-after']], [503, 991, '2'])
    await held.letGo()
    const found = await inTime
    assert.deepEqual([found.status, found.json[0].id], [200, record.id])
  })
}

/**
 * Searches among these records of a merchant that has no others. A found record is reported by its name here,
 * oldest first.
 */
export async function searchAmong({ api, resource }: ResourceFixture, records: Record<string, RequestBody>) {
  const backend = await anotherBackend(api)
  const names = new Map<number, string>()
  for (const [name, body] of Object.entries(records)) {
    const { status, json } = await backend.json(resource.path, body)
    assert.equal(status, 200, name)
    names.set(json.id, name)
  }
  const search = async (filters: Record<string, string>): Promise<(string | undefined)[]> => {
    const answer = await backend.get(`${resource.path}/search?${new URLSearchParams(filters)}`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers['x-total-count'], String(answer.json.length))
    return answer.json.map(({ id }: { id: number }) => names.get(id)).toReversed()
  }
  return {
    backend,
    search,
    /** Each of the values of a filter finds the records with these names, and no others. */
    allFind: async (found: string, filter: string, values: readonly string[]): Promise<void> => {
      for (const value of values)
        assert.deepEqual(
          await search({ [filter]: value }),
          found === '' ? [] : found.split(' '),
          `${filter}=${value}`,
        )
    },
  }
}
