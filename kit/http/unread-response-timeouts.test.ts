import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, it } from 'node:test'
import { longIt } from '../../testing/harness/tier.ts'
import { systemClock } from '../runtime/clock.ts'
import { UnreadResponseTimeouts } from './unread-response-timeouts.ts'

/** Far more than the buffers of both sockets hold. */
const large = 'x'.repeat(64 * 1024 * 1024)

const server = createServer((request, response) => response.end(request.url === '/large' ? large : 'small'))
const unread = new UnreadResponseTimeouts(50)
unread.follow(server)
/** Longer than a reader pauses on a machine that runs several test suites. */
const timeoutMs = 5_000
const patient = new UnreadResponseTimeouts(timeoutMs)
patient.follow(server)
await once(server.listen(0, '127.0.0.1'), 'listening')
after(() => server.close())
const { port } = server.address() as AddressInfo

async function ask(path: string) {
  const client = connect(port, '127.0.0.1')
  const [connection] = await once(server, 'connection')
  client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  return { client, connection }
}

it('a client that does not read its response is disconnected', async () => {
  const { client, connection } = await ask('/large')
  client.pause()
  await once(server, 'request')
  unread.setTimeouts()
  await once(connection, 'close')
  client.destroy()
})

longIt('who reads is not, whatever is looked at meanwhile, however long it takes', async () => {
  const { client, connection } = await ask('/large')
  const beganMs = systemClock.monotonicMs()
  let length = 0
  for await (const chunk of client) {
    length += chunk.length
    patient.setTimeouts()
    if (length > large.length) break
    if (systemClock.monotonicMs() - beganMs < 1.2 * timeoutMs) await systemClock.sleep(20)
  }
  assert.ok(length > large.length)
  assert.ok(systemClock.monotonicMs() - beganMs > timeoutMs)
  assert.equal(connection.writableLength, 0)
})

it('an idle keep-alive connection gets no timer from us', async () => {
  const { client, connection } = await ask('/small')
  await once(client, 'data')
  // Node's own keep-alive timer is off, so any timer found now is ours.
  connection.setTimeout(0)
  unread.setTimeouts()
  assert.equal(connection.timeout, 0)
  client.destroy()
})
