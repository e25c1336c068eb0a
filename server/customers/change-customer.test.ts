import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testChange } from '../../testing/resources/change.ts'
import { customers } from '../../testing/resources/customers.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'

const fixture = await openResourceFixture(customers)
const { backend, create, faults } = fixture
const { whole } = customers

testChange(fixture)

describe('200, a customer', () => {
  it('a new phone keeps the country', async () => {
    const { url } = await create(whole)
    const { json } = await backend.form(url, { phone: '+49 30 901820' })
    assert.deepEqual([json.phone, json.country, json.phone_code], ['+4930901820', 'TR', '+90'])
  })

  it('a plus that became a space in a form is accepted here too', async () => {
    const { url } = await create(whole)
    assert.equal((await backend.form(url, 'phone=+4930901820')).json.phone, '+4930901820')
  })
})

describe('422, a customer', () => {
  it('a city requires a district, whichever of them changes', async () => {
    const needed = { district: ['Required if a city is sent.'] }
    const bare = await create({ ...whole, city: null, district: null })
    assert.deepEqual(await faults(bare.url, { city: 'Bursa' }), needed)
    assert.deepEqual(await faults(bare.url, { city: 'Bursa', district: '' }), needed)
    assert.equal((await backend.get(bare.url)).json.city, null)
    const full = await create(whole)
    assert.deepEqual(await faults(full.url, { district: '' }), needed)
    assert.deepEqual(await faults(full.url, { district: null, name: 'Ali' }), needed)
    assert.deepEqual((await backend.get(full.url)).json, full.record)
    assert.equal((await backend.form(full.url, { city: 'Bursa' })).json.district, 'Kadıköy')
    assert.equal((await backend.form(full.url, { city: '' })).json.district, 'Kadıköy')
    const both = await create(whole)
    const { city, district } = (await backend.form(both.url, { city: '', district: '' })).json
    assert.deepEqual([city, district], [null, null])
  })
})
