import assert from 'node:assert/strict'
import { it } from 'node:test'
import { countryCodes as known } from '../../kit/money/countries-and-currencies.ts'
import { countries, countryNames } from './countries.ts'

it('every country of the service can be chosen, sorted by the language’s alphabet', () => {
  assert.deepEqual(new Set(countries), known)
  const turkish = countryNames('tr').map(({ name }) => name)
  assert.ok(turkish.indexOf('Cezayir') < turkish.indexOf('Çekya'))
  assert.ok(turkish.indexOf('Çekya') < turkish.indexOf('Danimarka'))
})
