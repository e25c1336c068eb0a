import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestMessage } from '../../../testing/three-ds/messages.ts'
import { acsTransId, ares, cavv, challengeFields, dsTransId } from '../../../testing/three-ds/messages.ts'
import {
  assertMessageRefused,
  checkedMessage,
  sentTransaction,
} from '../../../testing/three-ds/read-message.ts'
import type { KnownTransaction } from './known-transaction.ts'
import { supportedVersions } from './versions.ts'

for (const version of supportedVersions) {
  const transaction = sentTransaction(version)

  describe(`ARes ${version}`, () => {
    it('each status is read with its elements', () => {
      const common = { acsTransId, dsTransId, holderText: null }
      const proven = { ...common, reason: null, cavv }
      const read = (more: TestMessage, known: KnownTransaction = transaction) =>
        checkedMessage('ARes', ares(version, more), known)
      assert.deepEqual(read({}), { ...proven, status: 'Y', eci: '05' })
      assert.deepEqual(read({ transStatus: 'A', eci: '06' }), { ...proven, status: 'A', eci: '06' })
      for (const status of ['N', 'U', 'R'] as const) {
        const unproven = {
          transStatus: status,
          transStatusReason: '11',
          eci: undefined,
          cardholderInfo: 'Bankanızı\u200b arayınız.',
        }
        const expected = {
          ...common,
          status,
          reason: '11',
          eci: null,
          cavv: null,
          holderText: 'Bankanızı arayınız.',
        }
        assert.deepEqual(read(unproven), expected)
      }
      assert.deepEqual(read(challengeFields), {
        ...common,
        status: 'C',
        acsUrl: challengeFields.acsURL,
      })
      for (const challengeIndicator of ['05', '06', '07', '82']) {
        const known = sentTransaction(version, { challengeIndicator })
        assert.deepEqual(read({ transStatus: 'I', eci: '07' }, known), {
          ...proven,
          status: 'I',
          eci: '07',
        })
      }
    })

    it('an element that a status requires and that is missing is 201; all missing elements are named', () => {
      const { acsURL: _, authenticationType: __, ...half } = challengeFields
      const missing: [TestMessage, string][] = [
        [{ eci: undefined }, 'eci'],
        [{ authenticationValue: undefined, eci: undefined, transStatus: 'A' }, 'authenticationValue,eci'],
        [{ transStatus: 'N' }, 'transStatusReason'],
        [{ transStatus: 'U' }, 'transStatusReason'],
        [{ transStatus: 'R' }, 'transStatusReason'],
        [half, 'acsURL,authenticationType'],
        [{ transStatus: undefined }, 'transStatus'],
        [{ transStatus: null }, 'transStatus'],
        [{ acsTransID: undefined, dsReferenceNumber: undefined }, 'acsTransID,dsReferenceNumber'],
        [{ threeDSServerTransID: undefined }, 'threeDSServerTransID'],
      ]
      for (const [more, detail] of missing)
        assertMessageRefused('ARes', ares(version, more), transaction, '201', detail)
    })

    it('a status that was not requested or that we do not support is 203', () => {
      const known = (challengeIndicator?: string) => sentTransaction(version, { challengeIndicator })
      const wrong: [TestMessage, KnownTransaction][] = [
        [{ transStatus: 'I' }, known()],
        [{ transStatus: 'I' }, known('01')],
        [{ transStatus: 'I' }, known('04')],
        [
          { transStatus: 'I', eci: '00' },
          sentTransaction(version, { challengeIndicator: '82', scheme: 'mastercard' }),
        ],
        [challengeFields, known('06')],
        [{ transStatus: 'D', acsDecConInd: 'Y', authenticationType: '04' }, known()],
        [{ transStatus: 'S' }, known()],
        [{ transStatus: 'Z' }, known()],
        [{ transStatus: 'y' }, known()],
        [{ transStatus: ['Y'] }, known()],
      ]
      for (const [more, about] of wrong)
        assertMessageRefused('ARes', ares(version, more), about, '203', 'transStatus')
    })

    it('an invalid element is 203; all invalid elements are named', () => {
      const wrong: [TestMessage, string][] = [
        [{ eci: '5' }, 'eci'],
        [{ eci: '' }, 'eci'],
        [{ authenticationValue: 'AAAB' }, 'authenticationValue'],
        [{ acsReferenceNumber: 'x'.repeat(33) }, 'acsReferenceNumber'],
        [{ dsTransID: 'no identifier' }, 'dsTransID'],
        [{ threeDSServerTransID: 7 }, 'threeDSServerTransID'],
        [{ cardholderInfo: 'x'.repeat(129) }, 'cardholderInfo'],
        [{ transStatusReason: '00' }, 'transStatusReason'],
        [{ ...challengeFields, acsURL: 'acs.bank.example' }, 'acsURL'],
        [{ ...challengeFields, acsURL: 'javascript:alert(1)' }, 'acsURL'],
        [{ ...challengeFields, acsURL: 'https://user:word@acs.bank.example/' }, 'acsURL'],
        [{ ...challengeFields, acsURL: `https://acs.bank.example/${'x'.repeat(2048)}` }, 'acsURL'],
        [
          { ...challengeFields, acsChallengeMandated: true, authenticationType: '1' },
          'acsChallengeMandated,authenticationType',
        ],
        [{ messageExtension: [{ name: 'a', id: 'b', criticalityIndicator: false }] }, 'messageExtension'],
        [{ messageExtension: {} }, 'messageExtension'],
      ]
      for (const [more, detail] of wrong)
        assertMessageRefused('ARes', ares(version, more), transaction, '203', detail)
    })

    it('an ACS address without TLS is allowed in the test environment only', () => {
      const plain = ares(version, { ...challengeFields, acsURL: 'http://127.0.0.1:4245/acs' })
      assertMessageRefused('ARes', plain, transaction, '203', 'acsURL')
      assert.equal(checkedMessage('ARes', plain, sentTransaction(version, { isLive: false })).status, 'C')
    })

    it('an ECI that contradicts the status proves nothing', () => {
      assertMessageRefused('ARes', ares(version, { eci: '07' }), transaction, '203', 'eci')
      assertMessageRefused('ARes', ares(version, { eci: '02' }), transaction, '203', 'eci')
      assertMessageRefused('ARes', ares(version, { transStatus: 'A', eci: '05' }), transaction, '203', 'eci')
      assertMessageRefused(
        'ARes',
        ares(version, { eci: '05' }),
        sentTransaction(version, { scheme: 'troy' }),
        '203',
        'eci',
      )
      const unknown = sentTransaction(version, { scheme: null })
      assert.equal(checkedMessage('ARes', ares(version, { eci: '02' }), unknown).status, 'Y')
    })
  })
}
