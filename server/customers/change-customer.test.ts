import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'
import { someoneWaitsForALock } from '../testing/database.ts'
import { customerForChange, hideCustomer } from './store.ts'

const english = { 'accept-language': 'en' }
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)

const whole = {
  name: 'Ayşe',
  lastname: 'Işık',
  email: 'ayse@example.com',
  phone: '+905321234567',
  city: 'İstanbul',
  district: 'Kadıköy',
  address: 'Moda Cad. 12/3',
  zip_code: '34710',
  metadata: { order: 'A-1', vip: true },
}

async function someone(more: object = {}) {
  const { json } = await backend.json('/v1/customers', { ...whole, ...more })
  return { customer: json, url: `/v1/customers/${json.id}` }
}

async function faults(url: string, change: object): Promise<Record<string, string[]>> {
  const answer = await backend.json(url, change, english)
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.json.error_code, 901)
  return answer.json.errors
}

const blanks: [string, (url: string, name: string) => Promise<{ json: { errors: object } }>][] = [
  ['an empty form field', (url, name) => backend.form(url, { [name]: '' })],
  ['a blank text', (url, name) => backend.json(url, { [name]: '  ' })],
  ['null', (url, name) => backend.json(url, { [name]: null })],
]

describe('200', () => {
  it('only what is given changes, and the whole customer is answered', async () => {
    const { customer, url } = await someone()
    api.clock.advance(60_000)
    const { status, json } = await backend.form(url, { lastname: 'Yılmaz', country: 'de' }, english)
    assert.equal(status, 200)
    assert.deepEqual(json, {
      ...customer,
      lastname: 'Yılmaz',
      name_lastname: 'Ayşe Yılmaz',
      country: 'DE',
      phone_code: '+49',
      country_flag_url: 'http://localhost:4242/flags/de.svg',
      updated_at: json.updated_at,
      timeline: json.timeline,
    })
    assert.equal(Date.parse(json.updated_at) - Date.parse(customer.updated_at), 60_000)
    assert.deepEqual(
      json.timeline.map(({ type, order, text }: Record<string, unknown>) => [type, order, text]),
      [
        ['created', 1, 'The customer was created.'],
        ['updated', 2, 'The customer was updated.'],
      ],
    )
    assert.deepEqual((await backend.get(url, english)).json, json)
  })

  it('every field can be changed', async () => {
    const { url } = await someone()
    const changes = {
      name: 'Ali',
      lastname: 'Kaya',
      email: 'ali@example.org',
      phone: '+4930901820',
      country: 'FR',
      city: 'Lyon',
      district: '3e',
      address: '1, rue X',
      zip_code: '69003',
    }
    for (const [name, value] of Object.entries(changes)) {
      assert.equal((await backend.form(url, { [name]: value })).json[name], value)
    }
    const { json } = await backend.get(url)
    for (const [name, value] of Object.entries(changes)) assert.equal(json[name], value)
    assert.deepEqual(
      json.timeline.map(({ order }: { order: number }) => order),
      Array.from({ length: 10 }, (_, index) => index + 1),
    )
  })

  it('a new phone leaves the country as it is', async () => {
    const { url } = await someone()
    const { json } = await backend.form(url, { phone: '+49 30 901820' })
    assert.deepEqual([json.phone, json.country, json.phone_code], ['+4930901820', 'TR', '+90'])
  })

  it('a plus that a form made a space is one here too', async () => {
    const { url } = await someone()
    assert.equal((await backend.form(url, 'phone=+4930901820')).json.phone, '+4930901820')
  })

  it('an optional field that is sent empty is cleared: in a form, as blank text, as null', async () => {
    for (const [how, send] of blanks) {
      const { url } = await someone()
      for (const name of ['address', 'zip_code', 'city', 'district', 'metadata']) {
        await send(url, name)
        const left = (await backend.get(url)).json[name]
        assert.deepEqual(left, name === 'metadata' ? [] : null, `${name}, ${how}`)
      }
    }
    const { url } = await someone()
    const { json } = await backend.form(url, { city: '', district: '' })
    assert.deepEqual([json.city, json.district], [null, null])
  })

  it('metadata that is given replaces all of it; unchanged pairs keep their times', async () => {
    const { customer, url } = await someone()
    api.clock.advance(60_000)
    const { json } = await backend.json(url, { metadata: { vip: 'true', order: 'A-2', new: 1.5 } })
    const [order, vip] = customer.metadata
    const now = json.updated_at
    assert.deepEqual(json.metadata, [
      vip,
      { ...order, value: 'A-2', updated_at: now },
      { merchant_id: String(api.merchant.id), key: 'new', value: '1.5', created_at: now, updated_at: now },
    ])
    assert.notEqual(now, vip.updated_at)
    assert.deepEqual((await backend.json(url, { metadata: {} })).json.metadata, [])
  })

  it('a change of nothing leaves no trace, in the answer or in the row', async () => {
    const { customer, url } = await someone()
    const row = sql`select customers::text as text, xmin::text from customers where id = ${customer.id}`
    const before = await api.services.sql.one(row)
    api.clock.advance(60_000)
    const { country, metadata: _, timeline: __, ...same } = customer
    for (const nothing of [
      {},
      { lastname: whole.lastname },
      { ...same, country: country.toLowerCase(), metadata: whole.metadata },
      { unknown: 'x', id: 5, created_at: 'now' },
    ]) {
      assert.deepEqual((await backend.json(url, nothing)).json, customer)
    }
    assert.deepEqual((await backend.send({ method: 'POST', url })).json, customer)
    assert.deepEqual(await api.services.sql.one(row), before)
  })

  it('what was changed is found by its new words and no longer by the old ones', async () => {
    const { customer, url } = await someone({ name: 'Eskiad' })
    await backend.form(url, { name: 'Yeniad', phone: '+4930901827' })
    const found = async (query: string) =>
      (await backend.get(`/v1/customers/search?${query}`)).json.map(({ id }: { id: number }) => id)
    assert.deepEqual(await found('name=yeniad'), [customer.id])
    assert.deepEqual(await found('phone=%2B4930901827'), [customer.id])
    assert.deepEqual(await found('name=eskiad'), [])
  })

  it('changes of different fields at the same moment both survive', async () => {
    const { url } = await someone()
    const changes = {
      name: 'Ali',
      lastname: 'Kaya',
      email: 'ali@example.org',
      address: 'Başka sokak',
      zip_code: '1',
    }
    const answers = await Promise.all(
      Object.entries(changes).map(([name, value]) => backend.form(url, { [name]: value })),
    )
    for (const { status } of answers) assert.equal(status, 200)
    const { json } = await backend.get(url)
    for (const [name, value] of Object.entries(changes)) assert.equal(json[name], value)
    const orders = json.timeline.map(({ order }: { order: number }) => order)
    assert.deepEqual(orders, [1, 2, 3, 4, 5, 6])
  })

  it('a change waits for one that is under way, and builds on it', async () => {
    const { customer, url } = await someone()
    const { sql: database } = api.services
    const waiting = await database.transaction(async (transaction) => {
      await customerForChange(transaction, api.merchant.id, customer.id)
      const late = backend.form(url, { zip_code: '06000' })
      await someoneWaitsForALock(database)
      await transaction.run(sql`update customers set address = 'Arada' where id = ${customer.id}`)
      return { late }
    })
    const { json } = await waiting.late
    assert.deepEqual([json.address, json.zip_code], ['Arada', '06000'])
  })

  it('an Idempotency-Key changes once, and answers what it answered then', async () => {
    const { url } = await someone()
    const headers = { 'idempotency-key': `change ${url}` }
    const first = await backend.form(url, { zip_code: '1' }, headers)
    await backend.form(url, { zip_code: '2' })
    const again = await backend.form(url, { zip_code: '1' }, headers)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal((await backend.get(url)).json.zip_code, '2')
    const other = await someone()
    assert.equal((await backend.form(other.url, { zip_code: '1' }, headers)).json.error_code, 951)
  })
})

describe('401', () => {
  it('without a token nothing is changed', async () => {
    const { customer, url } = await someone()
    const answer = await api.call({ method: 'POST', url, json: { name: 'X' } })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
    assert.deepEqual((await backend.get(url)).json, customer)
  })
})

describe('403', () => {
  it('a token made from a public key changes nothing', async () => {
    const { customer, url } = await someone()
    const token = await api.token(api.publicKey)
    const answer = await api.call({ method: 'POST', url, token, json: { name: 'X' } })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
    assert.deepEqual((await backend.get(url)).json, customer)
  })
})

describe('404', () => {
  it('an id of nobody, of no form, of a deleted customer and of another merchant’s are all the same', async () => {
    const deleted = await someone()
    await backend.delete(deleted.url)
    const stranger = await testApi({ database: api.database })
    const other = (await backendOf(stranger).json('/v1/customers', whole)).json
    const paths = ['99999999999999', '1', 'x', '10000000000000000', '-5', '1.5']
    for (const url of [
      ...paths.map((id) => `/v1/customers/${id}`),
      deleted.url,
      `/v1/customers/${other.id}`,
    ]) {
      for (const change of [{ name: 'X' }, {}]) {
        const answer = await backend.json(url, change, english)
        assert.deepEqual([answer.status, answer.json.error_code], [404, 920], url)
      }
    }
    assert.equal((await backendOf(stranger).get(`/v1/customers/${other.id}`)).json.name, whole.name)
  })
})

describe('404, at the same moment', () => {
  it('a change that waits for a deletion finds nobody, and brings nobody back', async () => {
    const { customer, url } = await someone()
    const { sql: database } = api.services
    const waiting = await database.transaction(async (transaction) => {
      await hideCustomer(transaction, api.merchant.id, customer.id, api.clock.now())
      const late = backend.form(url, { zip_code: '06000' })
      await someoneWaitsForALock(database)
      return { late }
    })
    assert.equal((await waiting.late).json.error_code, 920)
    assert.equal((await backend.get(url)).status, 404)
  })
})

describe('422', () => {
  it('a request is read before the customer is looked for: wrong fields are named also for an id of nobody', async () => {
    assert.deepEqual(Object.keys(await faults('/v1/customers/99999999999999', { email: 'x' })), ['email'])
    assert.equal((await backend.json('/v1/customers/1', { email: 'x' })).status, 404)
  })

  it('what a customer must have cannot be cleared', async () => {
    const { customer, url } = await someone()
    for (const [how, send] of blanks) {
      for (const name of ['name', 'lastname', 'email', 'phone', 'country']) {
        const { errors } = (await send(url, name)).json
        assert.deepEqual(errors, { [name]: ['Bu alan boş bırakılamaz.'] }, how)
      }
    }
    assert.deepEqual((await backend.get(url)).json, customer)
  })

  it('a city needs a district, whichever of them is changed', async () => {
    const needed = { district: ['Required when a city is given.'] }
    const bare = await someone({ city: null, district: null })
    assert.deepEqual(await faults(bare.url, { city: 'Bursa' }), needed)
    assert.deepEqual(await faults(bare.url, { city: 'Bursa', district: '' }), needed)
    assert.equal((await backend.get(bare.url)).json.city, null)
    const full = await someone()
    assert.deepEqual(await faults(full.url, { district: '' }), needed)
    assert.deepEqual(await faults(full.url, { district: null, name: 'Ali' }), needed)
    assert.deepEqual((await backend.get(full.url)).json, full.customer)
    assert.equal((await backend.form(full.url, { city: 'Bursa' })).json.district, 'Kadıköy')
    assert.equal((await backend.form(full.url, { city: '' })).json.district, 'Kadıköy')
  })

  it('the rules are those of creation, all faults are named at once, and nothing is changed', async () => {
    const { customer, url } = await someone()
    const errors = await faults(url, {
      name: 'x'.repeat(101),
      lastname: 'Fine',
      email: 'x',
      phone: '05321234567',
      country: 'UK',
      city: 5,
      address: 'x'.repeat(501),
      metadata: { a: null },
    })
    const names = ['name', 'email', 'phone', 'country', 'city', 'address', 'metadata']
    assert.deepEqual(Object.keys(errors), names)
    assert.deepEqual((await backend.get(url)).json, customer)
  })
})
