import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw, sql } from '../../kit/runtime/sql.ts'
import type { ResourceFixture } from './fixture.ts'
import { acceptEnglish, anotherBackend, testCredentials } from './fixture.ts'
import { optionalOf, requiredOf } from './resource.ts'

/** Guarantees of `POST /v1/<resources>` that hold for every resource. */
export function testCreate(fixture: ResourceFixture): void {
  const { resource, api } = fixture
  describe('200', () => {
    testFields(fixture)
    testAnswer(fixture)
    testIdempotency(fixture)
  })
  testCredentials(fixture, async () => {
    const before = await countOf(fixture)
    return {
      request: { method: 'POST', url: resource.path, json: resource.whole },
      assertIntact: async () => assert.equal(await countOf(fixture), before),
    }
  })
  describe('422', () => testFaults(fixture))

  async function countOf({ resource: { table } }: ResourceFixture): Promise<number> {
    const { count } = await api.services.sql.one<{ count: number }>(sql`select count(*) from ${raw(table)}`)
    return count
  }
}

function testFields({ resource, api, backend, create }: ResourceFixture): void {
  const { path, least, longest, readOnly, sameOtherwise, search } = resource

  it('JSON, forms and blank optional fields have the same effect', async () => {
    const optional = optionalOf(resource)
    const asForm = optional.map((name, index) => [name, index % 2 === 0 ? '' : ' '])
    const asJson = optional.map((name, index) => [name, index % 2 === 0 ? null : ''])
    const form = await backend.form(path, { ...least, ...Object.fromEntries(asForm) })
    assert.equal(form.status, 200, form.text)
    const json = await create({ ...least, ...sameOtherwise, ...Object.fromEntries(asJson) })
    assert.deepEqual({ ...json.record, id: 0 }, { ...form.json, id: 0 })
  })

  it('text is trimmed and composed, and its limit counts characters', async () => {
    const padded = Object.entries(longest).map(([name, value]) => [name, ` ${value} `])
    const { record } = await create({ ...least, ...Object.fromEntries(padded) })
    for (const [name, value] of Object.entries(longest)) assert.equal(record[name], value, name)
    const spaced = await create({ ...least, [search.title]: '  c\u0327ay \t' })
    assert.equal(spaced.record[search.title], 'çay')
  })

  it('read-only and unknown fields are ignored', async () => {
    const { record } = await create({ ...least, id: 1, merchant_id: 2, colour: 'red', ...readOnly.sent })
    assert.deepEqual({ ...record, ...readOnly.response }, record)
    assert.notEqual(record.id, 1)
    assert.equal(record.merchant_id, api.merchant.id)
    assert.ok(!('colour' in record))
  })

  it('metadata is accepted as an object, as JSON text and by bracketed keys', async () => {
    const bracketed = `${new URLSearchParams(least)}&metadata[order]=A-1&metadata[vip]=true`
    const form = await backend.form(path, bracketed)
    const object = await create({ ...least, metadata: { order: 'A-1', vip: true } })
    const text = await create({ ...least, metadata: '{"order":"A-1","vip":true}' })
    for (const { metadata } of [form.json, object.record, text.record]) {
      const pairs = metadata.map(({ key, value }: Record<string, string>) => [key, value])
      assert.deepEqual(pairs, Object.entries({ order: 'A-1', vip: 'true' }))
    }
  })
}

function testAnswer({ resource, api, backend, create }: ResourceFixture): void {
  const { path, least, whole, shown, sentences } = resource

  it('a record with every field is returned without an envelope, exactly as in the contract', async () => {
    const form = { ...(whole as Record<string, string>), metadata: '{"order":1001}' }
    const { status, json } = await backend.form(path, form, { 'accept-language': 'tr' })
    assert.equal(status, 200)
    const { id, ...rest } = json
    assert.match(String(id), /^\d{14}$/)
    const [now, date] = ['2026-11-15T09:30:00+03:00', '15.11.2026 09:30']
    const pair = { merchant_id: String(api.merchant.id), key: 'order', value: '1001' }
    assert.deepEqual(rest, {
      merchant_id: api.merchant.id,
      ...shown,
      created_at: now,
      updated_at: now,
      formatted_created_at: date,
      metadata: [{ ...pair, created_at: now, updated_at: now }],
      timeline: [{ type: 'created', order: 1, text: sentences.created.tr, date, icon: 'icon-plus' }],
    })
  })

  it('two equal records get different ids', async () => {
    assert.notEqual((await create()).record.id, (await create()).record.id)
  })

  it('texts are in the requested language, and times in the merchant’s time zone', async () => {
    const newYork = await anotherBackend(api, { time_zone: 'America/New_York' })
    const { json } = await newYork.json(path, { ...least, metadata: { a: 'b' } }, acceptEnglish)
    const at = '2026-11-15T01:30:00-05:00'
    assert.deepEqual([json.created_at, json.updated_at, json.metadata[0].created_at], [at, at, at])
    assert.equal(json.formatted_created_at, '15.11.2026 01:30')
    const [{ text, date }] = json.timeline
    assert.deepEqual([text, date], [sentences.created.en, '15.11.2026 01:30'])
  })
}

function testIdempotency({ resource, backend, find }: ResourceFixture): void {
  const { path, least, search } = resource

  it('an Idempotency-Key creates one record, however often it is sent', async () => {
    const send = (title: string) =>
      backend.form(path, { ...least, [search.title]: title }, { 'idempotency-key': 'one record' })
    const [first, second] = [await send('Onlyonce'), await send('Onlyonce')]
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal((await send('Another')).json.error_code, 951)
    assert.deepEqual(await find(`${search.title}=onlyonce`), [first.json.id])
    assert.deepEqual(await find(`${search.title}=another`), [])
  })
}

function testFaults({ resource, backend, faults }: ResourceFixture): void {
  const { path, least, longest, wrong, search } = resource

  it('all faults are reported together, in the merchant’s language', async () => {
    const [missing = '', ...others] = Object.keys(wrong)
    const { json } = await backend.json(path, { ...least, ...wrong, [missing]: undefined })
    assert.deepEqual(Object.keys(json.errors), [missing, ...others])
    assert.deepEqual(json.errors[missing], ['Bu alan zorunludur.'])
  })

  it('a required field must be present and not blank', async () => {
    for (const value of [undefined, '', '  ', null]) {
      const body = Object.fromEntries(requiredOf(resource).map((name) => [name, value]))
      const expected = requiredOf(resource).map((name) => [name, ['This field is required.']])
      assert.deepEqual(await faults(path, body), Object.fromEntries(expected))
    }
  })

  it('text over its limit is refused, never truncated', async () => {
    const limits = Object.entries(longest).map(([name, text]) => ({ name, limit: [...text].length }))
    const over = limits.map(({ name, limit }) => [name, 'x'.repeat(limit + 1)])
    const expected = limits.map(({ name, limit }) => [name, [`Must be at most ${limit} characters long.`]])
    assert.deepEqual(
      await faults(path, { ...least, ...Object.fromEntries(over) }),
      Object.fromEntries(expected),
    )
  })

  it('a field that occurs twice in a form is refused', async () => {
    const { json } = await backend.form(path, `${new URLSearchParams(least)}&${search.title}=B`)
    assert.deepEqual(Object.keys(json.errors), [search.title])
  })
}
