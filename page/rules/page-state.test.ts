import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePageState } from './page-state.ts'

describe('the state in the page', () => {
  const open = { view: 'form', charge: { total: '204,90 ₺', extra: null }, expiresInMs: 1_800_000 }

  it('gets defaults for all omitted fields', () => {
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
      isReleased: false,
      field: null,
      receipt: [],
    })
  })

  it('keeps the fields that are present', () => {
    const compact = {
      ...open,
      notice: ['Kartınız reddedildi.'],
      field: { name: 'cvc', text: 'Kod hatalı.' },
      canGoOn: true,
    }
    const { notice, field, canGoOn, leaves } = parsePageState(JSON.stringify(compact))
    assert.deepEqual([notice, field, canGoOn, leaves], [compact.notice, compact.field, true, false])
  })
})
