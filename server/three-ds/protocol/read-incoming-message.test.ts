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
    it('are read', () => {
      assert.deepEqual(checkedMessage('PRes', pres(version), transaction), {
        ds: { from: '2.1.0', to: '2.3.1' },
        serialNumber: '11',
        cardRanges: [{}],
      })
      assert.equal(
        checkedMessage('PRes', pres(version, { cardRangeData: undefined }), transaction).cardRanges,
        null,
      )
    })

    it('pass on no outcome that a browser claims', () => {
      const claimed = cres(version, { transStatus: 'Y', challengeCompletionInd: 'Y' })
      assert.deepEqual(checkedMessage('CRes', claimed, transaction), {})
    })

    it('are 201 with a missing element, 203 with an invalid one, 301 with another transaction’s id', () => {
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
      it('is read if it has unknown elements', () => {
        checkedMessage(
          kind,
          sample(version, { somethingNew: { a: [1] }, dsURL: 7, __proto__: null }),
          transaction,
        )
      })

      it('is 101 if it has another message type', () => {
        for (const messageType of ['AReq', 'Erro', 'ares', '', undefined, 3]) {
          assertMessageRefused(kind, sample(version, { messageType }), transaction, '101', 'messageType')
        }
        for (const value of [undefined, null, 'ARes', 5, [], [sample(version)], true]) {
          assertMessageRefused(kind, value, transaction, '101', 'messageType')
        }
      })

      it('is 102 in an unsupported version, and 203 in an invalid version or one that was not agreed on', () => {
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

      it('is 202 with a critical extension, which is named, and is read with a non-critical one', () => {
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

      it('is 301 about another transaction', () => {
        const threeDSServerTransID = '00000000-0000-4000-8000-000000000000'
        assertMessageRefused(
          kind,
          sample(version, { threeDSServerTransID }),
          transaction,
          '301',
          'threeDSServerTransID',
        )
        const odd = sample(version, { threeDSServerTransID: 'x' })
        assertMessageRefused(kind, odd, transaction, '203', 'threeDSServerTransID')
        const nameless = sample(version, { threeDSServerTransID: undefined })
        assertMessageRefused(kind, nameless, transaction, '201', 'threeDSServerTransID')
      })
    })
  }
}

describe('differences between the versions', () => {
  it('the trust list elements have other names, and come both or not at all', () => {
    const names = { '2.2.0': 'whiteListStatus', '2.3.1': 'trustListStatus' } as const
    for (const version of supportedVersions) {
      const name = names[version]
      const other = names[version === '2.2.0' ? '2.3.1' : '2.2.0']
      for (const [kind, sample] of [
        ['ARes', ares],
        ['RReq', rreq],
      ] as const) {
        const known = sentTransaction(version)
        checkedMessage(kind, sample(version, { [name]: 'N', [`${name}Source`]: '02' }), known)
        checkedMessage(kind, sample(version, { [other]: 'Q' }), known)
        const wrong: [TestMessage, string, string][] = [
          [{ [name]: 'Y' }, '201', `${name}Source`],
          [{ [`${name}Source`]: '01' }, '201', name],
          [{ [name]: 'Q', [`${name}Source`]: '01' }, '203', name],
          [{ [name]: 'Y', [`${name}Source`]: '04' }, '203', `${name}Source`],
        ]
        for (const [more, code, detail] of wrong) {
          assertMessageRefused(kind, sample(version, more), known, code, detail)
        }
      }
    }
  })

  it('the authentication method is one value, and from 2.3 on can be a list', () => {
    const methods = (version: ProtocolVersion, authenticationMethod: unknown) =>
      checkedMessage('RReq', rreq(version, { authenticationMethod }), sentTransaction(version))
    methods('2.2.0', '02')
    methods('2.3.1', '02')
    methods('2.3.1', ['02', '07'])
    const listed = rreq('2.2.0', { authenticationMethod: ['02'] })
    assertMessageRefused('RReq', listed, sentTransaction('2.2.0'), '203', 'authenticationMethod')
  })

  it('reason codes reserved in 2.2 are invalid there', () => {
    const verdict = { transStatus: 'N', transStatusReason: '27' }
    assertMessageRefused('ARes', ares('2.2.0', verdict), sentTransaction('2.2.0'), '203', 'transStatusReason')
    assert.equal(checkedMessage('ARes', ares('2.3.1', verdict), sentTransaction('2.3.1')).status, 'N')
  })
})

it('no input throws, and status Y or A is read only with a matching cryptogram and ECI', () => {
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
