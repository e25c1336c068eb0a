import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePageState } from './page-state.ts'

describe('how the payment stands when the page is made', () => {
  const open = { view: 'form', charge: { total: '204,90 ₺', extra: null }, expiresInMs: 1_800_000 }

  it('is whole, also where there was nothing to say', () => {
    assert.deepEqual(parsePageState(JSON.stringify({ ...open, takesCard: true })), {
      ...open,
      title: null,
      text: null,
      notice: [],
      takesCard: true,
      canGoOn: false,
      isEnding: false,
      isUnderWay: false,
      returnUrl: null,
      leaves: false,
      field: null,
      receipt: [],
    })
  })

  it('is what was said', () => {
    const compact = { ...open, notice: ['Kartınız reddedildi.'], field: 'cvc', canGoOn: true }
    const { notice, field, canGoOn, leaves } = parsePageState(JSON.stringify(compact))
    assert.deepEqual([notice, field, canGoOn, leaves], [['Kartınız reddedildi.'], 'cvc', true, false])
  })
})
