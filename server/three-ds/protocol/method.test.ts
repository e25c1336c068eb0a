import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { serverTransId } from '../../../testing/three-ds/messages.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'
import { methodFormFields, readMethodNotification } from './method.ts'

it('the 3DS Method form holds the transaction and the notification address', () => {
  const notificationUrl = 'https://pay.shop.example/3ds/method'
  assert.deepEqual(decodeMessage(methodFormFields(serverTransId, notificationUrl).threeDSMethodData), {
    threeDSServerTransID: serverTransId,
    threeDSMethodNotificationURL: notificationUrl,
  })
  assert.throws(() => methodFormFields(serverTransId, 'x'), /threeDSMethodNotificationURL/)
})

it('a notification is read under any spelling of its field names', () => {
  const names = [
    'threeDSServerTransID',
    'threeDSServerTransId',
    '3DSServerTransID',
    'threeDSServerTransactionID',
  ]
  for (const name of names) {
    for (const field of ['threeDSMethodData', '3DSMethodData', 'threedsmethoddata']) {
      const fields = { [field]: encodeMessage({ [name]: serverTransId.toUpperCase() }) }
      assert.equal(readMethodNotification(fields), serverTransId, `${field} ${name}`)
    }
  }
})

it('a notification without a transaction id is undefined', () => {
  const fields = fc.dictionary(fc.constantFrom('threeDSMethodData', 'x'), fc.anything())
  fc.assert(fc.property(fields, (each) => assert.equal(readMethodNotification(each), undefined)))
  const other = encodeMessage({ threeDSServerTransID: 'x' })
  assert.equal(readMethodNotification({ threeDSMethodData: other }), undefined)
})
