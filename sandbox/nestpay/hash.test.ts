import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signedRequest, signedReturn } from '../../testing/connectors/nestpay-vectors.ts'
import { hashedText, hashOf, isSigned } from './hash.ts'

const fieldsOf = (fields: Record<string, string>) => new Map(Object.entries(fields))

describe('the hash of version 3', () => {
  it('matches a published request', () => {
    const fields = fieldsOf(signedRequest)
    assert.equal(
      hashedText(fields, '123456'),
      '100.25|190100000|949|test@test.com|https://domain.com/fail_url|siparis veren|ver3|Auth|tr|order222|https://domain.com/success|rand|3d_pay||123456',
    )
    assert.equal(
      hashOf(fields, '123456'),
      '/uPxhEKWCEGi3NsDOOQ4u8Hu5g71v5GWspOid70WehTWEz97PqxG3IN1Jv5jsbOXOw3Z3Rr/0UtywzEgbqFfdA==',
    )
  })

  it('matches a published answer, and no altered one', () => {
    assert.ok(isSigned(fieldsOf(signedReturn), '123456'))
    assert.ok(!isSigned(fieldsOf({ ...signedReturn, mdStatus: '' }), '123456'))
    assert.ok(!isSigned(fieldsOf(signedReturn), '123457'))
    assert.ok(!isSigned(fieldsOf({ ...signedReturn, HASH: '' }), '123456'))
  })

  it('escapes separators in the values and in the key', () => {
    const fields = fieldsOf({
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
    })
    const key = 'SKEY|0\\1'
    assert.equal(
      hashedText(fields, key),
      '10.00|100200127|949|https://m.example/f?a=1\\|2|ver3|tr|ORD\\\\1|https://m.example/ok|abc|3d||Auth|SKEY\\|0\\\\1',
    )
    assert.equal(
      hashOf(fields, key),
      'ZVnXrC2MINWVkLEYnqRTjEu7Q52MQe33bKjBbS2to0Z9VhAjNzSBoC4juj66gk5CfNuUm3cpW+Nyd4R93ijCzw==',
    )
  })

  it('orders names naturally (2 before 10) and ignores their case', () => {
    const fields = fieldsOf({
      item10: 'c',
      ITEM2: 'b',
      item1: 'a',
      I: 'e',
      h: 'd',
      NationalIdNo: 'x',
      Hash: 'x',
    })
    assert.equal(hashedText(fields, 'k'), 'd|e|a|b|c|k')
  })
})
