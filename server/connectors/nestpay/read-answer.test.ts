import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NoHttpResponse } from '../../../kit/outbound/http-client.ts'
import {
  approvalFields,
  approvedXmlAnswer,
  bankAnswering,
  charge,
  gatewayErrorAnswer,
  outcomeOrReason,
  reference,
  xmlAnswer,
} from '../../../testing/connectors/nestpay-answers.ts'

const authorized = async (response: string | NoHttpResponse) => bankAnswering(response).bank.authorize(charge)

describe('a charge', () => {
  it('requests our terms, with the bank’s proof instead of a card', async () => {
    const { bank, sent } = bankAnswering(approvedXmlAnswer, approvedXmlAnswer)
    await bank.authorize({ ...charge, payerAddress: '192.0.2.7', installment: 6, currency: 'USD' })
    const [request] = sent
    assert.equal(request?.url, 'https://pos.example.com.tr/fim/api')
    assert.equal(
      request?.body,
      '<?xml version="1.0" encoding="ISO-8859-9"?>\n<CC5Request><Name>API&#38;USER</Name><Password>&#351;ifre&#60;1&#62;</Password>' +
        `<ClientId>100200127</ClientId><Type>Auth</Type><IPAddress>192.0.2.7</IPAddress><OrderId>${reference}</OrderId>` +
        '<Total>100.00</Total><Currency>840</Currency><Taksit>6</Taksit><Number>545103:A1:##1</Number><PayerTxnId>x+id=</PayerTxnId>' +
        '<PayerSecurityLevel>02</PayerSecurityLevel><PayerAuthenticationCode>ca/vv=</PayerAuthenticationCode><Mode>P</Mode></CC5Request>',
    )
    await bank.preAuthorize?.(charge)
    assert.match(sent[1]?.body ?? '', /<Type>PreAuth<\/Type><OrderId>.*<Taksit><\/Taksit>/)
  })

  it('is approved only if all elements agree and name this order', async () => {
    assert.deepEqual(await authorized(approvedXmlAnswer), {
      outcome: 'approved',
      echoed: { reference },
      code: '00',
      message: null,
      bankReferences: {
        transId: '22302V8rE11732',
        hostRefNum: '230200671758',
        authCode: 'P48911',
        settleId: '2286',
      },
    })
    const doubtful = [
      { Response: 'Declined' },
      { Response: 'Error' },
      { Response: 'approved' },
      { Response: '' },
      { ProcReturnCode: '05' },
      { ProcReturnCode: '99' },
      { ProcReturnCode: '' },
      { ProcReturnCode: '0' },
      { OrderId: 'another' },
      { OrderId: '' },
    ]
    for (const change of doubtful)
      assert.equal(
        outcomeOrReason(await authorized(xmlAnswer({ ...approvalFields, ...change }))),
        'unknown',
        JSON.stringify(change),
      )
  })

  it('stores no bank reference that could hold a card number', async () => {
    const response = await authorized(
      xmlAnswer({ ...approvalFields, AuthCode: '5400360000000003', HostRefNum: 'a b', TransId: 'T1' }),
    )
    assert.ok(response.outcome === 'approved')
    assert.deepEqual(response.bankReferences, { transId: 'T1' })
  })

  it('declined by an issuer has one of our reasons, with the issuer’s code and message', async () => {
    const reasons = {
      '01': 'do_not_honour',
      '05': 'do_not_honour',
      '12': 'invalid_transaction',
      '28': 'do_not_honour',
      '51': 'insufficient_funds',
      '54': 'expired_card',
      '57': 'not_permitted_to_holder',
      '58': 'not_permitted_to_terminal',
      '62': 'not_permitted_to_holder',
      '77': 'do_not_honour',
      '82': 'wrong_cvc',
      '95': 'other',
    }
    for (const [code, reason] of Object.entries(reasons)) {
      for (const Response of ['Declined', 'Error']) {
        const words = { ErrMsg: 'Red: 5400 3600 0000 0003' }
        const response = await authorized(
          xmlAnswer({ ...approvalFields, ...words, Response, ProcReturnCode: code }),
        )
        assert.deepEqual(response, { outcome: 'declined', reason, code, message: 'Red: [number redacted]' })
      }
    }
    for (const code of ['09', '68', '96'])
      assert.equal(
        outcomeOrReason(
          await authorized(xmlAnswer({ ...approvalFields, Response: 'Declined', ProcReturnCode: code })),
        ),
        'unknown',
      )
    const another = xmlAnswer({ OrderId: 'another', Response: 'Declined', ProcReturnCode: '05' })
    assert.equal(outcomeOrReason(await authorized(another)), 'unknown')
  })

  it('is declined by a gateway error only if certainly nothing was done', async () => {
    const words = {
      'CORE-2012': 'invalid_transaction',
      'CORE-2603': 'invalid_transaction',
      'CORE-2201': 'not_permitted_to_terminal',
      'CORE-2507': 'duplicate_reference',
      'CORE-2127': 'duplicate_reference',
      'ISO8583-82': 'wrong_cvc',
      'CORE-2700': 'unknown',
      'CORE-2800': 'unknown',
      'BM-9102': 'unknown',
      'ISO8583-96': 'unknown',
      '': 'unknown',
      constructor: 'unknown',
    }
    for (const [code, word] of Object.entries(words)) {
      assert.equal(outcomeOrReason(await authorized(gatewayErrorAnswer(code))), word, code)
      const beside = { OrderId: '', Response: 'Error', ProcReturnCode: '99', ERRORCODE: code }
      assert.equal(outcomeOrReason(await authorized(xmlAnswer(beside))), word, code)
    }
    assert.equal(
      outcomeOrReason(await authorized(gatewayErrorAnswer('CORE-2012', { ERRORCODE: 'CORE-2700' }))),
      'unknown',
    )
    assert.equal(
      outcomeOrReason(await authorized(gatewayErrorAnswer('CORE-2012', { OrderId: 'another' }))),
      'unknown',
    )
  })

  it('with a used proof is a duplicate', async () => {
    for (const ErrMsg of [
      'XID daha &#246;nce kullan&#305;lm&#305;&#351;t&#305;r. Tekrar kullan&#305;lamaz.',
      'XID daha once kullanilmistir.',
    ])
      assert.equal(
        outcomeOrReason(await authorized(gatewayErrorAnswer('', { ErrMsg }))),
        'duplicate_reference',
      )
  })

  it('without an answer is unknown, or declined if it was not sent', async () => {
    const lost = new NoHttpResponse('ECONNRESET', { mayHaveArrived: true })
    const never = new NoHttpResponse('ECONNREFUSED', { mayHaveArrived: false })
    assert.equal(outcomeOrReason(await authorized(lost)), 'unknown')
    assert.equal(outcomeOrReason(await authorized(never)), 'bank_not_reached')
    const { bank, sent } = bankAnswering()
    assert.equal(
      outcomeOrReason(await bank.authorize({ ...charge, currency: 'CHF' })),
      'not_permitted_to_terminal',
    )
    assert.equal(sent.length, 0)
  })
})
