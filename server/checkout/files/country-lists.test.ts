import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countryCodes } from '../../../kit/money/countries-and-currencies.ts'
import { languages } from '../../../kit/text/locale.ts'
import { parsePhoneInCountry } from '../../../kit/text/phone.ts'
import { countryRows } from './country-lists.ts'

describe('the list of countries', () => {
  it('has every country of the service, in the order of the language’s alphabet', () => {
    for (const language of languages)
      assert.deepEqual(new Set(countryRows(language).map(([code]) => code)), countryCodes)
    const turkish = countryRows('tr').map(([, name]) => name)
    assert.ok(turkish.indexOf('Cezayir') < turkish.indexOf('Çekya'))
    assert.ok(turkish.indexOf('Çekya') < turkish.indexOf('Danimarka'))
  })

  it('gives an example of a phone number that the page accepts', () => {
    const rows = countryRows('en')
    const examples = rows.filter(([, , hint]) => hint !== '')
    assert.ok(examples.length > 240)
    for (const [code, , hint] of examples)
      assert.ok(parsePhoneInCountry(hint.replace(/^e\.g\. /, ''), code), `${code} ${hint}`)
    assert.deepEqual(
      rows.find(([code]) => code === 'TR'),
      ['TR', 'Türkiye', 'e.g. 0501 234 56 78'],
    )
  })
})
