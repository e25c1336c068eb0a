import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { responseCodes } from '../../sandbox/cards/response-codes.ts'
import { connectors } from '../connectors/index.ts'
import { retryTexts, transactionCodeOf, transactionCodes } from './transaction-code.ts'

describe('the list of transaction codes', () => {
  const codes = transactionCodes()

  it('has each code once', () => {
    const names = codes.map(({ code }) => code)
    assert.deepEqual(names, [...new Set(names)])
  })

  it('has every code by which a connector declines or does not authenticate', () => {
    for (const { declineCodes, authenticationCodes = {} } of connectors) {
      const expected = [
        ...Object.keys(declineCodes),
        ...Object.keys(authenticationCodes).map((status) => `3DS-${status}`),
      ]
      for (const code of expected)
        assert.ok(
          codes.some((known) => known.code === code),
          code,
        )
    }
  })

  it('has every code that the sandbox bank answers, with a meaning of its own', () => {
    for (const code of Object.keys(responseCodes)) {
      const known = codes.find((each) => each.code === code)
      assert.ok(known && known.meaning !== transactionCodeOf('ZZ')?.meaning, code)
    }
  })

  it('explains each code in whole sentences in both languages', () => {
    for (const { code, meaning, payer, action, retry } of codes) {
      for (const { tr, en } of [meaning, action, retryTexts[retry], ...(payer ? [payer] : [])]) {
        assert.match(tr, /^[A-ZÇĞİÖŞÜ3].*\.$/s, code)
        assert.match(en, /^[A-Z3].*\.$/s, code)
        assert.notEqual(tr, en, code)
      }
    }
  })

  it('shows no payer that a card is lost, stolen, or suspected of fraud', () => {
    for (const { code, payer } of codes)
      assert.doesNotMatch(
        `${payer?.tr} ${payer?.en}`,
        /kayıp|çalıntı|sahte|şüphe|lost|stolen|fraud|suspect/i,
        code,
      )
  })
})

describe('one transaction code', () => {
  it('of 3-D Secure is explained by its status and its reason', () => {
    const { meaning } = transactionCodeOf('3DS-R-11') ?? assert.fail()
    assert.equal(
      meaning.en,
      'The bank rejected the authentication without asking the cardholder. Suspected fraud.',
    )
  })

  it('with a reason of a card scheme is explained without a text for the reason', () => {
    assert.match(transactionCodeOf('3DS-N-85')?.meaning.en ?? '', /85/)
  })

  it('of two characters that no table has is a decline of the issuer', () => {
    const { source, meaning } = transactionCodeOf('Q7') ?? assert.fail()
    assert.deepEqual([source, meaning.en], ['issuer', 'The bank declined with its own code.'])
  })

  it('of a bank’s page that is an error of the page is explained by its beginning', () => {
    for (const code of ['3DS-HPP-1001', '3DS-HPP-4111111111111111\nforged']) {
      const known = transactionCodeOf(code) ?? assert.fail()
      assert.deepEqual([known.code, known.source], ['3DS-HPP-…', 'bank_page'])
    }
  })

  it('after which the outcome is unknown never asks to pay again', () => {
    for (const code of ['09', '68', '96', '99']) {
      const { retry, meaning, action } = transactionCodeOf(code) ?? assert.fail()
      assert.equal(retry, 'never', code)
      assert.match(meaning.en, /outcome is unknown/)
      assert.match(action.en, /Do not charge again/)
    }
  })

  it('that no bank and no part of Vezne gives is unknown', () => {
    for (const code of ['', '5', '3DS-', '3DS-Z', 'constructor', 'CORE-9999', '4111111111111111'])
      assert.equal(transactionCodeOf(code), undefined, code)
  })
})
