import assert from 'node:assert/strict'
import { it } from 'node:test'
import { countryCodes, isTwoDecimalCurrency } from './countries-and-currencies.ts'
import { numericCountryCode, numericCurrencyCode } from './iso-numeric-codes.ts'

it('every currency and country that we know has its own three-digit number', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  const currencies = codes.filter(isTwoDecimalCurrency).map(numericCurrencyCode)
  const places = [...countryCodes].filter((code) => code !== 'XK').map(numericCountryCode)
  assert.deepEqual([currencies.length, places.length], [138, 249])
  for (const numbers of [currencies, places]) {
    for (const number of numbers) assert.match(number ?? '', /^\d{3}$/)
    assert.equal(new Set(numbers).size, numbers.length)
  }
})

it('the numbers match the standards', () => {
  assert.deepEqual(['TRY', 'USD', 'EUR', 'GBP'].map(numericCurrencyCode), ['949', '840', '978', '826'])
  assert.deepEqual(['TR', 'DE', 'US', 'XK'].map(numericCountryCode), ['792', '276', '840', undefined])
})
