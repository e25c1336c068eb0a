import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SecretPan } from '../../../kit/money/card.ts'
import { anyCharacter } from '../../../testing/harness/any-text.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import { serverTransId } from '../../../testing/three-ds/messages.ts'
import type { AReqInput } from './areq.ts'
import { AReqSchemas, buildAReq } from './areq.ts'
import { browserElementsFrom } from './browser.ts'
import { readElementsWithSchema } from './element-schemas.ts'
import { supportedVersions } from './versions.ts'

const pan = SecretPan.of('4155650100416111')
assert.ok(pan)

const script = {
  language: 'tr-TR',
  colorDepth: 24,
  screenHeight: 900,
  screenWidth: 1600,
  timeZoneOffset: -180,
}
const facts = { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', acceptLanguage: 'tr', address: '203.0.113.7' }

const input: AReqInput = {
  version: '2.2.0',
  environment: 'live',
  serverTransId,
  server: { referenceNumber: '3DS_LOA_SER_TEST_020200_00001', url: 'https://pay.shop.example/3ds/results' },
  requestor: { id: '10075020', name: 'Işık Kırtasiye', url: 'https://shop.example' },
  acquirer: { bin: '400551', merchantId: '000000012345678' },
  merchant: { name: 'Işık Kırtasiye', countryNumber: '792', category: '5943' },
  card: { pan, expiryMonth: 8, expiryYear: 2030, type: 'credit' },
  holder: {
    name: 'Ayşe Işık Gökçeoğlu',
    email: 'ayse@example.com',
    phone: { e164: '+905321234567', national: '5321234567', country: 'TR' },
  },
  amountMinor: 1_234_567,
  currency: 'TRY',
  purchasedAt: new Date('2026-11-15T09:30:05.678+03:00'),
  notificationUrl: 'https://pay.shop.example/3ds/challenge',
  methodCompletion: 'Y',
  challengeIndicator: '01',
  browser: browserElementsFrom({ ...facts, script }, '2.2.0'),
}

for (const version of supportedVersions) {
  it(`an AReq carries all known data of a payment, in ${version}`, () => {
    const message = buildAReq({ ...input, version })
    assert.deepEqual(message, {
      messageType: 'AReq',
      messageVersion: version,
      messageCategory: '01',
      deviceChannel: '02',
      threeDSServerTransID: serverTransId,
      threeDSServerRefNumber: '3DS_LOA_SER_TEST_020200_00001',
      threeDSServerURL: 'https://pay.shop.example/3ds/results',
      threeDSRequestorID: '10075020',
      threeDSRequestorName: 'Işık Kırtasiye',
      threeDSRequestorURL: 'https://shop.example',
      threeDSRequestorAuthenticationInd: '01',
      threeDSRequestorChallengeInd: '01',
      threeDSCompInd: 'Y',
      acctNumber: '4155650100416111',
      acctType: '02',
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
    assert.ok('message' in readElementsWithSchema(AReqSchemas[version], message))
  })
}

it('unknown data is left out', () => {
  const browser = browserElementsFrom({ ...facts, address: undefined, script: undefined }, '2.2.0')
  const { type: _, ...card } = input.card
  const holder = { name: '', email: null, phone: null }
  const message = buildAReq({ ...input, browser, card, holder })
  const absent = [
    'acctType',
    'cardholderName',
    'email',
    'mobilePhone',
    'browserIP',
    'browserTZ',
    'threeDSServerOperatorID',
  ]
  for (const name of absent) assert.ok(!(name in message), name)
  assert.equal(message.browserJavascriptEnabled, false)
  assert.equal(
    buildAReq({ ...input, server: { ...input.server, operatorId: '7' } }).threeDSServerOperatorID,
    '7',
  )
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
      const message = buildAReq({ ...input, holder: { ...input.holder, name } })
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
      assert.equal(buildAReq({ ...input, holder: { ...input.holder, email } }).email, undefined, email)
    }
    const phone = { e164: '+905321234567', national: '0532', country: 'TR' }
    assert.equal(buildAReq({ ...input, holder: { ...input.holder, phone } }).mobilePhone, undefined)
  })

  it('random text leads to a valid AReq', () => {
    const typed = fc.string({ unit: anyCharacter, maxLength: 80 })
    fc.assert(
      fc.property(typed, typed, typed, (name, email, shop) => {
        const merchant = { ...input.merchant, name: `V${shop}` }
        buildAReq({ ...input, merchant, holder: { name, email, phone: null } })
      }),
      { numRuns: repetitions(1_000) },
    )
  })
})

describe('an invalid AReq of ours is thrown as an error without values', () => {
  const bugs: [string, Partial<AReqInput>, RegExp][] = [
    ['no identifier', { serverTransId: '1' }, /203.*threeDSServerTransID/],
    ['no country', { merchant: { ...input.merchant, countryNumber: 'TR' } }, /203.*merchantCountryCode/],
    ['no category', { merchant: { ...input.merchant, category: '' } }, /203.*mcc/],
    ['no name', { merchant: { ...input.merchant, name: '\u200b' } }, /203.*merchantName/],
    ['no month', { card: { ...input.card, expiryMonth: 13 } }, /203.*cardExpiryDate/],
    ['an indicator of a later version', { challengeIndicator: '10' }, /203.*threeDSRequestorChallengeInd/],
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
    buildAReq({ ...input, environment: 'test', notificationUrl: 'http://127.0.0.1:4243/3ds' })
    buildAReq({ ...input, version: '2.3.1', challengeIndicator: '12' })
  })
})
