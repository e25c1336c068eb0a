import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { createServer as createNetServer } from 'node:net'
import { after, describe, it } from 'node:test'
import { certificate, privateKey } from '../../testing/harness/certificate.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { systemClock } from '../runtime/clock.ts'
import { NoHttpResponse, networkHttpClient } from './http-client.ts'

const http = networkHttpClient(systemClock)
const timeoutMs = 20_000

describe('a kept connection', () => {
  const send = (url: string) => http.send({ method: 'POST', url, body: 'x', timeoutMs })

  it('serves requests one after the other, and one request at a time', async () => {
    const ports: (number | undefined)[] = []
    const url = await serving(({ socket }, answer) => {
      ports.push(socket.remotePort)
      answer.end()
    })
    for (let request = 0; request < 3; request++) await send(url)
    assert.equal(new Set(ports).size, 1)
    await Promise.all([send(url), send(url)])
    assert.equal(new Set(ports).size, 2)
  })

  it('that the server has closed is not used', async () => {
    const sockets: Socket[] = []
    const url = await serving(({ socket }, answer) => {
      sockets.push(socket)
      answer.end()
    })
    for (let request = 0; request < 3; request++) {
      await send(url)
      const [closed] = sockets.splice(0)
      closed?.end()
      if (closed) await once(closed, 'close')
    }
  })

  it('that breaks before the response leaves the outcome unknown; the request is not sent again', async () => {
    let asked = 0
    const url = await serving(({ socket }, answer) => {
      asked += 1
      if (asked === 1) answer.end()
      else socket.resetAndDestroy()
    })
    await send(url)
    const failure = await failureOf({ url, body: 'x' })
    assert.equal(failure.mayHaveArrived, true)
    assert.equal(asked, 2)
  })

  it('on which the server sends something unasked is closed, so that no request gets it as its response', async () => {
    const sockets: Socket[] = []
    const url = await serving(({ socket }, answer) => {
      sockets.push(socket)
      answer.end(String(sockets.length))
    }, 0)
    await send(url)
    const [first] = sockets
    if (!first) throw new Error('no request arrived')
    first.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfalse')
    // At the end of this exchange the client has read what was sent before it.
    await send(await serving((_request, answer) => void answer.end()))
    assert.equal((await send(url)).body.toString(), '2')
  })

  it('without requests is closed by us, also if the server never closes it', async () => {
    const closed = Promise.withResolvers<void>()
    const url = await serving(({ socket }, answer) => {
      socket.once('close', closed.resolve)
      answer.end()
    }, 0)
    await send(url)
    await closed.promise
  })
})

it('a request is never repeated, whatever the response: a repeated charge is a second charge', async () => {
  for (const status of [401, 407, 408, 421, 425, 429, 503]) {
    let asked = 0
    const url = await serving((_request, answer) => {
      asked += 1
      answer.writeHead(status, { 'retry-after': '0' }).end()
    })
    assert.equal((await http.send({ method: 'POST', url, body: 'x', timeoutMs })).status, status)
    assert.equal(asked, 1, String(status))
  }
})

describe('a response', () => {
  it('with any status is returned with its headers and body', async () => {
    const url = await serving(({ url: path }, answer) => {
      answer.writeHead(Number(path?.slice(1)), { 'x-bank': 'ziraat' }).end('tamam, şimdi')
    })
    for (const status of [200, 204, 400, 404, 500, 503]) {
      const answer = await http.send({ method: 'GET', url: `${url}/${status}`, timeoutMs })
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('x-bank'), 'ziraat')
      assert.equal(answer.body.toString(), status === 204 ? '' : 'tamam, şimdi')
    }
  })

  it('that redirects is not followed: no card is sent elsewhere', async () => {
    let asked = 0
    const elsewhere = await serving((_request, answer) => {
      asked += 1
      answer.end()
    })
    const url = await serving((_request, answer) => void answer.writeHead(307, { location: elsewhere }).end())
    const answer = await http.send({ method: 'POST', url, body: 'card', timeoutMs })
    assert.equal(answer.status, 307)
    assert.equal(asked, 0)
  })

  it('arrives for a request with exactly the given method, headers and body', async () => {
    const url = await serving(async (request, answer) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      answer.end(`${request.method} ${request.headers['content-type']} ${Buffer.concat(parts)}`)
    })
    const headers = { 'content-type': 'application/json' }
    const answer = await http.send({ method: 'POST', url, headers, body: '{"ş":1}', timeoutMs })
    assert.equal(answer.body.toString(), 'POST application/json {"ş":1}')
  })
})

describe('the request certainly did not arrive', () => {
  it('when nothing listens on the port', async () => {
    const server = await listening(createServer())
    const { port } = server.address() as AddressInfo
    await new Promise((closed) => server.close(closed))
    for (const host of ['127.0.0.1', 'localhost']) {
      const failure = await failureOf({ url: `http://${host}:${port}/` })
      assert.equal(failure.mayHaveArrived, false, failure.message)
    }
  })

  it('when the host name does not exist', async () => {
    const failure = await failureOf({ url: 'http://nobody.invalid/' })
    assert.equal(failure.mayHaveArrived, false, failure.message)
  })

  it('when the server does not speak TLS', async () => {
    assert.equal((await failureOf({ url: `https://127.0.0.1:${await babbling()}/` })).mayHaveArrived, false)
  })

  it('when the certificate is not trusted', async () => {
    let asked = 0
    const server = await listening(
      createTlsServer({ cert: certificate, key: privateKey }, (_request, answer) => {
        asked += 1
        answer.end()
      }),
    )
    const { port } = server.address() as AddressInfo
    const failure = await failureOf({ url: `https://localhost:${port}/`, body: 'card' })
    assert.equal(failure.mayHaveArrived, false, failure.message)
    assert.equal(asked, 0)
  })
})

describe('the request may have arrived', () => {
  it('when the connection breaks after it was sent; it is not sent again', async () => {
    let asked = 0
    const url = await serving((request) => {
      asked += 1
      request.socket.resetAndDestroy()
    })
    for (const method of ['POST', 'GET'] as const) {
      asked = 0
      const failure = await failureOf({ url, method })
      assert.equal(failure.mayHaveArrived, true, failure.message)
      assert.equal(asked, 1)
    }
  })

  it('when the response ends early', async () => {
    const url = await serving((request, answer) => {
      answer.writeHead(200, { 'content-length': '100' }).write('approv')
      answer.on('drain', () => undefined)
      request.socket.end()
    })
    assert.equal((await failureOf({ url })).mayHaveArrived, true)
  })

  it('when the response is not HTTP', async () => {
    assert.equal((await failureOf({ url: `http://127.0.0.1:${await babbling()}/` })).mayHaveArrived, true)
  })

  it('when the server switches protocols', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: bank\r\nconnection: upgrade\r\n\r\n'
    const port = await babbling(switching)
    assert.equal((await failureOf({ url: `http://127.0.0.1:${port}/` })).mayHaveArrived, true)
  })

  it('when we abort while waiting', async () => {
    const ending = new AbortController()
    const url = await serving(() => ending.abort())
    const failure = await http
      .send({ method: 'POST', url, timeoutMs, signal: ending.signal })
      .catch((error) => error)
    assert.ok(failure instanceof NoHttpResponse && failure.mayHaveArrived)
    const before = await http
      .send({ method: 'POST', url, timeoutMs, signal: ending.signal })
      .catch((error) => error)
    assert.ok(before instanceof NoHttpResponse && !before.mayHaveArrived)
  })

  it('when the response takes longer than the timeout by our clock, begun or not', async () => {
    for (const begins of [false, true]) {
      const clock = new TestClock()
      const arrived = Promise.withResolvers<void>()
      const url = await serving((_request, answer) => {
        if (begins) answer.writeHead(200).write('appro')
        arrived.resolve()
      })
      const sending = networkHttpClient(clock).send({ method: 'POST', url, timeoutMs: 45_000 })
      const outcome = assert.rejects(
        sending,
        (error) =>
          error instanceof NoHttpResponse && error.mayHaveArrived && /within 45000 ms/.test(error.message),
      )
      await arrived.promise
      clock.advance(44_999)
      clock.advance(1)
      await outcome
    }
  })

  it('when the response is larger than 1 MiB', async () => {
    const url = await serving((_request, answer) => void answer.end(Buffer.alloc(1024 * 1024 + 1)))
    const failure = await failureOf({ url })
    assert.equal(failure.mayHaveArrived, true)
    assert.match(failure.message, /too large/)
    const largest = await serving((_request, answer) => void answer.end(Buffer.alloc(1024 * 1024)))
    const answer = await http.send({ method: 'GET', url: largest, timeoutMs })
    assert.equal(answer.body.length, 1024 * 1024)
  })
})

async function failureOf(request: {
  url: string
  method?: 'GET' | 'POST'
  body?: string
}): Promise<NoHttpResponse> {
  try {
    await http.send({ method: 'POST', timeoutMs, ...request })
  } catch (error) {
    assert.ok(error instanceof NoHttpResponse, String(error))
    return error
  }
  throw new Error('there was an answer')
}

async function serving(listener: RequestListener, keepAliveTimeout = 5_000): Promise<string> {
  const server = await listening(createServer({ keepAliveTimeout }, listener))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that sends this text in response to anything. Returns its port. */
async function babbling(words = 'hello\r\n\r\n'): Promise<number> {
  const server = await listening(
    createNetServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(words))
    }),
  )
  return (server.address() as AddressInfo).port
}

async function listening<Listener extends Server | NetServer>(server: Listener): Promise<Listener> {
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return server
}
