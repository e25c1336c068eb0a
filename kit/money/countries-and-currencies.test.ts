import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countryCodes, isCountry, isTwoDecimalCurrency, upperCaseAscii } from './countries-and-currencies.ts'

/** The current ISO 3166-1 alpha-2 codes: each first letter with its second letters. */
const iso3166 = [
  'A:DEFGILMOQRSTUWXZ B:ABDEFGHIJLMNOQRSTVWYZ C:ACDFGHIKLMNORUVWXYZ D:EJKMOZ E:CEGHRST F:IJKMOR G:ABDEFGHILMNPQRSTUWY',
  'H:KMNRTU I:DELMNOQRST J:EMOP K:EGHIMNPRWYZ L:ABCIKRSTUVY M:ACDEFGHKLMNOPQRSTUVWXYZ N:ACEFGILOPRUZ O:M',
  'P:AEFGHKLMNRSTWY Q:A R:EOSUW S:ABCDEGHIJKLMNORSTVXYZ T:CDFGHJKLMNORTVWZ U:AGMSYZ V:ACEGINU W:FS Y:ET Z:AMW',
]

describe('countries', () => {
  it('are the 249 codes of ISO 3166-1 and XK', () => {
    const listed = iso3166
      .flatMap((line) => line.split(' '))
      .flatMap((group) => [...group.slice(2)].map((letter) => group.slice(0, 1) + letter))
    assert.equal(listed.length, 249)
    assert.deepEqual([...countryCodes].toSorted(), [...listed, 'XK'].toSorted())
  })

  it('exclude withdrawn and reserved codes and unions', () => {
    for (const code of ['SU', 'YU', 'AN', 'UK', 'EU', 'ZZ', 'QO', 'XA', 'AC', 'TA', 'tr', 'TUR', '', 'T']) {
      assert.equal(isCountry(code), false, code)
    }
  })
})

describe('currencies', () => {
  it('with two decimals are accepted', () => {
    for (const code of ['TRY', 'USD', 'EUR', 'GBP', 'CHF', 'HUF', 'IDR', 'XCG']) {
      assert.equal(isTwoDecimalCurrency(code), true, code)
    }
  })

  it('with other decimals, withdrawn ones, metals and units of account are refused', () => {
    const others = ['JPY', 'KRW', 'ISK', 'KWD', 'BHD', 'CLF', 'TRL', 'DEM', 'HRK', 'BGN', 'XAU', 'XDR', 'XXX']
    for (const code of [...others, 'try', 'TR', 'AAA', ''])
      assert.equal(isTwoDecimalCurrency(code), false, code)
  })
})

it('only ASCII letters are upper-cased, so no other letter becomes part of a code', () => {
  assert.deepEqual(['tr', 'Tr', 'ß', 'ﬁ', 'ıt'].map(upperCaseAscii), ['TR', 'TR', 'ß', 'ﬁ', 'ıT'])
})
