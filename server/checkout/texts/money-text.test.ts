import assert from 'node:assert/strict'
import { it } from 'node:test'
import { moneyText } from './money-text.ts'

it('an amount is formatted for its currency and language', () => {
  for (let times = 0; times < 2; times++) {
    assert.equal(moneyText(125_000, 'TRY', 'tr'), '1.250,00\u00a0₺')
    assert.equal(moneyText(125_000, 'EUR', 'tr'), '1.250,00\u00a0€')
    assert.equal(moneyText(125_000, 'TRY', 'en'), '₺1,250.00')
    assert.equal(moneyText(125_000, 'EUR', 'en'), '€1,250.00')
  }
})
