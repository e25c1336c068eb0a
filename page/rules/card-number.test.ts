import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brandOf } from './brand.ts'
import { isCardNumber, spacedNumber } from './card-number.ts'

describe('the brand of the first digits', () => {
  for (const [digits, brand] of [
    ['4', 'visa'],
    ['51', 'mastercard'],
    ['55', 'mastercard'],
    ['2221', 'mastercard'],
    ['2720', 'mastercard'],
    ['2721', undefined],
    ['34', 'amex'],
    ['37', 'amex'],
    ['9792', 'troy'],
    ['650052', 'troy'],
    ['650170', 'troy'],
    ['65', undefined],
    ['6011', undefined],
    ['', undefined],
    ['3', undefined],
    ['5', undefined],
  ] as const) {
    it(`${digits || 'nothing'} is ${brand ?? 'no brand that is shown'}`, () => {
      assert.equal(brandOf(digits)?.id, brand)
    })
  }
})

describe('the groups of a card number', () => {
  for (const [digits, written] of [
    ['', ''],
    ['4111', '4111'],
    ['41111', '4111 1'],
    ['4111111111111111', '4111 1111 1111 1111'],
    ['4111111111111111110', '4111 1111 1111 1111 110'],
    ['374427000000003', '3744 270000 00003'],
    ['37442700000000399', '3744 270000 00003'],
    ['55555555555544449', '5555 5555 5555 4444'],
    ['9792030394440796', '9792 0303 9444 0796'],
  ] as const) {
    it(`${digits || 'nothing'} becomes “${written}”`, () => assert.equal(spacedNumber(digits), written))
  }
})

describe('a valid card number', () => {
  for (const digits of [
    '4111111111111111',
    '4222222222222',
    '5555555555554444',
    '374427000000003',
    '9792030394440796',
    '6500528865390837',
    '36227206271667',
  ]) {
    it(digits, () => assert.equal(isCardNumber(digits), true))
  }

  it('has no wrong or missing last digit, no leading zero, and is not empty', () => {
    for (const digits of ['4111111111111112', '411111111111111', '0000000000000000', '', '555555555555'])
      assert.equal(isCardNumber(digits), false, digits)
  })

  it('has a length of its brand', () => {
    // Fourteen digits with a valid check digit.
    assert.equal(isCardNumber('55555555555553'), false)
  })
})
