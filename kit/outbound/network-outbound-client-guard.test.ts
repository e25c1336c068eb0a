import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, describe, it } from 'node:test'
import { certificate } from '../../testing/harness/certificate.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import type { LocalServer } from '../../testing/harness/local-server.ts'
import {
  localHttpServer,
  localHttpsServer,
  localTcpServer,
  untilClosed,
} from '../../testing/harness/local-server.ts'
import { runAfterPendingIo, systemClock } from '../runtime/clock.ts'
import type { OutboundNetworkOptions } from './network-outbound-client.ts'
import { networkOutboundClient } from './network-outbound-client.ts'
import type { OutboundClient, OutboundRequest } from './outbound-client.ts'

const client = clientOf()
const addresses = Object.values(networkInterfaces()).flatMap((those) => those?.map(({ address }) => address))
const withoutIPv6 = addresses.includes('::1') ? false : 'this machine has no IPv6'

/** This machine's addresses in numeric form; they need no lookup. */
const selves = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.01',
  '１２７.０.０.１',
  '127%2e0%2e0%2e1',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
]

/** Addresses that no request may go to, even if it allows loopback. */
const nowhere = [
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[fe80::1%lo]',
  '[::1%25lo]',
  '[ff02::1]',
]

describe('a numeric address', () => {
  it('of this machine is not dialled in any spelling', async () => {
    const { port, connections } = await answering()
    for (const host of [...selves, '[::1]', '[0:0:0:0:0:0:0:1]', '127.255.255.254'])
      assert.equal(await faultOf(host, port), 'address_not_allowed', host)
    assert.equal(connections.length, 0)
  })

  it('of this machine is dialled for a request that allows loopback', async () => {
    const { port, connections } = await answering()
    for (const host of selves.filter((self) => !self.startsWith('[') || !withoutIPv6)) {
      const { status } = await client.send({ ...requestTo(host, port), allowsLoopback: true })
      assert.equal(status, 200, host)
    }
    assert.ok(connections.length > 0)
  })

  it('that is not public is never dialled', async () => {
    const { port, connections } = await answering()
    for (const host of nowhere) {
      assert.equal(await faultOf(host, port), 'address_not_allowed', host)
      assert.equal(await faultOf(host, port, true), 'address_not_allowed', host)
    }
    assert.equal(connections.length, 0)
  })
})

describe('a host name', () => {
  it('with any non-public address is not dialled, whatever its other addresses are', async () => {
    const { port, connections } = await answering()
    const there = [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '0.0.0.0',
      '10.1.2.3',
      '169.254.169.254',
      '64:ff9b::7f00:1',
    ]
    for (const address of [...there, 'fe80::1', 'fe80::1%1', 'fd00::1', 'no address']) {
      for (const addresses of [[address], [unallotted, address], [address, unallotted]]) {
        const own = clientOf(naming(addresses))
        assert.equal(await faultOf('shop.example', port, false, own), 'address_not_allowed', address)
      }
    }
    assert.equal(connections.length, 0)
  })

  it('of localhost always means this machine', async () => {
    const { port, connections } = await answering()
    for (const host of ['localhost', 'localhost.', 'LOCALHOST', 'shop.localhost'])
      assert.equal(await faultOf(host, port), 'address_not_allowed', host)
    assert.equal(connections.length, 0)
    assert.equal(await faultOf('localhost', port, true), null)
  })

  it('is dialled at the address that was checked, even if it resolves to this machine the next time', async () => {
    const { port, connections } = await answering()
    const clock = new TestClock()
    const own = clientOf(naming([unallotted], ['127.0.0.1']), clock)
    const carried = own.send(requestTo('shop.example', port))
    await someTime()
    clock.advance(15_000)
    assert.equal((await carried).status, null)
    assert.equal(await faultOf('shop.example', port, false, own), 'address_not_allowed')
    assert.equal(connections.length, 0)
  })

  it('is dialled at four addresses of each family at most', {
    skip: withoutIPv6,
  }, async () => {
    const { port, connections } = await answering()
    const open = '::ffff:127.0.0.1'
    const fourth = clientOf(naming(['::1', '::1', '::1', open]))
    assert.equal(await faultOf('shop.example', port, true, fourth), null)
    const fifth = clientOf(naming(['::1', '::1', '::1', '::1', open]))
    assert.equal(await faultOf('shop.example', port, true, fifth), 'connection_refused')
    assert.equal(connections.length, 1)
  })

  it('is sent as Host and verified in the certificate, whatever the address', async () => {
    const seen: unknown[] = []
    const { port } = await localHttpsServer(
      (request: IncomingMessage & { socket: Socket & { servername?: string } }, answer) => {
        seen.push(request.headers.host, request.socket.servername)
        answer.end()
      },
    )
    const own = clientOf({ ...naming(['127.0.0.1']), ca: certificate })
    const { status } = await own.send({ ...requestTo('localhost', port, 'https'), allowsLoopback: true })
    assert.equal(status, 200)
    assert.deepEqual(seen, [`localhost:${port}`, 'localhost'])
  })
})

it('a server at a forbidden address receives no byte', async () => {
  for (const scheme of ['http', 'https']) {
    const received: Buffer[] = []
    const { port, connections } = await localTcpServer(
      (socket) => void socket.on('data', (part: Buffer) => received.push(part)),
    )
    // Simulates a faulty check of names.
    const unchecked = Object.assign(['127.0.0.1'], { every: () => true })
    const { fault } = await clientOf(naming(unchecked)).send(requestTo('shop.example', port, scheme))
    assert.equal(fault, 'address_not_allowed')
    for (const connection of connections) await untilClosed(connection)
    assert.deepEqual(received, [])
  }
})

it('only http and https are allowed, without credentials, and not at ports of other protocols', async () => {
  const { port, connections } = await answering()
  const here = `127.0.0.1:${port}`
  for (const url of [
    `ftp://${here}/`,
    `gopher://${here}/`,
    'file:///etc/passwd',
    'data:,x',
    `ws://${here}/`,
    here,
    '',
  ])
    assert.equal(
      (await client.send({ ...requestTo(''), url, allowsLoopback: true })).fault,
      'address_not_allowed',
      url,
    )
  for (const credentials of ['me:secret', 'me', ':secret'])
    assert.equal(await faultOf(`${credentials}@127.0.0.1`, port, true), 'address_not_allowed')
  assert.equal(connections.length, 0)
  for (const closed of [0, 1, 22, 25, 79, 81, 442, 444, 587, 1023])
    assert.equal(await faultOf('localhost', closed, true), 'address_not_allowed', String(closed))
  const nobody = clientOf(naming([]))
  for (const open of [80, 443, 1024, 8443, 65_535])
    assert.equal(await faultOf('shop.example', open, true, nobody), 'name_not_found', String(open))
})

describe('a connection', () => {
  it('is reused for further requests, over http and https', async () => {
    const open = await answering()
    const secret = await localHttpsServer((_request, answer) => void answer.end())
    const own = clientOf({ ca: certificate })
    for (let index = 0; index < 4; index++) {
      assert.equal(
        (await own.send({ ...requestTo('localhost', open.port), allowsLoopback: true })).status,
        200,
      )
      assert.equal(
        (await own.send({ ...requestTo('localhost', secret.port, 'https'), allowsLoopback: true })).status,
        200,
      )
    }
    assert.deepEqual([open.connections.length, secret.connections.length], [1, 1])
  })

  it('of a request that allows loopback is not used by one that does not, and stays open', async () => {
    const { port, connections } = await answering()
    const own = clientOf(naming(['127.0.0.1']))
    assert.equal(await faultOf('shop.example', port, true, own), null)
    assert.equal(await faultOf('shop.example', port, false, own), 'address_not_allowed')
    assert.equal(await faultOf('shop.example', port, true, own), null)
    assert.equal(connections.length, 1)
  })

  it('is opened for each of forty simultaneous requests', async () => {
    const held: (() => void)[] = []
    const { port } = await localHttpServer((_request, answer) => {
      held.push(() => answer.end())
      if (held.length === 40) for (const release of held) release()
    })
    const faults = await Promise.all(Array.from({ length: 40 }, () => faultOf('127.0.0.1', port, true)))
    assert.deepEqual(new Set(faults), new Set([null]))
  })

  it('that the server had closed is harmless: the request is sent once more, on a new connection', async () => {
    for (const how of ['resetAndDestroy', 'end'] as const) {
      const shop = await forgetful((socket) => socket[how]())
      const own = clientOf()
      // Three idle connections are kept, and all of them are closed already.
      await Promise.all([shop.send(own), shop.send(own), shop.send(own)])
      assert.equal(shop.connections.length, 3)
      const { status, fault } = await shop.send(own)
      assert.deepEqual([status, fault, shop.connections.length, shop.requestCount()], [200, null, 4, 5], how)
    }
  })

  it('that is new and breaks is not followed by a third', async () => {
    let isGone = false
    const shop = await forgetful(
      (socket) => {
        isGone = true
        socket.resetAndDestroy()
      },
      (socket) => isGone && socket.resetAndDestroy(),
    )
    const own = clientOf()
    await shop.send(own)
    const { status, fault } = await shop.send(own)
    assert.deepEqual([status, fault, shop.requestCount()], [null, 'connection_reset', 3])
  })

  it('that breaks during the response is not retried', async () => {
    const shop = await forgetful(
      (socket) => void socket.write('H', () => runAfterPendingIo(() => socket.end())),
    )
    const own = clientOf()
    await shop.send(own)
    const { status, fault } = await shop.send(own)
    assert.deepEqual([status, fault, shop.requestCount()], [null, 'connection_reset', 2])
  })

  it('whose response was not read to the end is not kept', async () => {
    const { port, connections } = await localTcpServer((socket) => {
      socket.pause().write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    const body = 'x'.repeat(32 * 1024 * 1024)
    const { status } = await client.send({ ...requestTo('127.0.0.1', port), body, allowsLoopback: true })
    assert.equal(status, 200)
    const [connection] = connections
    assert.ok(connection)
    await untilClosed(connection.resume())
    assert.ok(connection.bytesRead < body.length)
  })

  it('is closed with the outbound client: idle ones immediately, the others after their requests', async () => {
    const asked = Promise.withResolvers<() => void>()
    const { port, connections } = await localHttpServer((request, answer) => {
      if (request.url === '/slow') asked.resolve(() => answer.end())
      else answer.end()
    })
    const own = clientOf()
    const index = { ...requestTo('127.0.0.1', port), allowsLoopback: true }
    const slow = own.send({ ...index, url: `${index.url}slow` })
    const release = await asked.promise
    assert.equal((await own.send(index)).status, 200)
    const [busy, idle] = connections
    assert.ok(busy && idle)
    own.close()
    await someTime()
    assert.deepEqual([busy.closed, idle.closed], [false, true])
    release()
    assert.equal((await slow).status, 200)
    await someTime()
    assert.equal(busy.closed, true)
  })
})

/** A public address that is not assigned. */
const unallotted = '2d00::1'

function clientOf(outside: OutboundNetworkOptions = {}, clock = systemClock): OutboundClient {
  const made = networkOutboundClient(clock, outside)
  after(() => made.close())
  return made
}

function requestTo(host: string, port = 80, scheme = 'http'): OutboundRequest {
  return { url: `${scheme}://${host}:${port}/`, headers: {}, body: '{}', allowsLoopback: false }
}

async function faultOf(
  host: string,
  port: number,
  allowsLoopback = false,
  by = client,
): Promise<string | null> {
  return (await by.send({ ...requestTo(host, port), allowsLoopback })).fault
}

function answering(): Promise<LocalServer> {
  return localHttpServer((_request, answer) => void answer.end('ok'))
}

/** Long enough for local connections to open, be used and close. */
async function someTime(): Promise<void> {
  const { port } = await answering()
  for (let round = 0; round < 5; round++)
    assert.equal(await faultOf('localhost', port, true, clientOf()), null)
}

/** Resolves every name to these addresses; the last ones apply to all further lookups. */
function naming(...answers: string[][]): OutboundNetworkOptions {
  const left = [...answers]
  const next = () => (left.length > 1 ? left.shift() : left[0]) ?? []
  return { dns: { addressesOf: async () => next(), close: () => undefined } }
}

interface Forgetful extends LocalServer {
  send(by: OutboundClient): ReturnType<OutboundClient['send']>
  requestCount(): number
}

/** Answers the first request on a connection; the second one triggers the given action. */
async function forgetful(
  second: (socket: Socket) => unknown,
  first?: (socket: Socket) => unknown,
): Promise<Forgetful> {
  let requestCount = 0
  const shop = await localTcpServer((socket) => {
    let count = 0
    socket.on('data', () => {
      requestCount += 1
      count += 1
      if (count > 1) second(socket)
      else if (!first?.(socket)) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  const index = { ...requestTo('127.0.0.1', shop.port), allowsLoopback: true }
  return { ...shop, send: (by) => by.send(index), requestCount: () => requestCount }
}
