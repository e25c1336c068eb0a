import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { changeMerchant } from '../merchants/change-merchant.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'

const url = '/v1/customers'
const english = { 'accept-language': 'en' }
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)

const ayse = { name: 'Ayşe', lastname: 'Işık', email: 'ayse@example.com', phone: '+905321234567' }

/** The values that a customer with this metadata has, by key. */
async function metadataOf(metadata: unknown): Promise<Record<string, string>> {
  const { json } = await backend.json(url, { ...ayse, metadata })
  return Object.fromEntries(
    json.metadata.map((item: { key: string; value: string }) => [item.key, item.value]),
  )
}

async function created(more: object) {
  const answer = await backend.json(url, { ...ayse, ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

/** The faults of a customer with these fields instead of good ones. */
async function faults(more: object): Promise<Record<string, string[]>> {
  const answer = await backend.json(url, { ...ayse, ...more }, english)
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.json.error_code, 901)
  return answer.json.errors
}

describe('200', () => {
  it('a customer with every field is answered bare, to the letter of the contract', async () => {
    const answer = await backend.form(
      url,
      {
        ...ayse,
        country: 'TR',
        city: 'İstanbul',
        district: 'Kadıköy',
        address: 'Moda Cad. 12/3',
        zip_code: '34710',
        metadata: '{"order":1001}',
      },
      { 'accept-language': 'tr' },
    )
    assert.equal(answer.status, 200)
    const { id, ...rest } = answer.json
    assert.match(String(id), /^\d{14}$/)
    assert.deepEqual(rest, {
      merchant_id: api.merchant.id,
      name: 'Ayşe',
      lastname: 'Işık',
      name_lastname: 'Ayşe Işık',
      phone_code: '+90',
      phone: '+905321234567',
      email: 'ayse@example.com',
      country: 'TR',
      country_flag_url: 'http://localhost:4242/flags/tr.svg',
      city: 'İstanbul',
      district: 'Kadıköy',
      address: 'Moda Cad. 12/3',
      zip_code: '34710',
      created_via_payment: false,
      created_at: '2026-11-15T09:30:00+03:00',
      updated_at: '2026-11-15T09:30:00+03:00',
      formatted_created_at: '15.11.2026 09:30',
      metadata: [
        {
          merchant_id: String(api.merchant.id),
          key: 'order',
          value: '1001',
          created_at: '2026-11-15T09:30:00+03:00',
          updated_at: '2026-11-15T09:30:00+03:00',
        },
      ],
      timeline: [
        {
          type: 'created',
          order: 1,
          text: 'Müşteri oluşturuldu.',
          date: '15.11.2026 09:30',
          icon: 'icon-plus',
        },
      ],
    })
  })

  it('without country and address these are null, the metadata is empty, and the country is the phone’s', async () => {
    const { json } = await backend.form(url, { ...ayse, phone: '+49 30 901820' })
    const { city, district, address, zip_code, metadata, country, phone_code } = json
    assert.deepEqual([city, district, address, zip_code, metadata], [null, null, null, null, []])
    assert.deepEqual([country, phone_code], ['DE', '+49'])
  })

  it('JSON, form and blank optional fields mean the same', async () => {
    const asForm = (await backend.form(url, { ...ayse, city: '', district: ' ', metadata: '' })).json
    const asJson = await created({ city: null, district: '', metadata: null })
    assert.deepEqual({ ...asJson, id: 0 }, { ...asForm, id: 0 })
  })

  it('a phone of no country leaves the merchant’s own country', async () => {
    const satellite = { ...ayse, phone: '+870773111632' }
    const { json } = await backend.form(url, satellite)
    assert.deepEqual([json.country, json.phone_code, json.phone], ['TR', '+90', '+870773111632'])
    const abroad = await testApi()
    await changeMerchant(abroad.services, { merchant: abroad.merchant.id, country: 'DE' })
    assert.equal((await backendOf(abroad).form(url, satellite)).json.country, 'DE')
  })

  it('a country is taken in either case, answered in capitals, and decides the dialling prefix', async () => {
    for (const [sent, country, prefix] of [
      ['us', 'US', '+1'],
      ['Gb', 'GB', '+44'],
      ['TR', 'TR', '+90'],
      ['aq', 'AQ', '+672'],
      ['xk', 'XK', '+383'],
    ]) {
      const { country: answered, phone_code, phone } = await created({ country: sent })
      assert.deepEqual([answered, phone_code, phone], [country, prefix, ayse.phone])
    }
  })

  it('the address of the flag shows a flag', async () => {
    const { country_flag_url } = await created({ country: 'NO' })
    const flag = await api.call({ url: new URL(country_flag_url).pathname })
    assert.equal(flag.status, 200)
    assert.match(String(flag.headers['content-type']), /^image\/svg\+xml/)
  })

  it('a phone is taken with any spacing, and with the plus that a form made a space', async () => {
    for (const phone of ['+90 532 123 45 67', '+90 (532) 123-45-67', ' +905321234567 ']) {
      assert.equal((await created({ phone })).phone, '+905321234567')
    }
    const unencoded = 'name=A&lastname=B&email=a%40example.com&phone=+905321234567'
    assert.equal((await backend.form(url, unencoded)).json.phone, '+905321234567')
  })

  it('text is trimmed, composed, and fits its limit by what people count as characters', async () => {
    const limits = { name: 100, lastname: 100, city: 100, district: 100, address: 500, zip_code: 20 }
    const longest = Object.fromEntries(Object.entries(limits).map(([name, max]) => [name, '😀'.repeat(max)]))
    const local = 'a'.repeat(64)
    const email = `${local}@${`${'b'.repeat(61)}.`.repeat(3)}com`
    const made = await created({ ...longest, email })
    for (const [name, value] of Object.entries({ ...longest, email })) assert.equal(made[name], value, name)
    assert.equal((await created({ name: '  Ays\u0327e \t' })).name, 'Ayşe')
  })

  it('what an address may look like is taken as it is', async () => {
    for (const email of ["o'brien+shop@mail.example.co.uk", 'Ayse@Example.COM', 'a_b-c@x-y.example']) {
      assert.equal((await created({ email })).email, email)
    }
  })

  it('what is not asked for is ignored', async () => {
    const made = await created({ id: 1, merchant_id: 2, created_via_payment: true, colour: 'red' })
    assert.notEqual(made.id, 1)
    assert.equal(made.merchant_id, api.merchant.id)
    assert.equal(made.created_via_payment, false)
    assert.ok(!('colour' in made))
  })

  it('two customers may be alike, and each has an id of its own', async () => {
    assert.notEqual((await created({})).id, (await created({})).id)
  })

  it('texts and times are in the language asked for and in the merchant’s time zone', async () => {
    const newYork = await testApi()
    await changeMerchant(newYork.services, { merchant: newYork.merchant.id, time_zone: 'America/New_York' })
    const { json } = await backendOf(newYork).form(url, { ...ayse, metadata: '{"a":"b"}' }, english)
    const at = '2026-11-15T01:30:00-05:00'
    assert.deepEqual([json.created_at, json.updated_at, json.metadata[0].created_at], [at, at, at])
    assert.equal(json.formatted_created_at, '15.11.2026 01:30')
    assert.deepEqual(
      [json.timeline[0].text, json.timeline[0].date],
      ['The customer was created.', '15.11.2026 01:30'],
    )
  })

  it('an Idempotency-Key makes one customer, however often it is sent', async () => {
    const send = (lastname: string) =>
      backend.form(url, { ...ayse, lastname }, { 'idempotency-key': 'one customer' })
    const [first, second] = [await send('Onlyonce'), await send('Onlyonce')]
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal((await send('Another')).json.error_code, 951)
    const rows = sql`select id from customers where lastname in ('Onlyonce', 'Another')`
    assert.equal((await api.services.sql.many(rows)).length, 1)
  })
})

describe('200, metadata', () => {
  it('comes as an object, as JSON in a text, or in a form by bracketed keys', async () => {
    const wanted = { order: 'A-1001', vip: 'true' }
    assert.deepEqual(await metadataOf({ order: 'A-1001', vip: true }), wanted)
    assert.deepEqual(await metadataOf('{"order":"A-1001","vip":true}'), wanted)
    const bracketed = `${new URLSearchParams(ayse)}&metadata[order]=A-1001&metadata[vip]=true`
    const { json } = await backend.form(url, bracketed)
    assert.deepEqual(
      json.metadata.map(({ key, value }: Record<string, string>) => [key, value]),
      Object.entries(wanted),
    )
  })

  it('gives numbers and booleans back as text, exactly as they were written', async () => {
    const written = ['1', '1.0', '1e3', '-0', '0.10', '12345678901234567890', 'true', 'false']
    for (const value of written) {
      const form = { ...ayse, metadata: `{"n":${value}}` }
      assert.equal((await backend.form(url, form)).json.metadata[0].value, value)
      const body = JSON.stringify(ayse).replace('}', `,"metadata":{"n":${value}}}`)
      const headers = { 'content-type': 'application/json' }
      assert.equal((await backend.send({ method: 'POST', url, body, headers })).json.metadata[0].value, value)
    }
  })

  it('trims keys and values, keeps an empty value, and may have any name, also those of JavaScript', async () => {
    assert.deepEqual(await metadataOf('{" a ":" b ","empty":""}'), { a: 'b', empty: '' })
    assert.deepEqual(await metadataOf({ 0: 'a', constructor: 'b', toString: 'c' }), {
      0: 'a',
      constructor: 'b',
      toString: 'c',
    })
    const { json } = await backend.form(url, { ...ayse, metadata: '{"__proto__":"x"}' })
    assert.deepEqual([json.metadata[0].key, json.metadata[0].value], ['__proto__', 'x'])
  })

  it('may hold 50 pairs, keys of 40 and values of 500 characters', async () => {
    const pairs = Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(40, 'ş'), '😀'.repeat(500)])
    assert.deepEqual(await metadataOf(Object.fromEntries(pairs)), Object.fromEntries(pairs))
  })

  it('that is empty is none', async () => {
    for (const metadata of ['', '{}', {}, null]) assert.deepEqual(await metadataOf(metadata), {})
  })
})

describe('401', () => {
  it('without a token nobody is registered', async () => {
    const answer = await api.call({ method: 'POST', url, json: { ...ayse, lastname: 'Nobody' } })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
    const rows = await api.services.sql.many(sql`select id from customers where lastname = 'Nobody'`)
    assert.equal(rows.length, 0)
  })
})

describe('403', () => {
  it('a token made from a public key registers nobody', async () => {
    const token = await api.token(api.publicKey)
    const answer = await api.call({ method: 'POST', url, token, json: ayse })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  it('everything that is wrong is named at once', async () => {
    const answer = await backend.form(url, {
      email: 'x',
      phone: '1',
      country: 'ZZ',
      city: 'Bursa',
      metadata: '[',
    })
    assert.equal(answer.status, 422)
    assert.equal(answer.json.error_code, 901)
    const names = ['name', 'lastname', 'email', 'phone', 'country', 'metadata', 'district']
    assert.deepEqual(Object.keys(answer.json.errors).toSorted(), names.toSorted())
    assert.deepEqual(answer.json.errors.name, ['Bu alan zorunludur.'])
  })

  it('name, last name, e-mail and phone are required, and blank is missing', async () => {
    for (const name of ['name', 'lastname', 'email', 'phone']) {
      for (const value of [undefined, '', '  ', null]) {
        assert.deepEqual(await faults({ [name]: value }), { [name]: ['This field is required.'] })
      }
    }
  })

  it('a city needs a district; a district needs no city', async () => {
    assert.deepEqual(await faults({ city: 'Bursa' }), { district: ['Required when a city is given.'] })
    assert.deepEqual(await faults({ city: 'Bursa', district: ' ' }), {
      district: ['Required when a city is given.'],
    })
    assert.equal((await created({ district: 'Nilüfer' })).city, null)
  })

  it('a phone is international, exists, and has no extension', async () => {
    const national = ['05321234567', '5321234567', '905321234567', '0005321234567']
    const wrong = [
      '+90532123456',
      '+905321234567 ext 5',
      '+905321234567x5',
      '+999123456',
      '+90 532 ABC',
      'yok',
    ]
    for (const phone of [...national, ...wrong]) {
      assert.match(String((await faults({ phone }))['phone']), /valid phone number in international/, phone)
    }
    assert.deepEqual(await faults({ phone: 905321234567 }), { phone: ['Must be text.'] })
  })

  it('a country is one of ISO 3166-1', async () => {
    for (const country of ['ZZ', 'EU', 'UK', 'SU', 'T', '90', 'ß', 'ﬁ']) {
      assert.match(String((await faults({ country }))['country']), /ISO 3166-1/, country)
    }
    assert.deepEqual(Object.keys(await faults({ country: 'TUR' })), ['country'])
  })

  it('an e-mail address is one that mail can be sent to', async () => {
    const wrong = ['ayse', 'ayse@', '@example.com', 'a@b', 'a b@example.com', 'a@example..com', '"a b"@c.com']
    for (const email of [
      ...wrong,
      'a@[1.2.3.4]',
      'a@1.2.3.4',
      'a@-b.com',
      'a@b.c',
      'a@example.com, b@example.com',
    ]) {
      assert.match(String((await faults({ email }))['email']), /valid e-mail address/, email)
    }
  })

  it('what is over its limit is refused, never cut', async () => {
    const over = {
      name: 101,
      lastname: 101,
      email: 255,
      city: 101,
      district: 101,
      address: 501,
      zip_code: 21,
    }
    const sent = Object.fromEntries(Object.entries(over).map(([name, length]) => [name, 'x'.repeat(length)]))
    const wanted = Object.entries(over).map(([name, length]) => [
      name,
      [`May be at most ${length - 1} characters long.`],
    ])
    assert.deepEqual(await faults(sent), Object.fromEntries(wanted))
  })

  it('a field that a form has twice is refused', async () => {
    const twice = await backend.form(url, `${new URLSearchParams(ayse)}&name=B`)
    assert.deepEqual(Object.keys(twice.json.errors), ['name'])
    const metadata = encodeURIComponent('{"a":"b"}')
    const pairs = await backend.form(
      url,
      `${new URLSearchParams(ayse)}&metadata=${metadata}&metadata=${metadata}`,
    )
    assert.deepEqual(Object.keys(pairs.json.errors), ['metadata'])
  })

  it('every fault in the metadata is one of metadata', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, '1']))
    const wrong: [unknown, RegExp][] = [
      [many, /at most 50 items/],
      [{ ['k'.repeat(41)]: '1' }, /Keys: May be at most 40 characters/],
      [{ a: 'v'.repeat(501) }, /a: May be at most 500 characters/],
      [{ '': '1' }, /Keys cannot be empty/],
      [{ ' ': '1' }, /Keys cannot be empty/],
      [{ a: null }, /a: Must be text, a number, true or false/],
      [{ a: { b: 'c' } }, /a: Must be text/],
      [{ a: ['b'] }, /a: Must be text/],
      [{ a: '\0' }, /a: Holds characters/],
      [{ a: '1', ' a': '2' }, /a: Given more than once/],
      [['a'], /object of named values/],
      ['["a"]', /object of named values/],
      ['not json', /object of named values/],
      ['"text"', /object of named values/],
      [5, /object of named values/],
      [true, /object of named values/],
    ]
    for (const [metadata, sentence] of wrong) {
      const errors = await faults({ metadata })
      assert.deepEqual(Object.keys(errors), ['metadata'])
      assert.match(String(errors['metadata']), sentence)
    }
    const asList = `${new URLSearchParams(ayse)}&metadata[0][key]=a&metadata[0][value]=b`
    assert.deepEqual(Object.keys((await backend.form(url, asList)).json.errors), ['metadata'])
  })
})
