import assert from 'node:assert/strict'
import { it } from 'node:test'
import { numberOfCountry, numberOfCurrency } from './iso-numbers.ts'
import { countries, isTwoDigitCurrency } from './regions.ts'

it('every currency and every country that we know has a number of three digits, and of its own', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  const currencies = codes.filter(isTwoDigitCurrency).map(numberOfCurrency)
  const places = [...countries()].filter((code) => code !== 'XK').map(numberOfCountry)
  for (const numbers of [currencies, places]) {
    assert.ok(numbers.length > 100)
    for (const number of numbers) assert.match(number ?? '', /^\d{3}$/)
    assert.equal(new Set(numbers).size, numbers.length)
  }
})

it('the numbers are those of the standards', () => {
  assert.deepEqual(['TRY', 'USD', 'EUR', 'GBP'].map(numberOfCurrency), ['949', '840', '978', '826'])
  assert.deepEqual(['TR', 'DE', 'US', 'XK'].map(numberOfCountry), ['792', '276', '840', undefined])
})
