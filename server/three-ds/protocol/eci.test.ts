import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SecretPan } from '../../../kit/money/card.ts'
import type { CardScheme } from './eci.ts'
import { cardSchemeOfPan, eciContradictsStatus, unauthenticatedEci } from './eci.ts'

it('the scheme is derived from the first digits if they belong to one scheme only', () => {
  const numbers: Record<string, CardScheme | undefined> = {
    '4000000000002701': 'visa',
    '5200000000002235': 'mastercard',
    '2223003122003222': 'mastercard',
    '2720990000000007': 'mastercard',
    '340000000002708': 'amex',
    '9792030394440796': 'troy',
    '3530111333300000': 'jcb',
    '36227206271667': 'diners',
    '6200000000000005': 'unionpay',
    '6011000990139424': 'discover',
    '6759649826438453': 'maestro',
    '6500000000000002': undefined,
    '1000000000000008': undefined,
  }
  for (const [number, brand] of Object.entries(numbers)) {
    const pan = SecretPan.of(number)
    assert.ok(pan, number)
    assert.equal(cardSchemeOfPan(pan), brand, number)
  }
})

it('each scheme has its own ECI for an unauthenticated payment', () => {
  for (const brand of ['visa', 'amex', 'jcb', 'diners', 'discover', 'unionpay'] as const)
    assert.equal(unauthenticatedEci(brand), '07')
  for (const brand of ['mastercard', 'maestro', 'troy'] as const)
    assert.equal(unauthenticatedEci(brand), '00')
})

it('an ECI of another scheme or another status contradicts the status', () => {
  const against = (brand: CardScheme | undefined, status: 'Y' | 'A') =>
    ['00', '01', '02', '04', '05', '06', '07'].filter((eci) => eciContradictsStatus(status, eci, brand))
  for (const brand of ['visa', 'amex', 'jcb', 'diners', 'discover', 'unionpay'] as const) {
    assert.deepEqual(against(brand, 'Y'), ['00', '01', '02', '04', '06', '07'])
    assert.deepEqual(against(brand, 'A'), ['00', '01', '02', '04', '05', '07'])
  }
  for (const brand of ['mastercard', 'maestro', 'troy'] as const) {
    assert.deepEqual(against(brand, 'Y'), ['00', '01', '04', '05', '06'])
    assert.deepEqual(against(brand, 'A'), ['00', '02', '04', '05', '06', '07'])
  }
  assert.deepEqual(against(undefined, 'Y'), [])
})
