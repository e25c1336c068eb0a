import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw, sql } from '../../kit/runtime/sql.ts'
import type { TestAnswer } from '../harness/api.ts'
import type { Backend } from '../harness/backend.ts'
import { untilLockIsAwaited } from '../harness/database.ts'
import type { ResourceFixture } from './fixture.ts'
import { acceptEnglish, missingUrls, testCredentials, unusedId } from './fixture.ts'
import { unclearableOf } from './resource.ts'

/** Guarantees of `POST /v1/<resources>/:id` that hold for every resource. */
export function testChange(fixture: ResourceFixture): void {
  const { resource, backend, create } = fixture
  describe('200', () => {
    testFields(fixture)
    testMetadata(fixture)
    testNothing(fixture)
    testSearchable(fixture)
    testIdempotency(fixture)
  })
  describe('changes at the same time', () => testSimultaneous(fixture))
  testCredentials(fixture, async () => {
    const { record, url } = await create(resource.whole)
    return {
      request: { method: 'POST', url, json: resource.others },
      assertIntact: async () => assert.deepEqual((await backend.get(url)).json, record),
    }
  })
  describe('404', () => {
    it('an unused id, a malformed id, a deleted record and another merchant’s record get the same answer', async () => {
      const { addresses, assertIntact } = await missingUrls(fixture)
      for (const url of addresses) {
        for (const change of [resource.others, {}]) {
          const answer = await backend.json(url, change)
          assert.deepEqual([answer.status, answer.json.error_code], [404, 920], url)
        }
      }
      await assertIntact()
    })
  })
  describe('422', () => testFaults(fixture))
}

/** Ways to send an empty field. */
const blanks: [string, (backend: Backend, url: string, name: string) => Promise<TestAnswer>][] = [
  ['an empty form field', (backend, url, name) => backend.form(url, { [name]: '' }, acceptEnglish)],
  ['a blank text', (backend, url, name) => backend.json(url, { [name]: '  ' }, acceptEnglish)],
  ['null', (backend, url, name) => backend.json(url, { [name]: null }, acceptEnglish)],
]

function testFields({ resource, api, backend, create }: ResourceFixture): void {
  const { whole, change, sentences, clearable } = resource

  it('only given fields change, and the whole record is returned', async () => {
    const { record, url } = await create(whole)
    api.clock.advance(60_000)
    const { status, json } = await backend.form(url, change.sent, acceptEnglish)
    assert.equal(status, 200)
    const { updated_at, timeline } = json
    assert.deepEqual(json, { ...record, ...change.response, updated_at, timeline })
    assert.equal(Date.parse(updated_at) - Date.parse(record.updated_at), 60_000)
    assert.deepEqual(
      timeline.map(({ type, order, text }: Record<string, unknown>) => [type, order, text]),
      [
        ['created', 1, sentences.created.en],
        ['updated', 2, sentences.updated.en],
      ],
    )
    assert.deepEqual((await backend.get(url, acceptEnglish)).json, json)
  })

  it('an optional field sent empty is cleared: in a form, as blank text or as null', async () => {
    for (const [how, send] of blanks) {
      const { url } = await create(whole)
      for (const name of [...clearable, 'metadata']) {
        const { json } = await send(backend, url, name)
        assert.deepEqual(json[name], name === 'metadata' ? [] : null, `${name}, ${how}`)
      }
      const { json } = await backend.get(url)
      for (const name of clearable) assert.equal(json[name], null, `${name}, ${how}`)
      assert.deepEqual(json.metadata, [], how)
    }
  })
}

function testMetadata({ resource, api, backend, create }: ResourceFixture): void {
  it('given metadata replaces all of it; unchanged pairs keep their times', async () => {
    const { record, url } = await create({ ...resource.least, metadata: { order: 'A-1', vip: true } })
    api.clock.advance(60_000)
    const { json } = await backend.json(url, { metadata: { vip: 'true', order: 'A-2', new: 1.5 } })
    const [order, vip] = record.metadata
    const now = json.updated_at
    assert.deepEqual(json.metadata, [
      vip,
      { ...order, value: 'A-2', updated_at: now },
      { merchant_id: String(api.merchant.id), key: 'new', value: '1.5', created_at: now, updated_at: now },
    ])
    assert.notEqual(now, vip.updated_at)
    assert.deepEqual((await backend.json(url, { metadata: {} })).json.metadata, [])
  })
}

function testNothing({ resource, api, backend, create }: ResourceFixture): void {
  const { table, whole, sameOtherwise, readOnly } = resource

  it('a change to the same values leaves the answer and the row unchanged', async () => {
    const { record, url } = await create(whole)
    const row = sql`select record::text, xmin::text from ${raw(table)} record where id = ${record.id}`
    const before = await api.services.sql.one(row)
    api.clock.advance(60_000)
    const { metadata: _, timeline: __, ...withoutLists } = record
    const unknown = { unknown: 'x', id: 5, created_at: 'now', ...readOnly.sent }
    for (const nothing of [{}, whole, withoutLists, sameOtherwise, unknown]) {
      assert.deepEqual((await backend.json(url, nothing)).json, record)
    }
    assert.deepEqual((await backend.send({ method: 'POST', url })).json, record)
    assert.deepEqual(await api.services.sql.one(row), before)
  })
}

function testSearchable({ resource, backend, create, find }: ResourceFixture): void {
  const { from, to, matchingQueries, missing } = resource.search.edit

  it('a changed record is found by its new words and values, and no longer by the old ones', async () => {
    const { record, url } = await create({ ...resource.whole, ...from })
    for (const query of missing) assert.deepEqual(await find(query), [record.id], query)
    await backend.json(url, to)
    for (const query of matchingQueries) assert.deepEqual(await find(query), [record.id], query)
    for (const query of missing) assert.deepEqual(await find(query), [], query)
  })
}

function testIdempotency({ resource, backend, create }: ResourceFixture): void {
  const [field] = resource.clearable

  it('a request with a used Idempotency-Key changes nothing, and gets the first answer again', async () => {
    const { url } = await create()
    const headers = { 'idempotency-key': `change ${url}` }
    const first = await backend.form(url, { [field]: '1' }, headers)
    await backend.form(url, { [field]: '2' })
    const again = await backend.form(url, { [field]: '1' }, headers)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal((await backend.get(url)).json[field], '2')
    const other = await create()
    assert.equal((await backend.form(other.url, { [field]: '1' }, headers)).json.error_code, 951)
  })
}

function testSimultaneous({ resource, api, backend, create }: ResourceFixture): void {
  const { table, whole, others, clearable, search } = resource
  const { sql: database } = api.services
  const [field] = clearable

  it('each field can be changed alone, and changes of different fields all survive', async () => {
    const { url } = await create(whole)
    const changes = Object.entries(others)
    const answers = await Promise.all(changes.map(([name, value]) => backend.json(url, { [name]: value })))
    for (const [index, [name, value]] of changes.entries())
      assert.equal(answers[index]?.json[name], value, name)
    const { json } = await backend.get(url)
    for (const [name, value] of changes) assert.equal(json[name], value, name)
    const orders = json.timeline.map(({ order }: { order: number }) => order)
    assert.deepEqual(
      orders,
      Array.from({ length: changes.length + 1 }, (_, index) => index + 1),
    )
  })

  it('a change waits for an open one, and is applied on top of it', async () => {
    const { record, url } = await create(whole)
    const { late } = await database.transaction(async (transaction) => {
      await transaction.run(sql`update ${raw(table)} set ${raw(field)} = 'Arada' where id = ${record.id}`)
      const late = backend.json(url, { [search.title]: 'Sonra' })
      await untilLockIsAwaited(database)
      return { late }
    })
    const { json } = await late
    assert.deepEqual([json[field], json[search.title]], ['Arada', 'Sonra'])
  })

  it('a change that waits for a deletion gets 404, and does not restore the record', async () => {
    const { record, url } = await create(whole)
    const { late } = await database.transaction(async (transaction) => {
      await transaction.run(
        sql`update ${raw(table)} set deleted_at = ${api.clock.now()} where id = ${record.id}`,
      )
      const late = backend.json(url, { [search.title]: 'Sonra' })
      await untilLockIsAwaited(database)
      return { late }
    })
    assert.equal((await late).json.error_code, 920)
    assert.equal((await backend.get(url)).status, 404)
  })
}

function testFaults({ resource, backend, create, faults }: ResourceFixture): void {
  const { path, whole, wrong, search } = resource

  it('the input is checked before the record is looked up: faults are reported for an unused id too', async () => {
    assert.deepEqual(Object.keys(await faults(`${path}/${unusedId}`, wrong)), Object.keys(wrong))
    assert.equal((await backend.json(`${path}/1`, wrong)).status, 404)
  })

  it('required fields cannot be cleared', async () => {
    const { record, url } = await create(whole)
    for (const [how, send] of blanks) {
      for (const name of unclearableOf(resource)) {
        const { errors } = (await send(backend, url, name)).json
        assert.deepEqual(errors, { [name]: ['This field cannot be empty.'] }, how)
      }
    }
    const { errors } = (await backend.json(url, { [search.title]: '' })).json
    assert.deepEqual(errors, { [search.title]: ['Bu alan boş bırakılamaz.'] })
    assert.deepEqual((await backend.get(url)).json, record)
  })

  it('the rules of creation apply, all faults are reported together, and nothing changes', async () => {
    const { record, url } = await create(whole)
    const errors = await faults(url, { [search.title]: 'Fine', ...wrong })
    assert.deepEqual(Object.keys(errors), Object.keys(wrong))
    assert.deepEqual((await backend.get(url)).json, record)
  })
}
