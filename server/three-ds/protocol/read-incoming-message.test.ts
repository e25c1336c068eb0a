import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../testing/harness/tier.ts'
import type { TestMessage } from '../../../testing/three-ds/messages.ts'
import {
  acsTransId,
  ares,
  cavv,
  challengeFields,
  cres,
  dsTransId,
  pres,
  rreq,
  serverTransId,
} from '../../../testing/three-ds/messages.ts'
import {
  assertMessageRefused,
  checkedMessage,
  sentTransaction,
} from '../../../testing/three-ds/read-message.ts'
import type { IncomingMessages } from './read-incoming-message.ts'
import { readIncomingMessage } from './read-incoming-message.ts'
import type { ProtocolVersion } from './versions.ts'
import { supportedVersions } from './versions.ts'

const samples = { ARes: ares, RReq: rreq, PRes: pres, CRes: cres }

for (const version of supportedVersions) {
  const transaction = sentTransaction(version)

  describe(`PRes and CRes ${version}`, () => {
    it('they are read', () => {
      assert.deepEqual(checkedMessage('PRes', pres(version), transaction), {
        version,
        serverTransId,
        dsTransId,
        ds: { from: '2.1.0', to: '2.3.1' },
        serialNumber: '11',
        cardRanges: [{}],
      })
      assert.equal(
        checkedMessage('PRes', pres(version, { cardRangeData: undefined }), transaction).cardRanges,
        null,
      )
      assert.deepEqual(checkedMessage('CRes', cres(version), transaction), {
        version,
        serverTransId,
        acsTransId,
      })
    })

    it('nothing of what a browser claims about the outcome is passed on', () => {
      const claimed = checkedMessage(
        'CRes',
        cres(version, { transStatus: 'Y', challengeCompletionInd: 'Y' }),
        transaction,
      )
      assert.ok(!Object.values(claimed).includes('Y'))
    })

    it('what is missing is 201, what is wrong 203, and what is another’s 301', () => {
      assertMessageRefused(
        'PRes',
        pres(version, { dsEndProtocolVersion: undefined }),
        transaction,
        '201',
        'dsEndProtocolVersion',
      )
      assertMessageRefused(
        'PRes',
        pres(version, { serialNum: 'x'.repeat(21) }),
        transaction,
        '203',
        'serialNum',
      )
      assertMessageRefused('PRes', pres(version, { cardRangeData: {} }), transaction, '203', 'cardRangeData')
      const turned = { dsStartProtocolVersion: '2.3.1', dsEndProtocolVersion: '2.1.0' }
      assertMessageRefused(
        'PRes',
        pres(version, turned),
        transaction,
        '203',
        'dsStartProtocolVersion,dsEndProtocolVersion',
      )
      assertMessageRefused('CRes', cres(version, { acsTransID: undefined }), transaction, '201', 'acsTransID')
      assertMessageRefused(
        'CRes',
        cres(version, { acsTransID: dsTransId }),
        { ...transaction, acsTransId },
        '301',
        'acsTransID',
      )
    })
  })

  for (const [kind, sample] of Object.entries(samples) as [keyof IncomingMessages, typeof ares][]) {
    describe(`any ${kind} ${version}`, () => {
      it('is read with elements that nobody knows', () => {
        checkedMessage(
          kind,
          sample(version, { somethingNew: { a: [1] }, dsURL: 7, __proto__: null }),
          transaction,
        )
      })

      it('is none that was asked for when it is of another type: 101', () => {
        for (const messageType of ['AReq', 'Erro', 'ares', '', undefined, 3]) {
          assertMessageRefused(kind, sample(version, { messageType }), transaction, '101', 'messageType')
        }
        for (const value of [undefined, null, 'ARes', 5, [], [sample(version)], true]) {
          assertMessageRefused(kind, value, transaction, '101', 'messageType')
        }
      })

      it('is 102 in a version that we do not speak, 203 in one that was not agreed on or is none', () => {
        for (const messageVersion of ['2.1.0', '2.3.0', '1.0.2', '3.0.0']) {
          assertMessageRefused(
            kind,
            sample(version, { messageVersion }),
            transaction,
            '102',
            'messageVersion',
          )
        }
        const other = version === '2.2.0' ? '2.3.1' : '2.2.0'
        for (const messageVersion of [other, '2.2', 'x', 2.2, '']) {
          assertMessageRefused(
            kind,
            sample(version, { messageVersion }),
            transaction,
            '203',
            'messageVersion',
          )
        }
        assertMessageRefused(
          kind,
          sample(version, { messageVersion: undefined }),
          transaction,
          '201',
          'messageVersion',
        )
      })

      it('is 202 with a critical extension, whose name is told, and read with another', () => {
        const extension = {
          name: 'Something',
          id: 'A000000658-01',
          criticalityIndicator: true,
          data: { a: 1 },
        }
        assertMessageRefused(
          kind,
          sample(version, { messageExtension: [extension] }),
          transaction,
          '202',
          'A000000658-01',
        )
        const messageExtension = [{ ...extension, criticalityIndicator: false }]
        checkedMessage(kind, sample(version, { messageExtension }), transaction)
      })

      it('is about the transaction that was sent, or 301', () => {
        const threeDSServerTransID = '00000000-0000-4000-8000-000000000000'
        assertMessageRefused(
          kind,
          sample(version, { threeDSServerTransID }),
          transaction,
          '301',
          'threeDSServerTransID',
        )
        assertMessageRefused(kind, sample(version), undefined, '301', 'threeDSServerTransID')
        assertMessageRefused(
          kind,
          sample(version, { threeDSServerTransID: 'x' }),
          undefined,
          '203',
          'threeDSServerTransID',
        )
        const nameless = sample(version, { threeDSServerTransID: undefined })
        assertMessageRefused(kind, nameless, undefined, '201', 'threeDSServerTransID')
      })
    })
  }
}

describe('what differs between the versions', () => {
  it('the trust list has another name in each, and both elements or neither', () => {
    const names = { '2.2.0': 'whiteListStatus', '2.3.1': 'trustListStatus' } as const
    for (const version of supportedVersions) {
      const name = names[version]
      const other = names[version === '2.2.0' ? '2.3.1' : '2.2.0']
      for (const [kind, sample] of [
        ['ARes', ares],
        ['RReq', rreq],
      ] as const) {
        const read = (more: TestMessage) =>
          checkedMessage(kind, sample(version, more), sentTransaction(version)).trustList
        assert.deepEqual(read({ [name]: 'N', [`${name}Source`]: '02' }), { status: 'N', source: '02' })
        assert.equal(read({ [other]: 'Q' }), null)
        const wrong: [TestMessage, string, string][] = [
          [{ [name]: 'Y' }, '201', `${name}Source`],
          [{ [`${name}Source`]: '01' }, '201', name],
          [{ [name]: 'Q', [`${name}Source`]: '01' }, '203', name],
          [{ [name]: 'Y', [`${name}Source`]: '04' }, '203', `${name}Source`],
        ]
        for (const [more, code, detail] of wrong) {
          assertMessageRefused(kind, sample(version, more), sentTransaction(version), code, detail)
        }
      }
    }
  })

  it('the methods of authentication are one, and from 2.3 on a list', () => {
    const methods = (version: ProtocolVersion, authenticationMethod: unknown) =>
      checkedMessage('RReq', rreq(version, { authenticationMethod }), sentTransaction(version))
        .authenticationMethods
    assert.deepEqual(methods('2.2.0', '02'), ['02'])
    assert.deepEqual(methods('2.3.1', '02'), ['02'])
    assert.deepEqual(methods('2.3.1', ['02', '07']), ['02', '07'])
    const listed = rreq('2.2.0', { authenticationMethod: ['02'] })
    assertMessageRefused('RReq', listed, sentTransaction('2.2.0'), '203', 'authenticationMethod')
  })

  it('reasons that 2.2 has reserved are none there', () => {
    const verdict = { transStatus: 'N', transStatusReason: '27' }
    assertMessageRefused('ARes', ares('2.2.0', verdict), sentTransaction('2.2.0'), '203', 'transStatusReason')
    assert.equal(checkedMessage('ARes', ares('2.3.1', verdict), sentTransaction('2.3.1')).status, 'N')
  })
})

it('whatever comes, a message is only what is proven by its elements, and nothing throws', () => {
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom('Y', 'A', 'C', 'I', '05', cavv, serverTransId))
  const names = fc.constantFrom(
    ...Object.keys({ ...ares('2.2.0'), ...rreq('2.2.0'), ...challengeFields, messageExtension: 0 }),
  )
  fc.assert(
    fc.property(
      fc.dictionary(names, values),
      fc.constantFrom(...(Object.keys(samples) as (keyof IncomingMessages)[])),
      (changes, kind) => {
        const read = readIncomingMessage(
          kind,
          { ...samples[kind]('2.2.0'), ...changes },
          sentTransaction('2.2.0'),
        )
        if ('error' in read || !('status' in read.message)) return
        const { message } = read
        if (message.status !== 'Y' && message.status !== 'A') return
        assert.equal(message.cavv, cavv)
        assert.equal(message.eci, message.status === 'Y' ? '05' : '06')
      },
    ),
    { numRuns: repetitions(2_000) },
  )
})
