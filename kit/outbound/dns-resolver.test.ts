import assert from 'node:assert/strict'
import type { RemoteInfo } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { after, describe, it } from 'node:test'
import type { DnsResolver } from './dns-resolver.ts'
import { dnsResolver } from './dns-resolver.ts'

/** Query type of IPv4 addresses (A). */
const v4 = 1

describe('the addresses of a name', () => {
  it('are all addresses that the name server has, IPv4 and IPv6', async () => {
    const { dns } = await served((kind) =>
      kind === v4 ? ['5d b8 d7 0e', '01 01 01 01'] : [`26 06 ${'00 '.repeat(13)}01`],
    )
    assert.deepEqual(await dns.addressesOf('shop.example'), ['93.184.215.14', '1.1.1.1', '2606::1'])
  })

  it('are those of one family if the other has none or gets no answer', async () => {
    for (const other of [[], 'failing'] as const) {
      const { dns } = await served((kind) => (kind === v4 ? ['7f 00 00 01'] : other))
      assert.deepEqual(await dns.addressesOf('shop.example'), ['127.0.0.1'])
    }
  })

  it('are empty for an unknown name, a silent server or an invalid name', async () => {
    const { dns } = await served(() => [])
    assert.deepEqual(await dns.addressesOf('shop.example'), [])
    assert.deepEqual(await dns.addressesOf('shop..example'), [])
    const failing = await served(() => 'failing')
    assert.deepEqual(await failing.dns.addressesOf('shop.example'), [])
  })

  it('are resolved again each time', async () => {
    const answers = ['01 01 01 01', '7f 00 00 01']
    const { dns } = await served((kind) => (kind === v4 ? answers.splice(0, 1) : []))
    assert.deepEqual(await dns.addressesOf('shop.example'), ['1.1.1.1'])
    assert.deepEqual(await dns.addressesOf('shop.example'), ['127.0.0.1'])
  })

  it('are the loopback addresses for localhost and its subdomains, without a query', async () => {
    const { dns, queryCount } = await served(() => ['01 01 01 01'])
    for (const name of ['localhost', 'LocalHost.', 'shop.localhost'])
      assert.deepEqual(await dns.addressesOf(name), ['127.0.0.1', '::1'])
    assert.equal(queryCount(), 0)
    await dns.addressesOf('localhost.example')
    assert.notEqual(queryCount(), 0)
  })
})

it('closing the resolver ends pending lookups', async () => {
  const waiting = Promise.withResolvers<void>()
  const { dns } = await served(() => {
    waiting.resolve()
    return 'silent'
  })
  const asking = dns.addressesOf('shop.example')
  await waiting.promise
  dns.close()
  assert.deepEqual(await asking, [])
})

/** Response to a query: addresses in hexadecimal, a failure, or no response. */
type Answer = readonly string[] | 'failing' | 'silent'

async function served(answer: (kind: number) => Answer): Promise<{ dns: DnsResolver; queryCount(): number }> {
  let queryCount = 0
  const server = createSocket('udp4')
  server.on('message', (question: Buffer, { port, address }: RemoteInfo) => {
    queryCount += 1
    const reply = answer(question.readUInt16BE(endOfName(question)))
    if (reply !== 'silent') server.send(replyTo(question, reply), port, address)
  })
  await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound))
  after(() => server.close())
  const dns = dnsResolver([`127.0.0.1:${server.address().port}`])
  after(() => dns.close())
  return { dns, queryCount: () => queryCount }
}

function replyTo(question: Buffer, reply: readonly string[] | 'failing'): Buffer {
  const queryCount = question.subarray(0, endOfName(question) + 4)
  const head = Buffer.from(queryCount.subarray(0, 12))
  const records = reply === 'failing' ? [] : reply
  // Flags of a response; code 2 is a server failure.
  head.writeUInt16BE(reply === 'failing' ? 0x8182 : 0x8180, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  const kind = queryCount.subarray(-4)
  const answers = records.map((record) => {
    const address = Buffer.from(record.replaceAll(' ', ''), 'hex')
    // Name, type, a TTL of one minute, length.
    return Buffer.concat([
      Buffer.from('c00c', 'hex'),
      kind,
      Buffer.from([0, 0, 0, 60, 0, address.length]),
      address,
    ])
  })
  return Buffer.concat([head, queryCount.subarray(12), ...answers])
}

function endOfName(question: Buffer): number {
  return question.indexOf(0, 12) + 1
}
