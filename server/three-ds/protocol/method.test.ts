import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { serverTransId } from '../../../testing/three-ds/messages.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'
import { methodFormFields, readMethodNotification } from './method.ts'

it('a 3DS Method is told the transaction and where to come back', () => {
  const notificationUrl = 'https://pay.shop.example/3ds/method'
  assert.deepEqual(decodeMessage(methodFormFields({ serverTransId, notificationUrl }).threeDSMethodData), {
    threeDSServerTransID: serverTransId,
    threeDSMethodNotificationURL: notificationUrl,
  })
  assert.throws(
    () => methodFormFields({ serverTransId, notificationUrl: 'x' }),
    /threeDSMethodNotificationURL/,
  )
})

it('its end is read by whichever names it has', () => {
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

it('what names no transaction is nobody’s, whatever it is', () => {
  const fields = fc.dictionary(fc.constantFrom('threeDSMethodData', 'x'), fc.anything())
  fc.assert(fc.property(fields, (each) => assert.equal(readMethodNotification(each), undefined)))
  const other = encodeMessage({ threeDSServerTransID: 'x' })
  assert.equal(readMethodNotification({ threeDSMethodData: other }), undefined)
})
