import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testCreate } from '../../testing/resources/create.ts'
import { customers } from '../../testing/resources/customers.ts'
import { anotherBackend, openResourceFixture } from '../../testing/resources/fixture.ts'

const fixture = await openResourceFixture(customers)
const { api, backend, create } = fixture
const { path, least } = customers
const created = async (more: object) => (await create({ ...least, ...more })).record
const faults = (more: object) => fixture.faults(path, { ...least, ...more })

testCreate(fixture)

describe('200, a customer', () => {
  it('without country and address these are null, the metadata is empty, and the country is that of the phone', async () => {
    const { json } = await backend.form(path, { ...least, phone: '+49 30 901820' })
    const { city, district, address, zip_code, metadata, country, phone_code } = json
    assert.deepEqual([city, district, address, zip_code, metadata], [null, null, null, null, []])
    assert.deepEqual([country, phone_code], ['DE', '+49'])
  })

  it('a phone without a country gives the merchant’s country', async () => {
    const satellite = { ...least, phone: '+870773111632' }
    const { json } = await backend.form(path, satellite)
    assert.deepEqual([json.country, json.phone_code, json.phone], ['TR', '+90', '+870773111632'])
    const abroad = await anotherBackend(api, { country: 'DE' })
    assert.equal((await abroad.form(path, satellite)).json.country, 'DE')
  })

  it('a country is accepted in any case, returned in upper case, and decides the dialling prefix', async () => {
    for (const [sent, country, prefix] of [
      ['us', 'US', '+1'],
      ['Gb', 'GB', '+44'],
      ['TR', 'TR', '+90'],
      ['aq', 'AQ', '+672'],
      ['xk', 'XK', '+383'],
    ]) {
      const { country: actual, phone_code, phone } = await created({ country: sent })
      assert.deepEqual([actual, phone_code, phone], [country, prefix, least['phone']])
    }
  })

  it('the flag’s address serves a flag', async () => {
    const { country_flag_url } = await created({ country: 'NO' })
    const flag = await api.call({ url: new URL(country_flag_url).pathname })
    assert.equal(flag.status, 200)
    assert.match(String(flag.headers['content-type']), /^image\/svg\+xml/)
  })

  it('a phone is accepted with any spacing, and with a plus that became a space in a form', async () => {
    for (const phone of ['+90 532 123 45 67', '+90 (532) 123-45-67', ' +905321234567 ']) {
      assert.equal((await created({ phone })).phone, '+905321234567')
    }
    const unencoded = 'name=A&lastname=B&email=a%40example.com&phone=+905321234567'
    assert.equal((await backend.form(path, unencoded)).json.phone, '+905321234567')
  })

  it('every valid form of an address is accepted unchanged', async () => {
    for (const email of ["o'brien+shop@mail.example.co.uk", 'Ayse@Example.COM', 'a_b-c@x-y.example']) {
      assert.equal((await created({ email })).email, email)
    }
  })
})

describe('422, a customer', () => {
  it('a city requires a district; a district requires no city', async () => {
    assert.deepEqual(await faults({ city: 'Bursa' }), { district: ['Required if a city is sent.'] })
    assert.deepEqual(await faults({ city: 'Bursa', district: ' ' }), {
      district: ['Required if a city is sent.'],
    })
    assert.deepEqual(Object.keys(await faults({ city: 'Bursa', email: 'x' })), ['email', 'district'])
    assert.equal((await created({ district: 'Nilüfer' })).city, null)
  })

  it('a phone must be international, exist, and have no extension', async () => {
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

  it('a country must be in ISO 3166-1', async () => {
    for (const country of ['ZZ', 'EU', 'UK', 'SU', 'T', '90', 'ß', 'ﬁ']) {
      assert.match(String((await faults({ country }))['country']), /ISO 3166-1/, country)
    }
    assert.deepEqual(Object.keys(await faults({ country: 'TUR' })), ['country'])
  })

  it('an e-mail address must have a valid form', async () => {
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
})
