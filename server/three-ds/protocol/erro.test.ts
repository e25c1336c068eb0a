import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../testing/harness/any-text.ts'
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

it('an incomplete Erro is read, and its texts are safe to show', () => {
  const description = `card ${pan}\u0000 is\nwrong`
  assert.deepEqual(
    readErro({
      messageType: 'Erro',
      messageVersion: '2.1.0',
      errorCode: '305',
      errorComponent: 'D',
      errorDescription: description,
      errorDetail: 'acctNumber',
      threeDSServerTransID: serverTransId,
    }),
    {
      code: '305',
      component: 'D',
      description: 'card [number redacted] is wrong',
      detail: 'acctNumber',
      serverTransId,
    },
  )
  const nothing = { code: null, component: null, description: '', detail: '', serverTransId: null }
  assert.deepEqual(readErro({ messageType: 'Erro', errorCode: 305, errorComponent: 'X' }), nothing)
  for (const value of [undefined, null, {}, [], ares('2.2.0')]) assert.equal(readErro(value), undefined)
})

it('the texts of an Erro are cut to their maximum length', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1_000, maxLength: 12_000 }), (text) => {
      const read = readErro({ messageType: 'Erro', errorDescription: text, errorDetail: text })
      assert.ok(read && read.description.length <= 2048 && read.detail.length <= 2048)
    }),
    { numRuns: 30 },
  )
})
