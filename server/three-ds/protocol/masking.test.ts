import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { isLuhnValid } from '../../../kit/money/card.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import { ares, identifiers } from '../../../testing/three-ds/messages.ts'
import { maskedMessage } from './masking.ts'

const pan = '4155650100416111'

/** True if consecutive digits form a card number. */
function containsNumber(text: string): boolean {
  for (const run of text.match(/\d{13,}/g) ?? []) {
    for (let start = 0; start < run.length; start++) {
      for (let length = 13; length <= 19 && start + length <= run.length; length++) {
        if (isLuhnValid(run.slice(start, start + length))) return true
      }
    }
  }
  return false
}

it('the first six and last four digits of a card are kept, and no cardholder data', () => {
  const message = {
    messageType: 'AReq',
    ...identifiers,
    acctNumber: pan,
    cardExpiryDate: '3008',
    cardSecurityCode: '123',
    cardholderName: 'Ayse Isik',
    email: 'ayse@example.com',
    mobilePhone: { cc: '90', subscriber: '5321234567' },
    billAddrLine1: 'Bağdat Cad. 1',
    shipAddrCity: 'İstanbul',
    purchaseAmount: '1000',
    purchaseDate: '20261115063005',
    merchantRiskIndicator: { deliveryEmailAddress: 'ayse@example.com', shipIndicator: '01' },
    browserJavascriptEnabled: true,
  }
  assert.deepEqual(maskedMessage(message), {
    messageType: 'AReq',
    ...identifiers,
    acctNumber: '415565******6111',
    cardExpiryDate: '***',
    cardSecurityCode: '***',
    cardholderName: '***',
    email: '***',
    mobilePhone: '***',
    billAddrLine1: '***',
    shipAddrCity: '***',
    purchaseAmount: '1000',
    purchaseDate: '20261115 063005',
    merchantRiskIndicator: { deliveryEmailAddress: '***', shipIndicator: '01' },
    browserJavascriptEnabled: true,
  })
  assert.equal(message.acctNumber, pan)
})

it('cryptograms, encoded messages and extension data are masked', () => {
  const masked = maskedMessage({
    ...ares('2.2.0'),
    threeDSMethodData: 'eyJ',
    threeDSSessionData: 'x',
    messageExtension: [{ name: 'a', id: 'b', criticalityIndicator: false, data: { secret: 1 } }],
  })
  assert.deepEqual(masked, {
    ...ares('2.2.0'),
    authenticationValue: '***',
    threeDSMethodData: '***',
    threeDSSessionData: '***',
    messageExtension: [{ name: 'a', id: 'b', criticalityIndicator: false, data: '***' }],
  })
})

it('a card number is masked in any position', () => {
  const hiding = {
    note: `paid with ${pan} yesterday`,
    spaced: '4155 6501 0041 6111',
    number: Number(pan),
    [pan]: 1,
    list: [[pan]],
    acctNumber: [pan],
    acctnumber: Number(pan),
    acsTransID: pan,
    purchaseDate: pan,
    cardRangeData: [{ startRange: pan, endRange: `x${pan}` }],
    padded: `${'x'.repeat(490)}${pan}`,
  }
  const text = JSON.stringify(maskedMessage(hiding))
  assert.ok(!containsNumber(text) && !text.includes('50100416') && !text.includes('6501 0041'), text)
  assert.match(text, /415565\*{6}6111/)
})

it('any input leads to a JSON copy without card numbers', () => {
  const number = fc.constantFrom(pan, '340000000002708', '4222222222222', '6304000000000000018')
  const digits = fc
    .tuple(fc.string({ maxLength: 5 }), number, fc.string({ maxLength: 5 }))
    .map((all) => all.join(''))
  const name = fc.oneof(fc.constantFrom('acctNumber', 'note', 'acsTransID', 'purchaseDate', 'data'), digits)
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 8 },
      fc.oneof(
        digits,
        number.map(Number),
        fc.jsonValue({ maxDepth: 1 }),
        fc.double(),
        fc.constant(undefined),
      ),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(fc.oneof(tree, fc.anything()), (message) => {
      const copy = maskedMessage(message)
      const text = JSON.stringify(copy)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(copy)))
      assert.ok(!containsNumber(text), text)
    }),
    { numRuns: repetitions(2_000) },
  )
})

it('a value that is no object is wrapped in one', () => {
  assert.deepEqual(maskedMessage('x'), { value: 'x' })
  assert.deepEqual(maskedMessage(null), { value: null })
  assert.deepEqual(maskedMessage(undefined), { value: '…' })
})

it('a huge or deeply nested message is cut short', () => {
  let deep: unknown = pan
  for (let depth = 0; depth < 50_000; depth++) deep = depth % 2 === 0 ? [deep] : { deep }
  const wide = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`element${index}`, 'x'.repeat(999)]),
  )
  const long = 'x'.repeat(9_000)
  const lists = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => long))
  for (const message of [deep, wide, lists, { cardRangeData: lists }, 'x'.repeat(1_000_000)]) {
    assert.ok(JSON.stringify(maskedMessage(message)).length < 600_000)
  }
})
