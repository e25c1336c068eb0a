import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { installmentPlanTextLines } from './installment-plan-text-lines.ts'

const price = (minor: number) => `${(minor / 100).toFixed(2)} ₺`

describe('the text of an installment plan', () => {
  it('shows equal installments as a product and others as a sum, which adds up to the total', () => {
    assert.deepEqual(installmentPlanTextLines([30618, 30617, 30617, 30617, 30617, 30617], price, 'tr'), {
      text: '6 taksit · 306.18 ₺ + 306.17 ₺\u00a0×\u00a05',
      sum: 'toplam 1837.03 ₺',
    })
    assert.deepEqual(installmentPlanTextLines([5000, 5000], price, 'en'), {
      text: '2 installments · 50.00 ₺\u00a0×\u00a02',
      sum: 'total 100.00 ₺',
    })
  })

  it('shows the amount of a single payment once', () => {
    assert.deepEqual(installmentPlanTextLines([10_000], price, 'tr'), {
      text: 'Tek çekim · 100.00 ₺',
      sum: null,
    })
  })
})
