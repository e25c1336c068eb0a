import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { createNotesTable, noteRoutes } from '../../testing/harness/notes.ts'
import { systemClock } from '../runtime/clock.ts'
import { DatabaseUnavailable } from '../runtime/sql.ts'
import { clientNetworkOf } from './client-network.ts'

const url = '/v1/token/get-token'

/** Sends raw bytes and returns everything that comes back. */
async function sendRaw(port: number, ...chunks: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  for (const chunk of chunks) socket.write(chunk, 'latin1')
  await new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
  return answer
}

describe('malformed HTTP', () => {
  it('is refused in the usual form, and the service goes on', async () => {
    const api = await testApi()
    await api.merchantCache.refresh()
    const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const port = Number(new URL(address).port)
    const broken = [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
      'POST /v1/token/get-token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
      'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
    ]
    for (const bytes of broken) {
      const answer = await sendRaw(port, bytes)
      assert.match(answer, /^HTTP\/1\.1 4\d\d /, bytes.slice(0, 60))
    }
    const answer = await sendRaw(port, 'nonsense\r\n\r\n')
    assert.match(answer, /"error_code":900/)
    assert.match(answer, /x-request-id: /)
    const fine = await fetch(`${address}${url}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.secretKey}` },
    })
    assert.equal(fine.status, 200)
  })
})

it('a client that sends malformed HTTP and never closes is disconnected', async () => {
  const api = await testApi()
  const port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined).write('nonsense\r\n\r\n')
  socket.resume()
  await new Promise((resolve) => socket.on('end', resolve))
  while ((await connectionsOf(api.app.server)) > 0) await systemClock.sleep(5)
  socket.destroy()
})

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

describe('trusted proxies', () => {
  const loggedAddress = async (proxies: string, forwarded: string) => {
    const api = await testApi({ env: { TRUSTED_PROXIES: proxies } })
    await api.call({ url: '/nope', headers: { 'x-forwarded-for': forwarded } })
    return JSON.parse(api.lines.at(-1) ?? '').address
  }

  it('are the only senders that may name the client address', async () => {
    assert.equal(await loggedAddress('', '203.0.113.7'), '127.0.0.1')
    assert.equal(await loggedAddress('10.0.0.0/8', '203.0.113.7'), '127.0.0.1')
    assert.equal(await loggedAddress('127.0.0.1', '203.0.113.7'), '203.0.113.7')
    assert.equal(
      await loggedAddress('127.0.0.0/8, 10.0.0.0/8', '198.51.100.1, 203.0.113.7, 10.1.1.1'),
      '203.0.113.7',
    )
  })

  it('that pass on an invalid address are not believed', async () => {
    assert.equal(await loggedAddress('127.0.0.1', '<script>'), '127.0.0.1')
  })

  it('let failed credentials be counted by the real client address', async () => {
    const api = await testApi({ env: { TRUSTED_PROXIES: '127.0.0.1', FAILED_CREDENTIALS_PER_MINUTE: '1' } })
    const from = async (address: string) =>
      (await api.call({ method: 'POST', url, headers: { 'x-forwarded-for': address } })).json.error_code
    assert.deepEqual(
      [await from('203.0.113.7'), await from('203.0.113.7'), await from('203.0.113.8')],
      [910, 960, 910],
    )
    assert.deepEqual(
      [await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:1::1')],
      [910, 960, 910],
    )
  })
})

it('addresses of one subscriber count as one sender', () => {
  assert.equal(clientNetworkOf('203.0.113.7'), '203.0.113.7')
  assert.equal(clientNetworkOf('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(clientNetworkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(clientNetworkOf('2001:0db8::1'), '2001:db8:0:0::/64')
  assert.equal(clientNetworkOf('::1'), '0:0:0:0::/64')
  assert.equal(clientNetworkOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

describe('503', () => {
  it('an unreachable database gives 991 with a Retry-After, not an internal error', async () => {
    const api = await testApi({
      routes: noteRoutes(async () => {
        throw new DatabaseUnavailable('away')
      }),
    })
    await createNotesTable(api.services.sql)
    const token = await api.token()
    const answer = await api.call({ method: 'POST', url: '/v1/notes', token, form: 'title=a&amount=1' })
    assert.deepEqual([answer.status, answer.json.error_code, answer.headers['retry-after']], [503, 991, '2'])
  })

  it('an instance that has seen no key changes for five seconds trusts none of its cached keys', async () => {
    const api = await testApi({ routes: noteRoutes() })
    const token = await api.token()
    api.clock.advance(5_001)
    const answer = await api.app.inject({ url: '/v1/notes/1', headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.statusCode, 503)
  })
})
