import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ares, identifiers, serverTransId } from '../../../testing/three-ds/messages.ts'
import { buildErro, readErro } from './erro.ts'
import { protocolError } from './protocol-error.ts'

const pan = '4155650100416111'

it('an Erro names the error, the message type and the transaction', () => {
  for (const version of ['2.2.0', '2.3.1']) {
    assert.deepEqual(buildErro(protocolError('201', 'eci', 'authenticationValue'), ares(version)), {
      messageType: 'Erro',
      messageVersion: version,
      errorCode: '201',
      errorComponent: 'S',
      errorDescription: 'A required element is missing.',
      errorDetail: 'eci,authenticationValue',
      errorMessageType: 'ARes',
      ...identifiers,
    })
  }
})

it('an Erro repeats nothing of an invalid message', () => {
  for (const received of [
    undefined,
    null,
    [],
    'x',
    { messageType: pan, messageVersion: '2.1.0', dsTransID: pan },
  ]) {
    assert.deepEqual(buildErro(protocolError('101'), received), {
      messageType: 'Erro',
      messageVersion: '2.2.0',
      errorCode: '101',
      errorComponent: 'S',
      errorDescription: 'The message is not one that is expected here.',
      errorDetail: '',
    })
  }
})

it('an error detail holds element names only, each once, and has a maximum length', () => {
  assert.equal(protocolError('203', 'eci', pan, 'a b', 'eci', `${pan}x`, `a${pan}`).detail, 'eci,unnamed')
  const many = Array.from({ length: 1_000 }, (_, index) => `element${index}`)
  assert.equal(protocolError('201', ...many).detail.length, 2048)
})

it('an incomplete Erro is read', () => {
  const erro = { messageType: 'Erro', messageVersion: '2.1.0', threeDSServerTransID: serverTransId }
  assert.deepEqual(readErro(erro), { serverTransId })
  for (const id of [undefined, null, 7, 'x'])
    assert.deepEqual(readErro({ ...erro, threeDSServerTransID: id }), { serverTransId: null })
  for (const value of [undefined, null, {}, [], ares('2.2.0')]) assert.equal(readErro(value), undefined)
})
