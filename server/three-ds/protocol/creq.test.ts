import assert from 'node:assert/strict'
import { it } from 'node:test'
import { acsTransId, cres, serverTransId } from '../../../testing/three-ds/messages.ts'
import { challengeFormFields, windowSizeCodeFor } from './creq.ts'
import { decodeChallengeNotification } from './cres.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'
import { supportedVersions } from './versions.ts'

it('a challenge form has two fields', () => {
  for (const version of supportedVersions) {
    const form = challengeFormFields({
      version,
      serverTransId,
      acsTransId,
      windowSize: '03',
      sessionData: 'çay-1',
    })
    assert.deepEqual(decodeMessage(form.creq), {
      messageType: 'CReq',
      messageVersion: version,
      threeDSServerTransID: serverTransId,
      acsTransID: acsTransId,
      challengeWindowSize: '03',
    })
    const back = decodeChallengeNotification({ cres: encodeMessage(cres(version)), ...form })
    assert.deepEqual(back, { value: cres(version), sessionData: 'çay-1' })
  }
})

it('without session data the form has one field; session data that is too long throws', () => {
  const terms = { version: '2.2.0', serverTransId, acsTransId, windowSize: '05' } as const
  assert.deepEqual(Object.keys(challengeFormFields(terms)), ['creq'])
  assert.throws(() => challengeFormFields({ ...terms, sessionData: 'x'.repeat(769) }), /too long/)
  assert.throws(() => challengeFormFields({ ...terms, acsTransId: 'x' }), /acsTransID/)
})

it('the window size fits the page; on a phone it is the whole page', () => {
  assert.equal(windowSizeCodeFor({ width: 1600, height: 900 }), '03')
  assert.equal(windowSizeCodeFor({ width: 800, height: 599 }), '04')
  assert.equal(windowSizeCodeFor({ width: 390, height: 844 }), '05')
  assert.equal(windowSizeCodeFor({ width: 600, height: 300 }), '05')
})

it('the end of a challenge can be an Erro in any of the fields, or unreadable', () => {
  const erro = { messageType: 'Erro', errorCode: '402' }
  for (const name of ['cres', 'error', 'erro']) {
    assert.deepEqual(decodeChallengeNotification({ [name]: encodeMessage(erro) }).value, erro)
  }
  for (const fields of [{}, { cres: 'x' }, { cres: ['a'] }, { threeDSSessionData: '%' }]) {
    assert.deepEqual(decodeChallengeNotification(fields), { value: undefined, sessionData: undefined })
  }
})
