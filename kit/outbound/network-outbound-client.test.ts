import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import type { Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { certificate } from '../../testing/harness/certificate.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import {
  localHttpServer,
  localHttpsServer,
  localTcpServer,
  untilClosed,
  unusedPort,
} from '../../testing/harness/local-server.ts'
import { runAfterPendingIo, systemClock } from '../runtime/clock.ts'
import type { OutboundNetworkOptions } from './network-outbound-client.ts'
import { networkOutboundClient } from './network-outbound-client.ts'
import type { OutboundClient, OutboundRequest } from './outbound-client.ts'

const client = clientOf()

describe('the result holds the response', () => {
  it('with any status, its body and its Retry-After', async () => {
    const { url } = await localHttpServer(({ url: path }, answer) => {
      answer.writeHead(Number(path?.slice(1)), { 'retry-after': '120' }).end('tamam, şimdi')
    })
    for (const status of [200, 204, 400, 410, 429, 500, 503]) {
      const result = await client.send(requestTo(`${url}${status}`))
      const body = Buffer.from(status === 204 ? '' : 'tamam, şimdi')
      assert.deepEqual(result, { status, fault: null, body, retryAfter: '120' })
    }
  })

  it('of a redirect, which is not followed', async () => {
    const elsewhere = await localHttpServer((_request, answer) => void answer.end())
    const { url } = await localHttpServer(({ url: path }, answer) => {
      answer.writeHead(Number(path?.slice(1)), { location: elsewhere.url }).end()
    })
    for (const status of [301, 302, 303, 307, 308])
      assert.equal((await client.send(requestTo(`${url}${status}`))).status, status)
    assert.equal(elsewhere.connections.length, 0)
  })

  it('to a request that was sent as given, to the path and query of its address', async () => {
    const { url, port } = await localHttpServer(async (request, answer) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      const { method, url: path, headers } = request
      answer.end(JSON.stringify({ method, path, headers, body: Buffer.concat(parts).toString() }))
    })
    const headers = { 'content-type': 'application/json', 'webhook-id': '7', Host: 'elsewhere' }
    const result = await client.send({ ...requestTo(`${url}ş?a=1&b#c`), headers, body: '{"ş":1}' })
    assert.deepEqual(JSON.parse(result.body.toString()), {
      method: 'POST',
      path: '/%C5%9F?a=1&b',
      headers: {
        'content-type': 'application/json',
        'webhook-id': '7',
        host: `127.0.0.1:${port}`,
        'accept-encoding': 'identity',
        'content-length': '8',
        connection: 'keep-alive',
      },
      body: '{"ş":1}',
    })
  })

  it('as raw bytes, even if it is compressed without being asked for', async () => {
    const compressed = gzipSync('x'.repeat(100_000))
    const { url } = await localHttpServer((_request, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(compressed)
    })
    assert.deepEqual((await client.send(requestTo(url))).body, compressed)
  })

  it('after interim responses, up to a limit', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\n\r\n'
    const interim = [`HTTP/1.1 100 Continue\r\n\r\n${early}`, early.repeat(17)]
    const { url } = await localTcpServer((socket) => {
      socket.once('data', () =>
        socket.end(`${interim.shift()}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`),
      )
    })
    const patient = await client.send(requestTo(url))
    assert.deepEqual([patient.status, patient.fault, patient.body.toString()], [200, null, 'ok'])
    const endless = await client.send(requestTo(url))
    assert.deepEqual([endless.status, endless.fault], [null, 'not_http'])
  })
})

describe('20 000 bytes', () => {
  it('of a body are kept; a longer one is cut and its connection closed, without a fault', async () => {
    const { url, connections } = await localHttpServer(({ url: path }, answer) => {
      answer.writeHead(500).end(Buffer.alloc(Number(path?.slice(1)), 'x'))
    })
    for (const [sent, kept] of [
      [19_999, 19_999],
      [20_000, 20_000],
      [20_001, 20_000],
      [10_000_000, 20_000],
    ]) {
      const { status, fault, body: answer } = await client.send(requestTo(`${url}${sent}`))
      assert.deepEqual([status, fault, answer.length], [500, null, kept])
    }
    for (const connection of connections) await untilClosed(connection)
    assert.equal(connections.length, 2, 'whole answers leave the connection to the next request')
  })

  it('are the most that is read from an endless response', async () => {
    const stopped = Promise.withResolvers<number>()
    const { url } = await localTcpServer((socket) => {
      const more = Buffer.alloc(100_000, 'x')
      const talk = () => {
        while (socket.bytesWritten < 200_000_000 && socket.write(more));
      }
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n') && talk())
      socket.on('drain', talk).on('close', () => stopped.resolve(socket.bytesWritten))
    })
    const { status, fault, body: answer } = await client.send(requestTo(url))
    assert.deepEqual([status, fault, answer.length], [200, null, 20_000])
    const received = await stopped.promise
    assert.ok(received < 100_000_000, `${received} bytes were sent before the connection was closed`)
  })
})

describe('the limit of 15 seconds, from name lookup to end of response,', { timeout: 10_000 }, () => {
  const parts = {
    'nothing at all': [],
    'a head, one byte a second': [...'HTTP/1.1 200 OK'],
    'a body, one byte a second': ['HTTP/1.1 200 OK\r\n\r\n', ...'yavaş yavaş ve'],
    'interim answers, one a second': Array(15).fill('HTTP/1.1 102 Processing\r\n\r\n'),
  }
  for (const [what, received] of Object.entries(parts)) {
    it(`ends a request to a server that sends ${what}`, async () => {
      const clock = new TestClock()
      const met = Promise.withResolvers<Socket>()
      const { url } = await localTcpServer((socket) => void socket.once('data', () => met.resolve(socket)))
      const carried = watched(clientOf({}, clock).send(requestTo(url)))
      const socket = await met.promise
      for (let second = 0; second < 14; second++) {
        await untilReceived(socket, received[second])
        clock.advance(1_000)
      }
      await untilReceived(socket, received[14])
      clock.advance(999)
      await pendingIo()
      assert.equal(carried.isOver, false)
      clock.advance(1)
      const { status, fault, body: answer } = await carried.result
      const isBegun = what.startsWith('a body')
      assert.deepEqual([status, fault], [isBegun ? 200 : null, 'timeout'])
      assert.equal(answer.toString(), isBegun ? 'yavaş yavaş ve' : '')
      await untilClosed(socket)
    })
  }

  it('ends a lookup that gets no answer, and a late answer does not open a connection', async () => {
    const clock = new TestClock()
    const answers = Promise.withResolvers<string[]>()
    const { port, connections } = await localHttpServer((_request, answer) => void answer.end())
    const names = { addressesOf: () => answers.promise, close: () => undefined }
    const carried = clientOf({ dns: names }, clock).send(requestTo(`http://shop.example:${port}/`))
    await pendingIo()
    clock.advance(15_000)
    assert.equal((await carried).fault, 'timeout')
    answers.resolve(['127.0.0.1'])
    await client.send(requestTo(`http://127.0.0.1:${port}/`))
    assert.equal(connections.length, 1)
  })
})

describe('a failed request has a fault', () => {
  it('connection_refused: nothing listens', async () => {
    const port = await unusedPort()
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const { status, fault } = await client.send(requestTo(`http://${host}:${port}/`))
      assert.deepEqual([status, fault], [null, 'connection_refused'], host)
    }
  })

  it('name_not_found: the name is unknown, or no name server answers', async () => {
    const silent = { addressesOf: () => Promise.resolve([]), close: () => undefined }
    const failing = { addressesOf: () => Promise.reject(new Error('no')), close: () => undefined }
    for (const names of [silent, failing])
      assert.equal(
        (await clientOf({ dns: names }).send(requestTo('http://shop.example/'))).fault,
        'name_not_found',
      )
  })

  it('connection_reset: the connection breaks before the response; a new connection is not retried', async () => {
    for (const how of ['resetAndDestroy', 'destroy'] as const) {
      const { url, connections } = await localTcpServer(
        (socket) => void socket.once('data', () => socket[how]()),
      )
      const { status, fault } = await client.send(requestTo(url))
      assert.deepEqual([status, fault, connections.length], [null, 'connection_reset', 1])
    }
  })

  it('connection_reset: the connection breaks during the response; its status and beginning are kept', async () => {
    for (const how of ['resetAndDestroy', 'end'] as const) {
      const { url } = await localTcpServer((socket) => {
        socket.once('data', () => {
          const begun = () => runAfterPendingIo(() => socket[how]())
          socket.write('HTTP/1.1 201 Created\r\nretry-after: 9\r\ncontent-length: 100\r\n\r\nbaş', begun)
        })
      })
      const { status, fault, body: answer, retryAfter } = await client.send(requestTo(url))
      assert.deepEqual([status, fault, retryAfter], [201, 'connection_reset', '9'])
      // A reset can overtake the bytes sent before it.
      assert.ok(['baş', ''].includes(answer.toString()))
    }
  })

  it('not_http: garbage, an endless head, or another protocol', async () => {
    const received = {
      nonsense: 'merhaba\r\n\r\n',
      'a head too large': `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      'a line without end': `HTTP/1.1 200 ${'x'.repeat(20_000)}`,
      'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'another version': 'HTTP/9.9 200 OK\r\n\r\n',
      'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
    }
    for (const [what, words] of Object.entries(received)) {
      const { url } = await localTcpServer((socket) => void socket.once('data', () => socket.write(words)))
      const { status, fault } = await client.send(requestTo(url))
      assert.deepEqual([status, fault], [null, 'not_http'], what)
    }
  })

  it('not_http with a status: a response that continues as garbage', async () => {
    const words = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\nbirkaç\r\n'
    const { url } = await localTcpServer((socket) => void socket.once('data', () => socket.write(words)))
    const { status, fault } = await client.send(requestTo(url))
    assert.deepEqual([status, fault], [200, 'not_http'])
  })

  it('tls_failed: an untrusted certificate, the wrong host, or no usable encryption', async () => {
    let asked = 0
    const { url, port } = await localHttpsServer((_request, answer) => {
      asked += 1
      answer.end()
    })
    assert.equal((await client.send(requestTo(url))).fault, 'tls_failed')
    const names = { addressesOf: async () => ['127.0.0.1'], close: () => undefined }
    const believer = clientOf({ dns: names, ca: certificate })
    assert.equal((await believer.send(requestTo(`https://shop.example:${port}/`))).fault, 'tls_failed')
    assert.equal((await believer.send(requestTo(`https://127.0.0.1:${port}/`))).fault, 'tls_failed')
    assert.equal(asked, 0)
    assert.equal((await believer.send(requestTo(url))).status, 200)
    const open = await localHttpServer((_request, answer) => void answer.end())
    assert.equal((await client.send(requestTo(`https://localhost:${open.port}/`))).fault, 'tls_failed')
  })

  it('ending: we abort, before the request, while waiting or during the response', async () => {
    const ending = new AbortController()
    const { url, connections } = await localHttpServer(() => ending.abort())
    const waiting = await client.send({ ...requestTo(url), signal: ending.signal })
    assert.deepEqual([waiting.status, waiting.fault], [null, 'ending'])
    const before = await client.send({ ...requestTo(url), signal: ending.signal })
    assert.deepEqual([before.status, before.fault, connections.length], [null, 'ending', 1])
    const within = new AbortController()
    const slow = await localHttpServer((_request, answer) => {
      answer.writeHead(200).write('x', () => runAfterPendingIo(() => within.abort()))
    })
    assert.equal((await client.send({ ...requestTo(slow.url), signal: within.signal })).fault, 'ending')
  })
})

it('requests that a host leaves unanswered do not delay another request to it', async () => {
  const { url } = await localHttpServer(({ url: path }, answer) => {
    if (path === '/') answer.end('ok')
  })
  const ending = new AbortController()
  const silent = { ...requestTo(`${url}silent`), signal: ending.signal }
  const unanswered = Array.from({ length: 200 }, () => client.send(silent))
  const { status, fault } = await client.send(requestTo(url))
  ending.abort()
  await Promise.all(unanswered)
  assert.deepEqual([status, fault], [200, null])
})

it('requests leave no listener, timer or warning behind', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  const clock = new TestClock()
  const own = clientOf({}, clock)
  const { signal } = new AbortController()
  const { url, connections } = await localHttpServer((_request, answer) => void answer.end('ok'))
  for (let count = 0; count < 300; count++) await own.send({ ...requestTo(url), signal })
  await Promise.all(Array.from({ length: 30 }, () => own.send({ ...requestTo(url), signal })))
  process.off('warning', warn)
  assert.deepEqual(warnings, [])
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  assert.ok(connections.length <= 30)
  clock.advance(15_000)
})

function clientOf(outside: OutboundNetworkOptions = {}, clock = systemClock): OutboundClient {
  const made = networkOutboundClient(clock, outside)
  after(() => made.close())
  return made
}

function requestTo(url: string): OutboundRequest {
  return { url, headers: {}, body: '{}', allowsLoopback: true }
}

function watched<Result>(result: Promise<Result>): { result: Promise<Result>; isOver: boolean } {
  const carried = { result, isOver: false }
  const over = () => {
    carried.isOver = true
  }
  result.then(over, over)
  return carried
}

/** Sends the text and waits until it has arrived. */
async function untilReceived(socket: Socket, words: string | undefined): Promise<void> {
  if (words !== undefined) await new Promise((received) => socket.write(words, received))
  await pendingIo()
}

function pendingIo(): Promise<void> {
  return new Promise(runAfterPendingIo)
}
