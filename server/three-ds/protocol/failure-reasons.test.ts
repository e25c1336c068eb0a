import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cancelReasons, reasonTextsOf, statusReasons } from './failure-reasons.ts'

const statusReasonTextsOf = (code: string) => reasonTextsOf(statusReasons, code)
const cancelReasonTextsOf = (code: string) => reasonTextsOf(cancelReasons, code)

const codes = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'))

it('every reason has a sentence for operators and one for payers, in both languages', () => {
  for (const { operator, payer } of [...codes.map(statusReasonTextsOf), ...codes.map(cancelReasonTextsOf)]) {
    for (const sentence of [operator.tr, operator.en, payer.tr, payer.en])
      assert.match(sentence, /^\S.{5,110}\.$/)
  }
})

it('each reason of the protocol has its own sentence; other reasons are shown by code', () => {
  const known = codes.slice(1, 27).map((code) => statusReasonTextsOf(code).operator.en)
  assert.equal(new Set(known).size, 26)
  assert.match(statusReasonTextsOf('85').operator.tr, /85\.$/)
  assert.match(cancelReasonTextsOf('02').operator.en, /02\.$/)
  for (const odd of ['', 'toString', '4155650100416111', '<b>']) {
    assert.match(statusReasonTextsOf(odd).operator.en, /\?\?\.$/)
  }
})

it('the payer’s text does not reveal the issuer’s suspicion', () => {
  const payerTexts = ['09', '10', '11', '12'].map((code) => statusReasonTextsOf(code).payer)
  assert.deepEqual(new Set(payerTexts), new Set([statusReasonTextsOf('07').payer]))
})
