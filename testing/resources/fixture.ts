import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { createMerchant } from '../../server/merchants/index.ts'
import type { TestAnswer, TestApi, TestRequest } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import type { Backend } from '../harness/backend.ts'
import { backendOf } from '../harness/backend.ts'
import type { RequestBody, ResourceFacts } from './resource.ts'

export const acceptEnglish = { 'accept-language': 'en' }

/** An id that no record has. */
export const unusedId = '99999999999999'

type Json = TestAnswer['json']

/** A resource behind the API, with a merchant. One is enough for a test file. */
export interface ResourceFixture {
  resource: ResourceFacts
  api: TestApi
  backend: Backend
  /** Creates a record from this body; by default from the smallest one. */
  create(body?: RequestBody): Promise<{ record: Json; url: string }>
  /** Sends a body that must be refused with 901; returns the errors in English. */
  faults(url: string, body: RequestBody): Promise<Record<string, string[]>>
  /** Ids that a search finds, in order. */
  find(query: string): Promise<number[]>
}

export async function openResourceFixture(resource: ResourceFacts): Promise<ResourceFixture> {
  const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
  const backend = backendOf(api)
  return {
    resource,
    api,
    backend,
    create: async (body = resource.least) => {
      const answer = await backend.json(resource.path, body)
      assert.equal(answer.status, 200, answer.text)
      return { record: answer.json, url: `${resource.path}/${answer.json.id}` }
    },
    faults: async (url, body) => {
      const answer = await backend.json(url, body, acceptEnglish)
      assert.deepEqual([answer.status, answer.json.error_code], [422, 901], answer.text)
      return answer.json.errors
    },
    find: async (query) => {
      const answer = await backend.get(`${resource.path}/search?${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.map(({ id }: { id: number }) => id)
    },
  }
}

/** Backend of another merchant in the same database. */
export async function anotherBackend(
  api: TestApi,
  settings: Partial<Parameters<typeof createMerchant>[1]> = {},
): Promise<Backend> {
  const { secretKey } = await createMerchant(api.services, { name: 'Başka Mağaza', ...settings })
  return backendOf(api, secretKey)
}

/** Creates this many records of another merchant, equal except for their ids, in the same millisecond. */
export async function backendWithRecords({ api, resource }: ResourceFixture, size: number): Promise<Backend> {
  const backend = await anotherBackend(api)
  const { json } = await backend.json(resource.path, resource.whole)
  const table = raw(resource.table)
  await api.services.sql.run(sql`insert into ${table} select copy.* from ${table} record
    cross join generate_series(1, ${size - 1}::int) number
    cross join lateral jsonb_populate_record(record, jsonb_build_object('id', record.id + 10000000000000 + number)) copy
    where record.id = ${json.id}`)
  return backend
}

/** Addresses without a record of this merchant: malformed, unused, deleted, another merchant's. */
export async function missingUrls({ api, backend, resource, create }: ResourceFixture) {
  const deleted = await create()
  await backend.delete(deleted.url)
  const stranger = await anotherBackend(api)
  const { json } = await stranger.json(resource.path, resource.whole)
  const others = `${resource.path}/${json.id}`
  const ids = [unusedId, '1', 'x', '10000000000000000', '-5', '1.5', '%20']
  return {
    addresses: [...ids.map((id) => `${resource.path}/${id}`), deleted.url, others],
    assertIntact: async () => assert.deepEqual((await stranger.get(others)).json, json),
  }
}

interface Attempt {
  request: TestRequest
  /** Fails if the refused request had an effect. */
  assertIntact?: () => Promise<void>
}

/** Tests 401 and 403: the endpoint accepts only a secret-key token. */
export function testCredentials({ api }: ResourceFixture, attempt: () => Promise<Attempt>): void {
  describe('401', () => {
    it('a request without a token is refused and changes nothing', async () => {
      const { request, assertIntact } = await attempt()
      const answer = await api.call(request)
      assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
      await assertIntact?.()
    })
  })

  describe('403', () => {
    it('a public-key token is refused and changes nothing', async () => {
      const { request, assertIntact } = await attempt()
      const answer = await api.call({ ...request, token: await api.token(api.publicKey) })
      assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
      await assertIntact?.()
    })
  })
}
