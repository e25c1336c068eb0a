import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SecretCvc, SecretPan } from '../../../kit/money/card.ts'
import { anyCharacter } from '../../../testing/harness/any-text.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import { serverTransId } from '../../../testing/three-ds/messages.ts'
import type { AReqInput } from './areq.ts'
import { buildAReq } from './areq.ts'
import { phoneElement } from './cardholder-elements.ts'
import type { ProtocolVersion } from './versions.ts'
import { supportedVersions } from './versions.ts'

const pan = SecretPan.of('4155650100416111')
const cvc = SecretCvc.of('123')
assert.ok(pan && cvc)

const script = {
  language: 'tr-TR',
  colorDepth: 24,
  screenHeight: 900,
  screenWidth: 1600,
  timeZoneOffset: -180,
}
const facts = { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', acceptLanguage: 'tr', address: '203.0.113.7' }

const input: AReqInput = {
  transaction: { version: '2.2.0', isLive: true, serverTransId },
  resultsUrl: 'https://pay.shop.example/3ds/results',
  notificationUrl: 'https://pay.shop.example/3ds/challenge',
  requestorUrl: 'https://shop.example',
  own: {
    by: 'three_ds_server',
    directoryUrl: 'https://directory.example',
    acquirerBin: '400551',
    acquirerMerchantId: '000000012345678',
    merchantCategory: '5943',
    challengeIndicator: '01',
    acceptedStatuses: [],
  },
  merchant: { name: 'Işık Kırtasiye', country: 'TR' },
  card: { pan, cvc, expiryMonth: 8, expiryYear: 2030, holder: 'Ayşe Işık Gökçeoğlu' },
  contact: { email: 'ayse@example.com', phone: '+905321234567' },
  amountMinor: 1_234_567,
  currency: 'TRY',
  purchasedAt: new Date('2026-11-15T09:30:05.678+03:00'),
  methodCompletion: 'Y',
  browser: { ...facts, script },
}
const withVersion = (version: ProtocolVersion) => ({ ...input.transaction, version })

for (const version of supportedVersions) {
  it(`an AReq carries all known data of a payment, in ${version}`, () => {
    const message = buildAReq({ ...input, transaction: withVersion(version) })
    assert.deepEqual(message, {
      messageType: 'AReq',
      messageVersion: version,
      messageCategory: '01',
      deviceChannel: '02',
      threeDSServerTransID: serverTransId,
      threeDSServerRefNumber: 'VEZNE-NOT-CERTIFIED',
      threeDSServerURL: 'https://pay.shop.example/3ds/results',
      threeDSRequestorID: '000000012345678',
      threeDSRequestorName: 'Işık Kırtasiye',
      threeDSRequestorURL: 'https://shop.example',
      threeDSRequestorAuthenticationInd: '01',
      threeDSRequestorChallengeInd: '01',
      threeDSCompInd: 'Y',
      acctNumber: '4155650100416111',
      cardExpiryDate: '3008',
      acquirerBIN: '400551',
      acquirerMerchantID: '000000012345678',
      mcc: '5943',
      merchantCountryCode: '792',
      merchantName: 'Işık Kırtasiye',
      notificationURL: 'https://pay.shop.example/3ds/challenge',
      purchaseAmount: '1234567',
      purchaseCurrency: '949',
      purchaseExponent: '2',
      purchaseDate: '20261115063005',
      transType: '01',
      cardholderName: 'Ayse Isik Gokceoglu',
      email: 'ayse@example.com',
      mobilePhone: { cc: '90', subscriber: '5321234567' },
      browserAcceptHeader: '*/*',
      browserUserAgent: 'Mozilla/5.0',
      browserLanguage: 'tr-TR',
      browserIP: '203.0.113.7',
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserColorDepth: '24',
      browserScreenHeight: '900',
      browserScreenWidth: '1600',
      browserTZ: '-180',
    })
  })
}

it('unknown data is left out', () => {
  const browser = { ...facts, address: undefined, script: undefined }
  const card = { ...input.card, holder: '' }
  const message = buildAReq({ ...input, browser, card, contact: undefined })
  const absent = ['cardholderName', 'email', 'mobilePhone', 'browserIP', 'browserTZ']
  for (const name of absent) assert.ok(!(name in message), name)
  assert.equal(message.browserJavascriptEnabled, false)
})

describe('text typed by payers and merchants never makes an AReq invalid', () => {
  it('merchant names are cut at a whole character', () => {
    const named = (name: string) =>
      buildAReq({ ...input, merchant: { ...input.merchant, name } }).merchantName
    assert.equal(named('x'.repeat(41)), 'x'.repeat(40))
    assert.equal(named(`${'x'.repeat(39)}👍`), 'x'.repeat(39))
    assert.equal(named(`${'x'.repeat(39)}s\u0327y`), 'x'.repeat(39))
    assert.equal(named(`${'x'.repeat(39)} y`), 'x'.repeat(39))
    assert.equal(named('A\nB\u0000\u200bC  D'), 'A B C D')
  })

  it('cardholder names are written in plain letters or left out', () => {
    const names: Record<string, string | undefined> = {
      'İBRAHİM ÇAĞRI ŞÜKRÜ': 'IBRAHIM CAGRI SUKRU',
      ığüşöç: 'igusoc',
      'O’Neill': "O'Neill",
      'Straße Łódź': 'Strasse Lodz',
      ' A B ': 'A B',
      X: undefined,
      '': undefined,
      '12': undefined,
      'Иван Петров': undefined,
      [`A${'x'.repeat(45)}`]: undefined,
      '4155 6501 0041 6111': undefined,
      'Ayse 4155650100416111': undefined,
    }
    for (const [name, expected] of Object.entries(names)) {
      const message = buildAReq({ ...input, card: { ...input.card, holder: name } })
      assert.equal(message.cardholderName, expected, name)
    }
  })

  it('an invalid e-mail or phone number is left out', () => {
    for (const email of [
      '',
      'x',
      'a@b',
      'a b@c.example',
      `${'x'.repeat(250)}@a.example`,
      '4155650100416111@a.example',
    ]) {
      assert.equal(buildAReq({ ...input, contact: { email, phone: 'x' } }).email, undefined, email)
    }
    assert.equal(buildAReq({ ...input, contact: { email: 'x', phone: 'x' } }).mobilePhone, undefined)
    assert.equal(phoneElement({ e164: '+905321234567', national: '0532', country: 'TR' }), undefined)
  })

  it('random text leads to a valid AReq', () => {
    const typed = fc.string({ unit: anyCharacter, maxLength: 80 })
    fc.assert(
      fc.property(typed, typed, typed, typed, (holder, email, phone, shop) => {
        const merchant = { ...input.merchant, name: `V${shop}` }
        buildAReq({ ...input, merchant, card: { ...input.card, holder }, contact: { email, phone } })
      }),
      { numRuns: repetitions(1_000) },
    )
  })
})

describe('an invalid AReq of ours is thrown as an error without values', () => {
  const bugs: [string, Partial<AReqInput>, RegExp][] = [
    [
      'no identifier',
      { transaction: { ...input.transaction, serverTransId: '1' } },
      /203.*threeDSServerTransID/,
    ],
    ['no category', { own: { ...input.own, merchantCategory: '' } }, /203.*mcc/],
    ['no name', { merchant: { ...input.merchant, name: '\u200b' } }, /203.*merchantName/],
    ['no month', { card: { ...input.card, expiryMonth: 13 } }, /203.*cardExpiryDate/],
    [
      'an indicator of a later version',
      { own: { ...input.own, challengeIndicator: '10' } },
      /203.*threeDSRequestorChallengeInd/,
    ],
    ['an amount with a fraction', { amountMinor: 1.5 }, /whole number/],
    ['no amount', { amountMinor: 0 }, /whole number/],
    ['a currency without a number', { currency: 'XXX' }, /ISO 4217/],
    ['an address without encryption', { notificationUrl: 'http://pay.shop.example/' }, /address/],
    [
      'an address that is too long',
      { notificationUrl: `https://a.example/${'x'.repeat(256)}` },
      /notificationURL/,
    ],
  ]
  for (const [what, more, sentence] of bugs) {
    it(what, () => {
      assert.throws(
        () => buildAReq({ ...input, ...more }),
        ({ message }: Error) => sentence.test(message) && !message.includes('4155650100416111'),
      )
    })
  }

  it('plain HTTP in the test environment and the indicators added in 2.3 are allowed', () => {
    const transaction = { ...input.transaction, isLive: false }
    buildAReq({ ...input, transaction, notificationUrl: 'http://127.0.0.1:4243/3ds' })
    const own = { ...input.own, challengeIndicator: '12' }
    buildAReq({ ...input, transaction: withVersion('2.3.1'), own })
  })
})
