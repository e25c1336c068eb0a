import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cardFieldErrorTexts, payerFieldErrorTexts } from '../../server/checkout/texts/texts.ts'
import type { FieldErrorName, FieldName } from './check.ts'
import { fieldErrorOf, fieldNames } from './check.ts'

const now = new Date('2026-11-15T12:00:00Z')
const visa = '4111 1111 1111 1111'
const amex = '3744 270000 00003'

function fault(field: FieldName, typed: string, number = visa) {
  return fieldErrorOf(field, typed, { number, now })
}

describe('the fault of a field', () => {
  const right: [FieldName, string, string?][] = [
    ['number', visa],
    ['expiry', '12/30'],
    ['cvc', '123'],
    ['cvc', '1234', amex],
    ['cvc', '1234', '6011 0000 0000 0004'],
    ['cvc', '123', ''],
    ['holder', 'Işık Öztürk'],
    ['name', 'Ayşe'],
    ['lastname', ' Işık '],
    ['email', 'ayse@ornek.com'],
    ['email', "o'brien+shop@mail.example.co.uk"],
    ['phone', '0532 123 45 67'],
    ['phone', '+49 (30) 123456'],
    ['phone', '٠٥٣٢ ١٢٣ ٤٥ ٦٧'],
    ['phone', '\u202a+90 532 123 45 67\u202c'],
    ['phone', '0049 1511 123456789'],
    ['name', '😀'.repeat(100)],
    ['lastname', 's\u0327'.repeat(100)],
    ['country', 'TR'],
  ]
  for (const [field, typed, number] of right)
    it(`is none in ${field} “${typed.slice(0, 20)}”`, () =>
      assert.equal(fault(field, typed, number), undefined))

  const wrong: [FieldName, string, string?][] = [
    ['number', '4111 1111 1111 1112'],
    ['expiry', '13/30'],
    ['cvc', '12'],
    ['cvc', '1-2-3'],
    ['cvc', '1234'],
    ['cvc', '123', amex],
    ['holder', '  '],
    ['name', ''],
    ['lastname', 'a'.repeat(101)],
    ['email', 'ayse@ornek'],
    ['email', 'ayse ornek.com'],
    ['email', 'ayşe@ornek.com'],
    ['email', 'ayse@örnek.com'],
    ['email', 'ayse@@ornek.com'],
    ['email', 'ayse@ornek.c'],
    ['email', 'ayse@mail.ornek.c'],
    ['email', `${'a'.repeat(245)}@ornek.com`],
    ['phone', '123'],
    ['phone', 'beş yüz'],
    ['phone', '123456789012345678'],
    ['country', ''],
  ]
  for (const [field, typed, number] of wrong)
    it(`is found in ${field} “${typed.slice(0, 20)}”`, () => assert.equal(fault(field, typed, number), field))

  for (const [field, expected] of Object.entries({
    email: 'noEmail',
    phone: 'noPhone',
    number: 'noNumber',
    expiry: 'noExpiry',
    cvc: 'noCvc',
    holder: 'holder',
    name: 'name',
  }))
    it(`is ${expected} if ${field} is empty`, () => {
      assert.equal(fault(field as FieldName, ''), expected)
      assert.equal(fault(field as FieldName, ' '), expected)
    })

  it('distinguishes a past expiry date from an invalid one', () => {
    assert.equal(fault('expiry', '10/26'), 'expired')
  })

  it('has a text in the service', () => {
    const words: Record<FieldErrorName, { tr: string; en: string }> = {
      ...cardFieldErrorTexts,
      ...payerFieldErrorTexts,
    }
    for (const field of fieldNames)
      for (const name of [field, fault(field, '') ?? field])
        assert.ok(words[name]?.tr && words[name].en, name)
  })
})
