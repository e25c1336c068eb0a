import assert from 'node:assert/strict'
import { it } from 'node:test'
import { messageOf, sentIn } from '../../testing/three-ds/checking.ts'
import { identifiers, rreq, serverTransId } from '../../testing/three-ds/messages.ts'
import { buildPReq } from './preq.ts'
import { buildRRes } from './rres.ts'
import { versions } from './versions.ts'

for (const version of versions) {
  it(`a result is received, and one of a challenge that was never opened is known, in ${version}`, () => {
    const answered = (more: Record<string, unknown>) =>
      buildRRes(messageOf('RReq', rreq(version, more), sentIn(version)))
    const common = { messageType: 'RRes', messageVersion: version, ...identifiers }
    assert.deepEqual(answered({}), { ...common, resultsStatus: '01' })
    const late = { transStatus: 'N', transStatusReason: '14' }
    assert.deepEqual(answered({ ...late, challengeCancel: '04' }), { ...common, resultsStatus: '01' })
    assert.deepEqual(answered({ ...late, challengeCancel: '05' }), { ...common, resultsStatus: '02' })
  })

  it(`ranges are asked for, all of them or what has changed, in ${version}`, () => {
    const server = { referenceNumber: '3DS_LOA_SER_TEST_020200_00001' }
    const common = {
      messageType: 'PReq',
      messageVersion: version,
      threeDSServerTransID: serverTransId,
      threeDSServerRefNumber: server.referenceNumber,
    }
    const asked = { version, serverTransId, server }
    assert.deepEqual(buildPReq({ ...asked, serialNumber: null }), common)
    const known = { ...asked, server: { ...server, operatorId: '7' }, serialNumber: '11' }
    assert.deepEqual(buildPReq(known), { ...common, threeDSServerOperatorID: '7', serialNum: '11' })
    assert.throws(() => buildPReq({ ...asked, serialNumber: 'x'.repeat(21) }), /serialNum/)
  })
}
