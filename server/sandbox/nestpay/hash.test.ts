import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashedText, hashOf, isSigned } from './hash.ts'

const requestOfAShop = {
  clientid: '190100000',
  storetype: '3d_pay',
  amount: '100.25',
  oid: 'order222',
  okUrl: 'https://domain.com/success',
  failUrl: 'https://domain.com/fail_url',
  rnd: 'rand',
  lang: 'tr',
  currency: '949',
  taksit: '',
  islemtipi: 'Auth',
  firmaadi: 'siparis veren',
  Email: 'test@test.com',
  hashAlgorithm: 'ver3',
}

/** As a bank sent it to a merchant. */
const answerOfABank = {
  ReturnOid: '202210308C0F',
  TRANID: '',
  hashAlgorithm: 'ver3',
  PAResSyntaxOK: 'true',
  firmaadi: 'John Doe',
  islemtipi: 'Auth',
  lang: 'tr',
  merchantID: '190200000',
  maskedCreditCard: '4355 08** **** 4358',
  amount: '1.01',
  sID: '1',
  ACQBIN: '454672',
  Ecom_Payment_Card_ExpDate_Year: '26',
  EXTRA_CARDBRAND: 'VISA',
  Email: 'mail@customer.com',
  MaskedPan: '435508***4358',
  acqStan: '184784',
  merchantName: 'Ziraat 3D_Pay',
  clientIp: '89.244.149.137',
  EXTRA_KAZANILANPUAN: '000000010.00',
  okUrl: 'http://localhost/akbank/3d-pay/response.php',
  md: '435508:51104213993AC8DFE8839C7F7E391B461115D09A1D88948C8ACE421D7D7EAA5A:3545:##190200000',
  ProcReturnCode: '00',
  payResults_dsId: '1',
  taksit: '',
  TransId: '22303RqiC11252',
  EXTRA_TRXDATE: '20221030 17:42:33',
  Ecom_Payment_Card_ExpDate_Month: '12',
  storetype: '3d_pay',
  Response: 'Approved',
  SettleId: '2383',
  mdErrorMsg:
    'Y-status/Challenge authentication via ACS: https://3ds-acs.test.modirum.com/mdpayacs/creq?token=214711321.1667140951.Ud_jQl3B2l1',
  ErrMsg: '',
  PAResVerified: 'true',
  cavv: 'ABABBCgghAAAAABllJMDdZdTdic=',
  digest: 'digest',
  HostRefNum: '230317184784',
  callbackCall: 'true',
  AuthCode: '216981',
  failUrl: 'http://localhost/akbank/3d-pay/response.php',
  xid: 'N1An1iS5iN4u/1VWS6CgzSGRtN0=',
  encoding: 'ISO-8859-9',
  currency: '949',
  oid: '202210308C0F',
  mdStatus: '1',
  dsId: '1',
  eci: '05',
  version: '2.0',
  EXTRA_CARDISSUER: 'AKBANK T.A.S.',
  clientid: '190200000',
  txstatus: 'Y',
  HASH: 'jVgcwtx4vxxAcX8+ajsrrzp77k9uaGu1pjDQfCpoUG95y2MwwGipc6cF3kESiTphjV8/1ESSc6zg9KyTSxUnzA==',
  rnd: 'J/jGATA5LLVaMfpU+Yyu',
}

const fieldsOf = (fields: Record<string, string>) => new Map(Object.entries(fields))

describe('the hash of version 3', () => {
  it('is that of a known request', () => {
    const fields = fieldsOf(requestOfAShop)
    assert.equal(
      hashedText(fields, '123456'),
      '100.25|190100000|949|test@test.com|https://domain.com/fail_url|siparis veren|ver3|Auth|tr|order222|https://domain.com/success|rand|3d_pay||123456',
    )
    assert.equal(
      hashOf(fields, '123456'),
      '/uPxhEKWCEGi3NsDOOQ4u8Hu5g71v5GWspOid70WehTWEz97PqxG3IN1Jv5jsbOXOw3Z3Rr/0UtywzEgbqFfdA==',
    )
  })

  it('is that of a known answer, and of no other', () => {
    assert.ok(isSigned(fieldsOf(answerOfABank), '123456'))
    assert.ok(!isSigned(fieldsOf({ ...answerOfABank, mdStatus: '' }), '123456'))
    assert.ok(!isSigned(fieldsOf(answerOfABank), '123457'))
    assert.ok(!isSigned(fieldsOf({ ...answerOfABank, HASH: '' }), '123456'))
  })

  it('escapes what divides the values, in them and in the key', () => {
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

  it('takes numbers in names for numbers, and no notice of their letters', () => {
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
