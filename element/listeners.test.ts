import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Listeners } from './listeners.ts'

function listening() {
  const reported: unknown[] = []
  const complaints: unknown[] = []
  const listeners = new Listeners({
    report: (error) => reported.push(error),
    complain: (...words) => complaints.push(...words),
  })
  return { listeners, reported, complaints }
}

it('a listener that throws is reported, and the others still get the event', () => {
  const { listeners, reported } = listening()
  const received: number[] = []
  const wrong = new Error('a bug of the shop')
  listeners.add('expired', () => {
    throw wrong
  })
  listeners.add('expired', ({ transaction_id }) => received.push(transaction_id))
  listeners.emit('expired', { transaction_id: 1 })
  assert.deepEqual([received, reported], [[1], [wrong]])
})

it('a removed listener gets no more events, even if it removed itself', () => {
  const { listeners } = listening()
  const received: number[] = []
  const listener = ({ transaction_id }: { transaction_id: number }) => {
    received.push(transaction_id)
    listeners.remove('ready', listener)
  }
  listeners.add('ready', listener)
  for (const transaction_id of [1, 2]) listeners.emit('ready', { transaction_id })
  assert.deepEqual(received, [1])
})

it('an error without a listener is written to the console, one with a listener is not', () => {
  const { listeners, complaints } = listening()
  const error = { code: 'refused' as const, message: 'x', error_code: 901 }
  listeners.emit('error', error)
  listeners.add('error', () => {})
  listeners.emit('error', error)
  assert.deepEqual(complaints, [error])
})
