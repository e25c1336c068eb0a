import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expiryError, slashedExpiry } from './expiry.ts'

describe('a typed expiry date', () => {
  for (const [typed, written] of [
    ['', ''],
    ['1', '1'],
    ['12', '12'],
    ['12/', '12/'],
    ['123', '12/3'],
    ['1230', '12/30'],
    ['12/30', '12/30'],
    ['3', '03'],
    ['3/', '03/'],
    ['1/30', '01/30'],
    ['12/2030', '12/30'],
    ['12 / 2030', '12/30'],
    ['12/203', '12/203'],
    ['122030', '12/30'],
    ['2030-12', '12/30'],
    ['2030-1', '01/30'],
    ['203012', '12/30'],
    ['12.30', '12/30'],
    ['١٢/٣٠', '12/30'],
    ['12/3045', '12/30'],
  ] as const) {
    it(`${typed || 'nothing'} becomes “${written}”`, () => assert.equal(slashedExpiry(typed, false), written))
  }

  it('is not completed while it is being deleted', () => {
    assert.equal(slashedExpiry('2/30', true), '2/30')
    assert.equal(slashedExpiry('12/', true), '12')
    assert.equal(slashedExpiry('/30', true), '/30')
    assert.equal(slashedExpiry('', true), '')
  })
})

describe('an expiry date is valid', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  it('until its month is over in every time zone', () => {
    assert.equal(expiryError('11/26', now), undefined)
    assert.equal(expiryError('11/26', new Date('2026-12-01T11:59:59Z')), undefined)
    assert.equal(expiryError('11/26', new Date('2026-12-01T12:00:00Z')), 'expired')
    assert.equal(expiryError('10/26', now), 'expired')
  })

  it('for at most twenty years', () => {
    assert.equal(expiryError('12/46', now), undefined)
    assert.equal(expiryError('01/47', now), 'expiry')
  })

  it('only if it is a date', () => {
    for (const typed of ['', '1', '12', '12/', '12/3', '13/30', '00/30', '/30'])
      assert.equal(expiryError(typed, now), 'expiry', typed)
  })
})
