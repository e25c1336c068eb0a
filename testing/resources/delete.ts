import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw, sql } from '../../kit/runtime/sql.ts'
import type { ResourceFixture } from './fixture.ts'
import { acceptEnglish, missingUrls, testCredentials } from './fixture.ts'

/** Guarantees of `DELETE /v1/<resources>/:id` that hold for every resource. */
export function testDelete(fixture: ResourceFixture): void {
  const { backend, create } = fixture

  describe('200', () => {
    testGone(fixture)
    testOnce(fixture)
  })

  testCredentials(fixture, async () => {
    const { record, url } = await create()
    return {
      request: { method: 'DELETE', url },
      assertIntact: async () => assert.deepEqual((await backend.get(url)).json, record),
    }
  })

  describe('404', () => {
    it('an unused id, a malformed id, a deleted record and another merchant’s record delete nothing', async () => {
      const { addresses, assertIntact } = await missingUrls(fixture)
      for (const url of addresses) {
        const { status, json } = await backend.delete(url)
        assert.deepEqual([status, json.error_code], [404, 920], url)
      }
      await assertIntact()
    })
  })
}

function testGone({ resource, api, backend, create, find }: ResourceFixture): void {
  const { table, least, sentences, search } = resource

  it('the answer is an envelope without data, and the record is gone for every endpoint', async () => {
    const { record, url } = await create({ ...least, [search.title]: 'Silinecek' })
    const answer = await backend.delete(url, acceptEnglish)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      status: true,
      message: sentences.deleted.en,
      errors: [],
      error_code: null,
      data: null,
    })
    assert.equal((await backend.get(url)).json.error_code, 920)
    assert.equal((await backend.form(url, { [search.title]: 'X' })).json.error_code, 920)
    assert.equal((await backend.delete(url)).json.error_code, 920)
    for (const query of [`${search.title}=silinecek`, 'q=silinecek', 'per_page=100'])
      assert.ok(!(await find(query)).includes(record.id), query)
  })

  it('the row stays, because payments can refer to it, but without its search words', async () => {
    const { record, url } = await create()
    await backend.delete(url)
    const row = sql`select ${raw(search.title)} as title, words::text, deleted_at from ${raw(table)}
      where id = ${record.id}`
    assert.deepEqual(await api.services.sql.one(row), {
      title: least[search.title],
      words: '',
      deleted_at: api.clock.now(),
    })
  })

  it('no other record is deleted', async () => {
    const [one, other] = [await create(), await create()]
    await backend.delete(one.url)
    assert.deepEqual((await backend.get(other.url)).json, other.record)
  })
}

function testOnce({ backend, create }: ResourceFixture): void {
  it('a request with a used Idempotency-Key gets the first answer again', async () => {
    const { url } = await create()
    const headers = { 'idempotency-key': `delete ${url}` }
    const [first, second] = [await backend.delete(url, headers), await backend.delete(url, headers)]
    assert.deepEqual([second.status, second.text], [200, first.text])
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal((await backend.delete(url)).status, 404)
  })

  it('of three deletions at the same time one succeeds and two get 404', async () => {
    const { url } = await create()
    const answers = await Promise.all([backend.delete(url), backend.delete(url), backend.delete(url)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
  })
}
