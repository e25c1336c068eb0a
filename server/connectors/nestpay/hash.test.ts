import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signedRequest, signedReturn } from '../../../testing/connectors/nestpay-vectors.ts'
import { hashInputText, hashOf, isHashOf } from './hash.ts'

describe('the hash', () => {
  it('of a request equals the published example', () => {
    assert.equal(
      hashInputText(signedRequest, '123456'),
      '100.25|190100000|949|test@test.com|https://domain.com/fail_url|siparis veren|ver3|Auth|tr|order222|https://domain.com/success|rand|3d_pay||123456',
    )
    const hash = '/uPxhEKWCEGi3NsDOOQ4u8Hu5g71v5GWspOid70WehTWEz97PqxG3IN1Jv5jsbOXOw3Z3Rr/0UtywzEgbqFfdA=='
    assert.equal(hashOf(signedRequest, '123456'), hash)
  })

  it('of a bank’s return equals the one in it', () => {
    assert.equal(Object.keys(signedReturn).length, 53)
    assert.ok(isHashOf(signedReturn.HASH, signedReturn, '123456'))
    assert.ok(!isHashOf(signedReturn.HASH, { ...signedReturn, mdStatus: '' }, '123456'))
    assert.ok(!isHashOf(signedReturn.HASH, signedReturn, '1234567'))
    assert.ok(
      isHashOf(signedReturn.HASH, { ...signedReturn, encoding: 'UTF-8', NationalIdNo: '1' }, '123456'),
    )
  })

  it('escapes backslashes before bars, also in the store key', () => {
    const fields = {
      amount: '10.00',
      clientid: '100200127',
      currency: '949',
      failUrl: 'https://m.example/f?a=1|2',
      hashAlgorithm: 'ver3',
      lang: 'tr',
      oid: 'ORD\\1',
      okUrl: 'https://m.example/ok',
      rnd: 'abc',
      storetype: '3d',
      taksit: '',
      TranType: 'Auth',
      encoding: 'UTF-8',
    }
    const key = 'SKEY|0\\1'
    assert.equal(
      hashInputText(fields, key),
      '10.00|100200127|949|https://m.example/f?a=1\\|2|ver3|tr|ORD\\\\1|https://m.example/ok|abc|3d||Auth|SKEY\\|0\\\\1',
    )
    assert.equal(
      hashOf(fields, key),
      'ZVnXrC2MINWVkLEYnqRTjEu7Q52MQe33bKjBbS2to0Z9VhAjNzSBoC4juj66gk5CfNuUm3cpW+Nyd4R93ijCzw==',
    )
  })

  it('sorts names without regard to case or locale, and numbers in them by value', () => {
    assert.equal(hashInputText({ B: '2', a: '1', I: '3', j: '4' }, 'k'), '1|2|3|4|k')
    assert.equal(hashInputText({ line10: '10', Line2: '2', line: '0', line2b: '2b' }, 'k'), '0|2|2b|10|k')
  })

  it('does not match a longer, shorter or differently written text', () => {
    const hash = hashOf(signedRequest, '123456')
    for (const other of ['', `${hash}=`, hash.toLowerCase(), hash.slice(0, -1), 'ğ'.repeat(88)]) {
      assert.ok(!isHashOf(other, signedRequest, '123456'))
    }
  })
})
