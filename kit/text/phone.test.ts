import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getCountryCodes } from '../money/countries-and-currencies.ts'
import { callingCode, parseInternationalPhone, parsePhoneField, parsePhoneInCountry } from './phone.ts'

describe('a phone number', () => {
  it('in international format becomes E.164, however it is spaced', () => {
    for (const text of ['+905321234567', '+90 532 123 45 67', '+90 (532) 123-45-67', '+90.532.123.4567']) {
      assert.deepEqual(parseInternationalPhone(text), {
        e164: '+905321234567',
        national: '5321234567',
        country: 'TR',
      })
    }
  })

  it('keeps the zero that is part of it', () => {
    assert.equal(parseInternationalPhone('+39 06 1234 5678')?.e164, '+390612345678')
  })

  it('whose plus became a space on its way through a form is read as if it had it', () => {
    assert.deepEqual(parsePhoneField('905321234567', ' 905321234567'), {
      value: parseInternationalPhone('+905321234567'),
    })
    assert.ok('tr' in parsePhoneField('05321234567', ' 05321234567'), 'no number begins with +0')
    assert.ok(
      'tr' in parsePhoneField('905321234567', '905321234567'),
      'what was sent without a space had no plus',
    )
    assert.ok('tr' in parsePhoneField('905321234567', '\t905321234567'))
  })

  it('may have the 00 that is dialled in place of the plus', () => {
    const phone = { value: parseInternationalPhone('+905321234567') }
    assert.deepEqual(parsePhoneField('00905321234567', '00905321234567'), phone)
    assert.ok('tr' in parsePhoneField('000905321234567', '000905321234567'))
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
      assert.equal(parseInternationalPhone(text), undefined, text)
    }
  })

  it('of no country is a number all the same', () => {
    assert.deepEqual(parseInternationalPhone('+80012345678'), {
      e164: '+80012345678',
      national: '12345678',
      country: undefined,
    })
  })

  it('is of a country of ISO 3166-1, also where its island has a prefix of its own', () => {
    assert.equal(parseInternationalPhone('+24740123')?.country, 'SH')
    assert.equal(parseInternationalPhone('+2908999')?.country, 'SH')
  })
})

describe('a phone number of somebody in a country', () => {
  const turkish = parseInternationalPhone('+905321234567')

  it('may be written as it is dialled there, with and without the prefix of the country', () => {
    for (const text of [
      ...['0532 123 45 67', '5321234567', '(0532) 123-45-67', '905321234567', '+90 532 123 45 67'],
      ...['00905321234567', '\u202a+90 532 123 45 67\u202c', ' 0532\u00a0123\u00a045\u00a067 '],
    ])
      assert.deepEqual(parsePhoneInCountry(text, 'TR'), turkish, text)
    assert.equal(parsePhoneInCountry('(202) 555-0123', 'US')?.e164, '+12025550123')
    assert.equal(parsePhoneInCountry('06 1234 5678', 'IT')?.e164, '+390612345678')
  })

  it('may have the digits of other scripts', () => {
    for (const text of ['٠٥٣٢١٢٣٤٥٦٧', '۰۵۳۲ ۱۲۳ ۴۵ ۶۷', '+٩٠٥٣٢١٢٣٤٥٦٧', '０５３２１２３４５６７'])
      assert.deepEqual(parsePhoneInCountry(text, 'TR'), turkish, text)
  })

  it('in international format is the same in every country, also in those without a plan of their own', () => {
    for (const country of getCountryCodes()) {
      assert.deepEqual(parsePhoneInCountry('+90 532 123 45 67', country), turkish, country)
      assert.deepEqual(parsePhoneInCountry('00905321234567', country), turkish, country)
    }
    assert.equal(parsePhoneInCountry('21 23 45 67', 'BV')?.e164, '+4721234567', 'dialled as in Norway')
  })

  it('that does not exist there, has letters or an extension is none', () => {
    const wrong = ['', '0', '112', '0532 123 45 6', '0532 123 45 678', '0532ABCDEFG', '0532 123 45 67 ext 5']
    for (const text of [...wrong, '+', '++905321234567', '+999123456789', 'tel 05321234567', '1'.repeat(40)])
      assert.equal(parsePhoneInCountry(text, 'TR'), undefined, text)
    assert.equal(parsePhoneInCountry('0532 123 45 67', 'US'), undefined)
  })
})

describe('the calling code', () => {
  it('is known of every country, also of those without a numbering plan of their own', () => {
    for (const country of getCountryCodes()) assert.match(callingCode(country), /^\+\d{1,3}$/, country)
    const some = ['TR', 'US', 'CA', 'GB', 'XK', 'AQ', 'VA'].map(callingCode)
    assert.deepEqual(some, ['+90', '+1', '+1', '+44', '+383', '+672', '+39'])
  })

  it('of what is no country is a bug', () => {
    assert.throws(() => callingCode('ZZ'), /no calling code/)
  })
})
