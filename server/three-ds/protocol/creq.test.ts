import assert from 'node:assert/strict'
import { it } from 'node:test'
import { acsTransId, serverTransId } from '../../../testing/three-ds/messages.ts'
import { challengeFormFields, challengeWindowFor } from './creq.ts'
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

it('the window size fits the page; on a phone it is the whole page', () => {
  assert.deepEqual(challengeWindowFor({ width: 1600, height: 900 }), {
    code: '03',
    size: { width: 500, height: 600 },
  })
  assert.deepEqual(challengeWindowFor({ width: 800, height: 599 }), {
    code: '04',
    size: { width: 600, height: 400 },
  })
  for (const room of [{ width: 390, height: 844 }, { width: 600, height: 300 }, undefined])
    assert.deepEqual(challengeWindowFor(room), { code: '05', size: null })
})

it('the end of a challenge can be an Erro in any of the fields, or unreadable', () => {
  const erro = { messageType: 'Erro', errorCode: '402' }
  for (const name of ['cres', 'error', 'erro']) {
    assert.deepEqual(decodeChallengeNotification({ [name]: encodeMessage(erro) }), erro)
  }
  for (const fields of [{}, { cres: 'x' }, { cres: ['a'] }])
    assert.equal(decodeChallengeNotification(fields), undefined)
})
