import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { systemRandom } from '../../kit/security/random.ts'
import type { ApiRoute } from '../../server/api.ts'
import type { TestAnswer } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import { testSeed } from '../harness/environment.ts'
import { shelfRoutes } from '../harness/notes.ts'
import { routeAnswerFaults } from './answers.ts'
import { routeName } from './field.ts'
import type { RandomRequest } from './random-requests.ts'
import { asTestRequest, randomRequests } from './random-requests.ts'
import { idInPath, readRouteOf, urlWithId } from './record-paths.ts'
import { makeRecord, withoutShownOnce } from './samples.ts'
import { firstShop, unlimitedEnv } from './shop.ts'
import { liveRowCounts, tableOfCollection } from './tables.ts'

/** The input differs in every run, so coverage grows over time. */
const requests = 6_000
/** Far longer than any answer takes, even on a busy machine. */
const timeoutMs = 20_000

const api = await testApi({ env: unlimitedEnv, routes: shelfRoutes })
const shop = await firstShop(api, shelfRoutes)

/** Collections that also grow without a request for them. */
const selfGrowing: readonly string[] = ['/v1/events', '/v1/webhooks/:webhook_id/deliveries']

/** Records that must exist, by collection and id, as they were last returned. */
const records = new Map<string, Map<number, unknown>>()

it('thousands of random requests get declared answers, and the records match those answers', async (context) => {
  const seed = testSeed() ?? systemRandom.bytes(4).readInt32LE()
  const again = `TEST_SEED=${seed} npm test -- testing/every-route/fuzz.test.ts`
  context.diagnostic(`to repeat: ${again}`)
  const statuses = new Map<string, number>()
  const madeUp = await randomRequests(shop, shop.routes)
  const before = await liveRowCounts(api.services.sql)
  const property = fc.asyncProperty(madeUp, async (made) => {
    const route = shop.routes[made.route]
    assert.ok(route)
    const id = await idFor(route, made)
    const answer = await shop.call(route, asTestRequest(shop, route, made, id))
    const name = `${routeName(route)} ${answer.status}`
    statuses.set(name, (statuses.get(name) ?? 0) + 1)
    assert.deepEqual(routeAnswerFaults(route, answer), [])
    await note(route, answer, id)
  })
  const result = await fc.check(property, { numRuns: requests, seed, timeout: timeoutMs })
  if (result.failed) assert.fail(`${fc.defaultReportMessage(result)}\n\nTo repeat: ${again}`)
  const counted = [...statuses].toSorted().map(([name, count]) => `${name}: ${count}`)
  context.diagnostic(counted.join(', '))
  for (const route of shop.routes) {
    assert.ok(
      statuses.has(`${routeName(route)} 200`),
      `no request of ${routeName(route)} was good: its input is made badly`,
    )
  }
  await assertRecordsRemain(before, again)
})

/** Id of an existing record, or the generated text. */
async function idFor(route: ApiRoute, { about }: RandomRequest): Promise<number | string> {
  const { collection, parameter } = idInPath(route) ?? {}
  if (typeof about === 'string' || collection === undefined) return about
  const ids = [...(records.get(collection)?.keys() ?? [])]
  const id = ids[about % ids.length]
  if (id !== undefined) return id
  const made = await makeRecord(shop, parameter ?? '')
  await remember(collection, made)
  return made
}

async function remember(collection: string, id: number): Promise<void> {
  const reader = readRouteOf(shop, { url: collection })
  if (reader)
    recordsOf(collection).set(id, (await shop.call(reader, { url: urlWithId(shop, reader, id) })).json)
}

/** Records the effect of a successful answer. A replayed answer has none. */
async function note(
  route: ApiRoute,
  { status, headers, json }: TestAnswer,
  id: number | string,
): Promise<void> {
  if (status !== 200 || route.method === 'GET' || headers['idempotency-replayed'] !== undefined) return
  // A payment is started at one address and read at another.
  if (json.data?.transaction_id) return remember('/v1/transaction', json.data.transaction_id)
  const { collection, parameter } = idInPath(route) ?? { collection: route.url, parameter: '' }
  if (!readRouteOf(shop, { url: collection })) return
  const isWhole = [collection, `${collection}/:${parameter}`].includes(route.url)
  // A part of a record, such as its image, answers with the whole record.
  const isPart = !isWhole && json.id === Number(id)
  if (isPart || (isWhole && route.method === 'POST'))
    recordsOf(collection).set(json.id, withoutShownOnce(json))
  else if (isWhole) recordsOf(collection).delete(Number(id))
}

function recordsOf(collection: string): Map<number, unknown> {
  const known = records.get(collection) ?? new Map<number, unknown>()
  records.set(collection, known)
  return known
}

/** Asserts that the tables have exactly the created and not deleted records, each as last returned. */
async function assertRecordsRemain(before: Record<string, number>, again: string): Promise<void> {
  const rows = await liveRowCounts(api.services.sql)
  assert.ok(records.size > 0)
  for (const [collection, known] of records) {
    const table = tableOfCollection(collection, Object.keys(rows))
    const more = (rows[table] ?? 0) - (before[table] ?? 0)
    if (!selfGrowing.includes(collection)) assert.equal(more, known.size, `${table}; to repeat: ${again}`)
    const reader = readRouteOf(shop, { url: collection })
    assert.ok(reader)
    for (const [id, json] of known) {
      const answer = await shop.call(reader, { url: urlWithId(shop, reader, id) })
      assert.deepEqual(inNoLanguage(answer.json), inNoLanguage(json), `to repeat: ${again}`)
    }
  }
}

/** The record without the texts of its timeline, which depend on the language of the request. */
function inNoLanguage(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json, (name, value) => (name === 'text' ? undefined : value)))
}
