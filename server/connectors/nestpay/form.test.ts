import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bankAnswering, charge, reference, secrets } from '../../../testing/connectors/nestpay-answers.ts'
import { testCard } from '../../../testing/harness/payer.ts'
import { hashOf } from './hash.ts'

describe('the form', () => {
  it('has the fields of the model 3d, signed with the card; its trace has neither card nor hash', () => {
    const { authentication } = bankAnswering().bank
    assert.ok(authentication.by === 'bank_page')
    const terms = { preAuth: true, returnUrl: 'https://pay.example/r', language: 'tr' } as const
    const card = testCard('5400360000000003')
    const form = authentication.form({ ...charge, installment: 3, ...terms }, card)
    assert.equal(form.action, 'https://pos.example.com.tr/fim/est3Dgate')
    assert.equal(authentication.formHost, 'https://pos.example.com.tr')
    const { rnd = '', hash = '', ...fields } = form.fields
    assert.match(rnd, /^[0-9A-F]{24}$/)
    assert.equal(hash, hashOf(form.fields, secrets.store_key))
    const trace = {
      clientid: '100200127',
      storetype: '3d',
      amount: '100.00',
      currency: '949',
      oid: reference,
      okUrl: 'https://pay.example/r',
      failUrl: 'https://pay.example/r',
      lang: 'tr',
      taksit: '3',
      TranType: 'PreAuth',
      hashAlgorithm: 'ver3',
    }
    const secret = { Ecom_Payment_Card_ExpDate_Month: '12', Ecom_Payment_Card_ExpDate_Year: '30' }
    assert.deepEqual(fields, { ...trace, ...secret, pan: '5400360000000003', cv2: card.cvc.reveal() })
    assert.deepEqual(form.trace, { ...trace, rnd })
  })
})
