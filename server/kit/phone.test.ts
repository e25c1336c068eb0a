import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callingCode, phoneOf, readPhone } from './phone.ts'
import { countries } from './regions.ts'

describe('a phone number', () => {
  it('in international format becomes E.164, however it is spaced', () => {
    for (const text of ['+905321234567', '+90 532 123 45 67', '+90 (532) 123-45-67', '+90.532.123.4567']) {
      assert.deepEqual(phoneOf(text), { e164: '+905321234567', national: '5321234567', country: 'TR' })
    }
  })

  it('keeps the zero that is part of it', () => {
    assert.equal(phoneOf('+39 06 1234 5678')?.e164, '+390612345678')
  })

  it('whose plus became a space on its way through a form is read as if it had it', () => {
    assert.deepEqual(readPhone('905321234567', ' 905321234567'), { value: phoneOf('+905321234567') })
    assert.ok('tr' in readPhone('05321234567', ' 05321234567'), 'no number begins with +0')
    assert.ok('tr' in readPhone('905321234567', '905321234567'), 'what was sent without a space had no plus')
    assert.ok('tr' in readPhone('905321234567', '\t905321234567'))
  })

  it('may have the 00 that is dialled in place of the plus', () => {
    const phone = { value: phoneOf('+905321234567') }
    assert.deepEqual(readPhone('00905321234567', '00905321234567'), phone)
    assert.ok('tr' in readPhone('000905321234567', '000905321234567'))
  })

  it('that is national, too short or long, unassigned, with letters or an extension is none', () => {
    const wrong = ['05321234567', '5321234567', '00905321234567', '+90532123456', '+9053212345678', '+90']
    const odd = [
      '+999123456789',
      '+905321234567 ext 5',
      '+905321234567;ext=5',
      '+905321234567x5',
      '+90532ABCDEFG',
    ]
    for (const text of [...wrong, ...odd, '', '+', '++905321234567', 'phone +905321234567']) {
      assert.equal(phoneOf(text), undefined, text)
    }
  })

  it('of no country is a number all the same', () => {
    assert.deepEqual(phoneOf('+80012345678'), {
      e164: '+80012345678',
      national: '12345678',
      country: undefined,
    })
  })

  it('is of a country of ISO 3166-1, also where its island has a prefix of its own', () => {
    assert.equal(phoneOf('+24740123')?.country, 'SH')
    assert.equal(phoneOf('+2908999')?.country, 'SH')
  })
})

describe('the calling code', () => {
  it('is known of every country, also of those without a numbering plan of their own', () => {
    for (const country of countries) assert.match(callingCode(country), /^\+\d{1,3}$/, country)
    const some = ['TR', 'US', 'CA', 'GB', 'XK', 'AQ', 'VA'].map(callingCode)
    assert.deepEqual(some, ['+90', '+1', '+1', '+44', '+383', '+672', '+39'])
  })

  it('of what is no country is a bug', () => {
    assert.throws(() => callingCode('ZZ'), /no calling code/)
  })
})
