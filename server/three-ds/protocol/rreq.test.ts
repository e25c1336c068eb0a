import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestMessage } from '../../../testing/three-ds/messages.ts'
import {
  acsTransId,
  cavv,
  challengeFields,
  dsTransId,
  identifiers,
  rreq,
  serverTransId,
} from '../../../testing/three-ds/messages.ts'
import {
  assertMessageRefused,
  checkedMessage,
  sentTransaction,
} from '../../../testing/three-ds/read-message.ts'
import { supportedVersions } from './versions.ts'

for (const version of supportedVersions) {
  const transaction = sentTransaction(version)

  describe(`RReq ${version}`, () => {
    const both = { ...transaction, acsTransId, dsTransId }
    const common = { serverTransId, acsTransId, dsTransId, cancel: null }

    it('of a success, wrong answers, a cancelled challenge and a timeout is read', () => {
      assert.deepEqual(checkedMessage('RReq', rreq(version), both), {
        ...common,
        status: 'Y',
        reason: null,
        eci: '05',
        cavv,
      })
      const failed = { transStatus: 'N', eci: undefined, authenticationValue: undefined }
      const read = (more: TestMessage) => checkedMessage('RReq', rreq(version, { ...failed, ...more }), both)
      const wrong = read({ transStatusReason: '01', interactionCounter: '03' })
      assert.deepEqual(wrong, { ...common, status: 'N', reason: '01', eci: null, cavv: null })
      const cancelled = read({ transStatusReason: '01', challengeCancel: '01', interactionCounter: '00' })
      assert.equal(cancelled.cancel, '01')
      for (const challengeCancel of ['04', '05']) {
        assert.equal(read({ transStatusReason: '14', challengeCancel }).cancel, challengeCancel)
      }
    })

    it('with status C, D, I or S is 203', () => {
      for (const transStatus of ['C', 'D', 'I', 'S', '']) {
        assertMessageRefused(
          'RReq',
          rreq(version, { ...challengeFields, transStatus }),
          both,
          '203',
          'transStatus',
        )
      }
    })

    it('is 201 with a missing element, and 203 or 305 with a contradicting one', () => {
      const failed = { transStatus: 'N', transStatusReason: '14' }
      const wrong: [TestMessage, string, string][] = [
        [{ authenticationType: undefined }, '201', 'authenticationType'],
        [{ authenticationValue: undefined }, '201', 'authenticationValue'],
        [{ messageCategory: undefined }, '201', 'messageCategory'],
        [{ transStatus: 'N' }, '201', 'transStatusReason'],
        [{ transStatus: 'U' }, '201', 'transStatusReason'],
        [failed, '201', 'challengeCancel'],
        [{ ...failed, challengeCancel: '01' }, '203', 'challengeCancel'],
        [{ ...failed, challengeCancel: '02' }, '203', 'challengeCancel'],
        [{ interactionCounter: '1' }, '203', 'interactionCounter'],
        [{ messageCategory: '02' }, '305', 'messageCategory'],
        [{ eci: '07' }, '203', 'eci'],
      ]
      for (const [more, code, detail] of wrong)
        assertMessageRefused('RReq', rreq(version, more), both, code, detail)
    })

    it('is 301 with an identifier of another transaction', () => {
      const other = '00000000-0000-4000-8000-000000000000'
      for (const name of Object.keys(identifiers)) {
        assertMessageRefused('RReq', rreq(version, { [name]: other }), both, '301', name)
      }
      const capital = rreq(version, { acsTransID: acsTransId.toUpperCase() })
      assert.equal(checkedMessage('RReq', capital, both).status, 'Y')
    })
  })
}
