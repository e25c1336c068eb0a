import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { installmentPlanText } from './installment-plan-text.ts'

const price = (minor: number) => `${(minor / 100).toFixed(2)} ₺`

describe('the text of an installment plan', () => {
  it('shows the monthly amount and the total', () => {
    assert.deepEqual(installmentPlanText([5000, 5000], price, 'en'), {
      text: '2 installments',
      each: '50.00 ₺',
      sum: 'total 100.00 ₺',
      rounding: null,
    })
  })

  it('names the installments that differ by rounding', () => {
    const rounding = (parts: number[], language: 'tr' | 'en') => {
      const { each, rounding } = installmentPlanText(parts, price, language)
      return [each, rounding]
    }
    assert.deepEqual(rounding([30618, 30617, 30617], 'tr'), ['306.17 ₺', 'ilk: 306.18 ₺'])
    assert.deepEqual(rounding([5, 5, 4, 4, 4], 'en'), ['0.04 ₺', 'first 2: 0.05 ₺'])
    assert.deepEqual(rounding([30618, 30618, 30617], 'en'), ['306.18 ₺', 'last: 306.17 ₺'])
    assert.deepEqual(rounding([5, 5, 5, 4, 4], 'tr'), ['0.05 ₺', 'son 2: 0.04 ₺'])
    assert.deepEqual(rounding([5, 4], 'tr'), ['0.05 ₺', 'son: 0.04 ₺'])
  })

  it('shows the amount of a single payment once', () => {
    assert.deepEqual(installmentPlanText([10_000], price, 'tr'), {
      text: 'Tek çekim',
      each: '100.00 ₺',
      sum: null,
      rounding: null,
    })
  })
})
