import assert from 'node:assert/strict'
import { it } from 'node:test'
import { acsTransId, serverTransId } from '../../../testing/three-ds/messages.ts'
import { challengeFormFields, challengeWindowCode } from './creq.ts'
import { decodeChallengeNotification } from './cres.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'
import { supportedVersions } from './versions.ts'

it('a challenge form holds the CReq', () => {
  for (const version of supportedVersions) {
    const { creq } = challengeFormFields({ version, serverTransId, acsTransId, windowCode: '03' })
    assert.deepEqual(decodeMessage(creq), {
      messageType: 'CReq',
      messageVersion: version,
      threeDSServerTransID: serverTransId,
      acsTransID: acsTransId,
      challengeWindowSize: '03',
    })
  }
  const invalid = { version: '2.2.0', serverTransId, acsTransId: 'x', windowCode: '05' } as const
  assert.throws(() => challengeFormFields(invalid), /acsTransID/)
})

it('the window size is that of the frame; any other frame is the whole page', () => {
  const codeFor = (width: number, height: number) => challengeWindowCode({ width, height })
  assert.deepEqual([codeFor(500, 600), codeFor(499, 602)], ['03', '03'])
  assert.deepEqual([codeFor(600, 400), codeFor(601, 399)], ['04', '04'])
  for (const [width, height] of [
    [390, 844],
    [500, 500],
    [600, 600],
    [640, 613],
  ] as const)
    assert.equal(codeFor(width, height), '05')
  assert.equal(challengeWindowCode(undefined), '05')
})

it('the end of a challenge can be an Erro in any of the fields, or unreadable', () => {
  const erro = { messageType: 'Erro', errorCode: '402' }
  for (const name of ['cres', 'error', 'erro']) {
    assert.deepEqual(decodeChallengeNotification({ [name]: encodeMessage(erro) }), erro)
  }
  for (const fields of [{}, { cres: 'x' }, { cres: ['a'] }])
    assert.equal(decodeChallengeNotification(fields), undefined)
})
