import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customers } from '../../testing/resources/customers.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'
import { searchAmong, testSearch } from '../../testing/resources/search.ts'

const fixture = await openResourceFixture(customers)
const { backend, search, allFind } = await searchAmong(fixture, {
  ayse: {
    name: 'Ayşe',
    lastname: 'Işık',
    email: 'ayse.isik@example.com',
    phone: '+905321234567',
    city: 'İstanbul',
    district: 'Kadıköy',
    address: 'Moda Cad. 12/3',
    zip_code: '34710',
  },
  mehmet: {
    name: 'Mehmet Ali',
    lastname: 'Öğüşçü',
    email: 'm.ogus@mail.example.org',
    phone: '+905339876543',
    city: 'ISPARTA',
    district: 'Merkez',
  },
  gulsah: { name: 'GÜLŞAH', lastname: 'Özçelik', email: 'ozcelik@example.com', phone: '+4930901820' },
  john: {
    name: 'John',
    lastname: "O'Neil",
    email: "john.o'neil@corp.example",
    phone: '+14155552671',
    city: 'São Paulo',
    district: 'Bela Vista',
    zip_code: '01310-100',
  },
  maria: {
    name: 'Maria',
    lastname: 'Rossi',
    email: 'MRossi@Example.IT',
    phone: '+390612345678',
    country: 'SM',
  },
})

testSearch(fixture)

describe('200, customers', () => {
  it('case and Turkish letters make no difference, in the query and in the record', async () => {
    await allFind('ayse', 'lastname', ['isik', 'Işık', 'ISIK', 'ışık', 'IŞIK', 'isı'])
    await allFind('ayse', 'city', ['İstanbul', 'istanbul', 'ISTANBUL', 'ıstan'])
    await allFind('mehmet', 'city', ['isparta', 'İSPARTA', 'ısparta'])
    await allFind('mehmet', 'lastname', ['ogusc', 'ÖĞÜŞÇÜ', 'öğüşçü', 'oguscu'])
    await allFind('gulsah', 'name', ['gulsah', 'gülşah', 'GULSAH'])
    await allFind('john', 'city', ['sao', 'São', 'SÃO PAULO'])
  })

  it('a text is found by prefixes of its words, not by their middles', async () => {
    await allFind('mehmet', 'name', ['meh', 'al', 'ali mehmet', 'meh al'])
    await allFind('', 'name', ['ehmet', 'hmet', 'mehmet veli', 'mehmetali'])
    await allFind('john', 'lastname', ["o'neil", 'neil', 'o’neil'])
  })

  it('a filter searches only its own field, and all filters must match', async () => {
    assert.deepEqual(await search({ name: 'isik' }), [])
    assert.deepEqual(await search({ name: 'ayse', lastname: 'isik', city: 'istanbul', country: 'tr' }), [
      'ayse',
    ])
    assert.deepEqual(await search({ name: 'ayse', lastname: 'rossi' }), [])
  })

  it('q searches all text fields, each of its words in any of them', async () => {
    await allFind('ayse', 'q', ['ayse', 'isik', 'kadikoy', 'moda 12', 'ayse moda istanbul', '34710'])
    await allFind('mehmet', 'q', ['merkez', 'ogus', '+90 533 987 65 43', 'mehmet isparta'])
    await allFind('john', 'q', ['01310-100', '01310', 'bela', 'corp', "john.o'neil@corp.example"])
    assert.deepEqual(await search({ q: 'ayse rossi' }), [])
    assert.deepEqual(await search({ q: 'TR' }), [], 'a country is no text of the customer’s')
  })

  it('an e-mail is found by its words, and with an @ by a prefix of the whole address', async () => {
    await allFind('ayse', 'email', [
      'ayse',
      'isik',
      'isik ayse',
      'ayse.isik@example.com',
      'AYSE.ISIK@',
      'ayse.isik@exa',
    ])
    await allFind('maria', 'email', ['mrossi@example.it', 'mrossi'])
    await allFind('john', 'email', ["o'neil", "john.o'neil@corp.example"])
    assert.deepEqual(await search({ email: '@example.com' }), ['ayse', 'gulsah'])
    await allFind('', 'email', ['isik@example.com', 'ayse@example.com', 'yse', '@'])
    await allFind('ayse', 'q', ['ayse.isik@example.com', 'isik ayse.isik@'])
  })

  it('a phone is found by a prefix, with +90, 0090, 0 or nothing in front and with any spacing', async () => {
    await allFind('ayse', 'phone', ['+905321234567', '+90 532 123 45 67', '00905321234567', '905321234567'])
    await allFind('ayse', 'phone', ['05321234567', '0532 123', '5321234567', '532', '+90 (532)'])
    await allFind('maria', 'phone', ['+390612345678', '0612345678', '0039 06 1234', '612345678'])
    await allFind('ayse', 'q', ['+905321234567', '0532 123 45 67', '0532', '5321234567', '(532) 123'])
    await allFind('ayse', 'q', ['ayse 0532', '0532 123 isik', 'ayse +90 532 123 45 67', 'isik (0532) 123-45'])
    assert.deepEqual(await search({ q: 'maria 0532' }), [])
    await allFind('', 'phone', ['1234567', '+', 'yok', '+91532'])
    const unencoded = await backend.get(`${customers.path}/search?phone=+905321234567`)
    assert.equal(unencoded.json.length, 1)
  })

  it('a country must match as a whole, in any case', async () => {
    assert.deepEqual(await search({ country: 'tr' }), ['ayse', 'mehmet'])
    assert.deepEqual(await search({ country: 'SM' }), ['maria'])
    assert.deepEqual(await search({ country: 'IT' }), [])
  })
})
