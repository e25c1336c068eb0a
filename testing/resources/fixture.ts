import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { createMerchant } from '../../server/merchants/index.ts'
import type { TestAnswer, TestApi, TestRequest } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import type { Backend } from '../harness/backend.ts'
import { backendOf } from '../harness/backend.ts'
import type { RequestBody, Resource } from './resource.ts'

export const acceptEnglish = { 'accept-language': 'en' }

/** An id that no record has. */
export const unusedId = '99999999999999'

type Json = TestAnswer['json']

/** A resource behind the API, with a merchant who uses it. One is enough for a file. */
export interface ResourceFixture {
  resource: Resource
  api: TestApi
  backend: Backend
  /** Creates a record of this body, of the least one if none is given. */
  create(body?: RequestBody): Promise<{ record: Json; url: string }>
  /** Sends a body that must be refused with 901; answers its faults in English. */
  faults(url: string, body: RequestBody): Promise<Record<string, string[]>>
  /** The ids that a search finds, in their order. */
  find(query: string): Promise<number[]>
}

export async function openResourceFixture(resource: Resource): Promise<ResourceFixture> {
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

/** The backend of one more merchant in the same database. */
export async function anotherBackend(
  api: TestApi,
  settings: Partial<Parameters<typeof createMerchant>[1]> = {},
): Promise<Backend> {
  const { secretKey } = await createMerchant(api.services, { name: 'Başka Mağaza', ...settings })
  return backendOf(api, secretKey)
}

/** Creates so many records of another merchant, all alike but for their ids, within one millisecond. */
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

/** Addresses of nothing that this merchant has: no id, unused, deleted, of another merchant. */
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
  /** Fails if the refused request did something. */
  assertIntact?: () => Promise<void>
}

/** 401 and 403: the endpoint serves a token of the secret key alone. */
export function testCredentials({ api }: ResourceFixture, attempt: () => Promise<Attempt>): void {
  describe('401', () => {
    it('without a token nothing is answered and nothing done', async () => {
      const { request, assertIntact } = await attempt()
      const answer = await api.call(request)
      assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
      await assertIntact?.()
    })
  })

  describe('403', () => {
    it('with a token of the public key nothing is answered and nothing done', async () => {
      const { request, assertIntact } = await attempt()
      const answer = await api.call({ ...request, token: await api.token(api.publicKey) })
      assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
      await assertIntact?.()
    })
  })
}
