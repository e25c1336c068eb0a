import assert from 'node:assert/strict'
import { it } from 'node:test'
import { identifiers, rreq, serverTransId } from '../../../testing/three-ds/messages.ts'
import { checkedMessage, sentTransaction } from '../../../testing/three-ds/read-message.ts'
import { buildPReq, serverReferenceNumber } from './preq.ts'
import { buildRRes } from './rres.ts'
import { supportedVersions } from './versions.ts'

for (const version of supportedVersions) {
  it(`an RRes acknowledges a result, and with 02 one of a challenge that was never opened, in ${version}`, () => {
    const responseTo = (more: Record<string, unknown>) =>
      buildRRes(version, checkedMessage('RReq', rreq(version, more), sentTransaction(version)))
    const common = { messageType: 'RRes', messageVersion: version, ...identifiers }
    assert.deepEqual(responseTo({}), { ...common, resultsStatus: '01' })
    const late = { transStatus: 'N', transStatusReason: '14' }
    assert.deepEqual(responseTo({ ...late, challengeCancel: '04' }), { ...common, resultsStatus: '01' })
    assert.deepEqual(responseTo({ ...late, challengeCancel: '05' }), { ...common, resultsStatus: '02' })
  })

  it(`a PReq requests all card ranges or the changes, in ${version}`, () => {
    const common = {
      messageType: 'PReq',
      messageVersion: version,
      threeDSServerTransID: serverTransId,
      threeDSServerRefNumber: serverReferenceNumber,
    }
    assert.deepEqual(buildPReq(version, serverTransId, null), common)
    assert.deepEqual(buildPReq(version, serverTransId, '11'), { ...common, serialNum: '11' })
    assert.throws(() => buildPReq(version, serverTransId, 'x'.repeat(21)), /serialNum/)
  })
}
