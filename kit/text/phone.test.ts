import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countryCodes } from '../money/countries-and-currencies.ts'
import { callingCode, parseInternationalPhone, parsePhoneField, parsePhoneInCountry } from './phone.ts'

describe('a phone number', () => {
  it('in international format becomes E.164, with any spacing', () => {
    for (const text of ['+905321234567', '+90 532 123 45 67', '+90 (532) 123-45-67', '+90.532.123.4567']) {
      assert.deepEqual(parseInternationalPhone(text), {
        e164: '+905321234567',
        national: '5321234567',
        country: 'TR',
      })
    }
  })

  it('keeps a zero that is part of it', () => {
    assert.equal(parseInternationalPhone('+39 06 1234 5678')?.e164, '+390612345678')
  })

  it('whose plus became a space in a form is read with a plus', () => {
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

  it('may begin with 00 instead of the plus', () => {
    const phone = { value: parseInternationalPhone('+905321234567') }
    assert.deepEqual(parsePhoneField('00905321234567', '00905321234567'), phone)
    assert.ok('tr' in parsePhoneField('000905321234567', '000905321234567'))
  })

  it('is refused if it is national, too short or long, unassigned, or has letters or an extension', () => {
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

  it('without a country is valid', () => {
    assert.deepEqual(parseInternationalPhone('+80012345678'), {
      e164: '+80012345678',
      national: '12345678',
      country: undefined,
    })
  })

  it('belongs to an ISO 3166-1 country, even if its island has its own prefix', () => {
    assert.equal(parseInternationalPhone('+24740123')?.country, 'SH')
    assert.equal(parseInternationalPhone('+2908999')?.country, 'SH')
  })
})

describe('a phone number of a person in a country', () => {
  const turkish = parseInternationalPhone('+905321234567')

  it('may be written as dialled there, with or without the country’s prefix', () => {
    for (const text of [
      ...['0532 123 45 67', '5321234567', '(0532) 123-45-67', '905321234567', '+90 532 123 45 67'],
      ...['00905321234567', '\u202a+90 532 123 45 67\u202c', ' 0532\u00a0123\u00a045\u00a067 '],
    ])
      assert.deepEqual(parsePhoneInCountry(text, 'TR'), turkish, text)
    assert.equal(parsePhoneInCountry('(202) 555-0123', 'US')?.e164, '+12025550123')
    assert.equal(parsePhoneInCountry('06 1234 5678', 'IT')?.e164, '+390612345678')
  })

  it('may have digits of other scripts', () => {
    for (const text of ['٠٥٣٢١٢٣٤٥٦٧', '۰۵۳۲ ۱۲۳ ۴۵ ۶۷', '+٩٠٥٣٢١٢٣٤٥٦٧', '０５３２１２３４５６７'])
      assert.deepEqual(parsePhoneInCountry(text, 'TR'), turkish, text)
  })

  it('in international format is the same in every country, including those without a numbering plan', () => {
    for (const country of countryCodes) {
      assert.deepEqual(parsePhoneInCountry('+90 532 123 45 67', country), turkish, country)
      assert.deepEqual(parsePhoneInCountry('00905321234567', country), turkish, country)
    }
    assert.equal(parsePhoneInCountry('21 23 45 67', 'BV')?.e164, '+4721234567', 'dialled as in Norway')
  })

  it('is refused if it does not exist there or has letters or an extension', () => {
    const wrong = ['', '0', '112', '0532 123 45 6', '0532 123 45 678', '0532ABCDEFG', '0532 123 45 67 ext 5']
    for (const text of [...wrong, '+', '++905321234567', '+999123456789', 'tel 05321234567', '1'.repeat(40)])
      assert.equal(parsePhoneInCountry(text, 'TR'), undefined, text)
    assert.equal(parsePhoneInCountry('0532 123 45 67', 'US'), undefined)
  })
})

describe('the calling code', () => {
  it('is known for every country, including those without a numbering plan', () => {
    for (const country of countryCodes) assert.match(callingCode(country), /^\+\d{1,3}$/, country)
    const some = ['TR', 'US', 'CA', 'GB', 'XK', 'AQ', 'VA'].map(callingCode)
    assert.deepEqual(some, ['+90', '+1', '+1', '+44', '+383', '+672', '+39'])
  })

  it('of an unknown country throws', () => {
    assert.throws(() => callingCode('ZZ'), /no calling code/)
  })
})
