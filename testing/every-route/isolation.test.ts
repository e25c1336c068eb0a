import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { ApiRoute } from '../../server/api.ts'
import type { TestAnswer } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import { shelfRoutes } from '../harness/notes.ts'
import { withValueAt } from './encode-input.ts'
import type { RouteSchema } from './field.ts'
import { fieldsOf, isId, routeName } from './field.ts'
import { idInPath, readRouteOf, urlWithId } from './record-paths.ts'
import { makeRecord, minimalBody, validBody, validUrl, validValue } from './samples.ts'
import type { TestShop } from './shop.ts'
import { anotherShop, firstShop, unlimitedEnv } from './shop.ts'
import { tableDigests } from './tables.ts'

const api = await testApi({ env: unlimitedEnv, routes: shelfRoutes })
const ours = await firstShop(api, shelfRoutes)
const theirs = await anotherShop(api, shelfRoutes)
const { routes } = ours

const idOfNobody = 99_999_999_999_999
const malformed = [
  ...[
    '0',
    '1',
    '-1',
    '-0',
    '10000000000000.0',
    '1e13',
    '0x9184e72a000',
    '010000000000001',
    '9'.repeat(5000),
    '100000000000000',
  ],
  ...[
    'NaN',
    'null',
    'undefined',
    'me',
    '__proto__',
    'constructor',
    '*',
    ':customer_id',
    '%20',
    '%00',
    '%27%20or%201=1--',
  ],
  ...[
    '%F0%9F%92%B3',
    '%EF%BC%91%EF%BC%90',
    '99999999999999999999999',
    '9'.repeat(900),
    '%22',
    '%5C',
    '1,2',
    '[1]',
  ],
]

const routesWithIds = routes.filter((route) => idInPath(route))
/** Searches without an id in their path. `routesWithIds` covers the others with another merchant's id. */
const searches = routes.filter((route) => route.answer.isPage && !idInPath(route))
/** Lists whose records no route reads by id, with the name of that id. */
const unread: Readonly<Record<string, string>> = { '/v1/balance/transfers': 'transfer_id' }
/** Lists whose records are never deleted: their cursors name a record. */
const lasting: readonly string[] = ['/v1/balance/transfers', '/v1/events']
const lists = routes.filter(({ answer }) => !answer.isPage && (answer.schema as RouteSchema).type === 'array')

/** An answer without the headers that change with every request. */
function comparable({ status, headers, text }: TestAnswer): object {
  const { 'x-request-id': _id, date: _date, ...others } = headers
  return { status, headers: others, text }
}

for (const route of routesWithIds) {
  describe(`${routeName(route)}: another merchant’s record does not exist`, () => {
    const { parameter = '' } = idInPath(route) ?? {}
    let theirId: number
    let deletedId: number | undefined
    let least: object
    let expected: object

    before(async () => {
      theirId = await makeRecord(theirs, parameter)
      deletedId = await makeDeleted(ours, parameter)
      least = await minimalBody(ours, route)
      expected = comparable(
        await ours.call(route, { url: await validUrl(ours, route, { id: idOfNobody }), ...least }),
      )
    })

    it('an unused id gets 404 with 920', async () => {
      const url = await validUrl(ours, route, { id: idOfNobody })
      const answer = await ours.call(route, { url, ...least })
      assert.deepEqual([answer.status, answer.json.error_code], [404, 920])
    })

    it('another merchant’s id, a deleted id and a malformed id get exactly the same answer', async () => {
      const ids = [theirId, ...(deletedId === undefined ? [] : [deletedId]), ...malformed]
      for (const body of await bodiesFor(ours, route)) {
        for (const id of ids) {
          const url = await validUrl(ours, route, { id })
          const answer = await ours.call(route, { url, ...body })
          assert.deepEqual(comparable(answer), expected, `${route.method} ${url} ${JSON.stringify(body)}`)
        }
      }
    })

    it('with an Idempotency-Key the answer is the same, and nothing is stored', async () => {
      if (!route.idempotent) return
      const stored = await tableDigests(api.services.sql)
      for (const id of [theirId, idOfNobody]) {
        const answer = await ours.call(route, {
          url: await validUrl(ours, route, { id }),
          headers: { 'idempotency-key': `isolation ${routeName(route)} ${id}` },
          ...least,
        })
        assert.deepEqual(comparable(answer), expected)
      }
      assert.deepEqual(await tableDigests(api.services.sql), stored)
    })

    it('no request to another merchant’s id changes anything', async () => {
      const bodies = await bodiesFor(theirs, route)
      const stored = await tableDigests(api.services.sql)
      const url = await validUrl(ours, route, { id: theirId })
      for (const body of bodies) await ours.call(route, { url, ...body })
      assert.deepEqual(await tableDigests(api.services.sql), stored)
      const reader = readRouteOf(theirs, route)
      if (reader)
        assert.equal((await theirs.call(reader, { url: urlWithId(theirs, reader, theirId) })).status, 200)
    })
  })
}

for (const route of routes) {
  for (const field of fieldsOf(route.body).filter(({ schema }) => isId(schema))) {
    it(`${routeName(route)}: another merchant’s id as ${field.key} is refused like an unused one`, async () => {
      const right = await validBody(ours, route)
      const parameter = (field.path.findLast((part) => !/^\d+$/.test(part)) ?? '').replace(/s$/, '')
      const url = await validUrl(ours, route)
      const send = async (id: number) =>
        comparable(await ours.call(route, { url, json: withValueAt(right, field.path, id) }))
      const theirId = await makeRecord(theirs, parameter)
      assert.deepEqual(await send(theirId), await send(idOfNobody))
      const answer = await ours.call(route, { url, json: withValueAt(right, field.path, theirId) })
      assert.deepEqual([answer.status, Object.keys(answer.json.errors)], [422, [field.key]])
    })
  }
}

for (const route of lists) {
  it(`${routeName(route)}: the list has entries of the merchant, and none of another merchant`, async () => {
    for (const [shop, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const { json, text } = await shop.call(route, { url: await validUrl(shop, route) })
      assert.ok(
        json.length > 0,
        'give this list an entry: shop.ts makes what a shop has, samples.ts makes the record under an id',
      )
      assert.ok(!text.includes(String(other.merchant.id)), text)
    }
  })
}

for (const route of searches) {
  describe(`${routeName(route)}: a search finds nothing of another merchant`, () => {
    const collection = route.url.replace(/\/search$/, '')
    const lastId = routes.map(idInPath).find((each) => each?.collection === collection)
    const parameter = lastId?.parameter ?? unread[route.url]
    let record: Record<string, unknown>
    let theirIds: number[]
    let ourIds: number[]

    before(async () => {
      assert.ok(
        parameter,
        `${routeName(route)} lists what no route reads by its id: say in this test how to make one`,
      )
      theirIds = [
        await makeRecord(theirs, parameter),
        await makeRecord(theirs, parameter),
        await makeRecord(theirs, parameter),
      ]
      ourIds = [await makeRecord(ours, parameter), await makeRecord(ours, parameter)]
      const reader = routes.find(
        ({ method, url }) => method === 'GET' && url === `${collection}/:${parameter}`,
      )
      record = reader
        ? (await theirs.call(reader, { url: urlWithId(theirs, reader, theirIds[0] ?? 0) })).json
        : {}
    })

    const search = (shop: TestShop, query: Record<string, unknown>) =>
      shop.call(route, { url: `${route.url}?${new URLSearchParams(query as Record<string, string>)}` })
    const assertOurs = ({ status, text, headers }: TestAnswer, query: object) => {
      assert.equal(status, 200, text)
      for (const id of [...theirIds, theirs.merchant.id]) {
        assert.ok(
          !`${text} ${headers['link'] ?? ''}`.includes(String(id)),
          `${JSON.stringify(query)} finds ${id}`,
        )
      }
    }

    it('by any filter with the values of another merchant’s record', async () => {
      assertOurs(await search(ours, {}), {})
      for (const { key, schema } of fieldsOf(route.query)) {
        const values = [record[key], await validValue(ours, key, schema)].filter(
          (value) => value !== undefined,
        )
        for (const value of values) {
          assertOurs(await search(ours, { [key]: value }), { [key]: value })
          assertOurs(await search(ours, { [key]: value, per_page: 1 }), { [key]: value, per_page: 1 })
        }
      }
    })

    it('by any word or number of another merchant’s record, ids included', async () => {
      const texts = Object.values(record).filter(
        (value) => typeof value === 'string' || typeof value === 'number',
      )
      for (const { key, schema } of fieldsOf(route.query)) {
        if (![schema.type].flat().includes('string') || ['after', 'created_from', 'created_to'].includes(key))
          continue
        for (const value of texts) {
          const answer = await search(ours, { [key]: value })
          if (answer.status === 200) assertOurs(answer, { [key]: value })
          else assert.deepEqual([answer.status, Object.keys(answer.json.errors)], [422, [key]])
        }
      }
    })

    it('and counts only the merchant’s own records', async () => {
      const { json, headers } = await search(ours, { per_page: 100 })
      assert.equal(headers['x-total-count'], String(json.length))
      for (const id of ourIds) assert.ok(json.some((item: { id: number }) => item.id === id))
    })

    it('by another merchant’s cursor: it is a time, and refused where records are never deleted', async () => {
      const { headers } = await search(theirs, { per_page: 1 })
      const after = /[?&]after=([^&>]+)/.exec(String(headers['link']))?.[1] ?? ''
      assert.notEqual(after, '')
      if (lasting.includes(route.url)) {
        const { status, json } = await search(ours, { after })
        return assert.deepEqual([status, Object.keys(json.errors)], [422, ['after']])
      }
      const first = await search(ours, { after, per_page: 1 })
      assertOurs(first, { after })
      assertOurs(await search(ours, { after }), { after })
      for (const id of theirIds) await remove(theirs, collection, id)
      assert.deepEqual(comparable(await search(ours, { after, per_page: 1 })), comparable(first))
    })
  })
}

it('routes with ids, searches and lists exist, so that these tests run', () => {
  assert.ok(routesWithIds.length >= 6)
  assert.ok(searches.length >= 2)
  assert.ok(lists.length >= 1)
})

/**
 * Bodies to try: empty or with only required parameters, a valid one, and for routes without required
 * parameters a form.
 */
async function bodiesFor(shop: TestShop, route: ApiRoute): Promise<object[]> {
  if (route.rawBody) return [{}]
  if (!route.body) return [{}, { json: { anything: 1 } }]
  const least = await minimalBody(shop, route)
  const others = least.json ? [] : [{ form: 'name=Ada&price=1' }]
  return [least, { json: await validBody(shop, route) }, ...others]
}

/** Id of a deleted record, if such records can be deleted. */
async function makeDeleted(shop: TestShop, parameter: string): Promise<number | undefined> {
  const deleter = routes.find((route) => route.method === 'DELETE' && route.url.endsWith(`/:${parameter}`))
  if (!deleter) return undefined
  const id = await makeRecord(shop, parameter)
  const answer = await shop.call(deleter, { url: urlWithId(shop, deleter, id) })
  assert.equal(answer.status, 200, answer.text)
  return id
}

async function remove(shop: TestShop, collection: string, id: number): Promise<void> {
  const deleter = routes.find(
    (route) => route.method === 'DELETE' && idInPath(route)?.collection === collection,
  )
  if (deleter) await shop.call(deleter, { url: urlWithId(shop, deleter, id) })
}
