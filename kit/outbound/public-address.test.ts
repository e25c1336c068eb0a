import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

describe('a public address', () => {
  it('is one that hosts on the Internet have', () => {
    for (const address of [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.215.14',
      '2606:4700:4700::1111',
      '2a00:1450:4017::8a',
    ])
      assert.equal(isPublicAddress(address), true, address)
  })

  it('may be IPv4-mapped: the mapped address decides', () => {
    assert.equal(isPublicAddress('::ffff:8.8.8.8'), true)
    assert.equal(isPublicAddress('::ffff:808:808'), true)
    for (const address of [
      '::ffff:127.0.0.1',
      '::FFFF:7f00:1',
      '0:0:0:0:0:ffff:7f00:0001',
      '::ffff:a9fe:a9fe',
    ])
      assert.equal(isPublicAddress(address), false, address)
  })

  it('of IPv4 lies outside the withheld ranges, checked at their first and last address', () => {
    for (const [first, last] of rangesOfV4) {
      assert.equal(isPublicAddress(first), false, first)
      assert.equal(isPublicAddress(last), false, last)
      assert.equal(isPublicAddress(`::ffff:${first}`), false, first)
      assert.equal(isPublicAddress(`::ffff:${last}`), false, last)
      for (const outside of [numberOf(first) - 1, numberOf(last) + 1].filter(
        (at) => at > 0 && at < 2 ** 32,
      )) {
        if (isInRange(outside)) continue
        assert.equal(isPublicAddress(spelled(outside)), true, spelled(outside))
      }
    }
  })

  it('of IPv4 is any address outside these ranges', () => {
    const addresses = fc.nat({ max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(addresses, (at) => {
        assert.equal(isPublicAddress(spelled(at)), !isInRange(at))
        assert.equal(isPublicAddress(`::ffff:${spelled(at)}`), !isInRange(at))
        assert.equal(isPublicAddress(`64:ff9b::${spelled(at)}`), false)
        assert.equal(isPublicAddress(`::${spelled(at)}`), false)
      }),
      { numRuns: repetitions(2000) },
    )
  })

  it('of IPv6 lies outside the withheld ranges, checked at their first and last address', () => {
    for (const address of withheldOfV6) assert.equal(isPublicAddress(address), false, address)
    for (const address of publicOfV6) assert.equal(isPublicAddress(address), true, address)
  })

  it('is never text that is not an IP address, or an address with a zone', () => {
    const none = ['', 'localhost', 'example.com', '8.8.8.8.', '8.8.8', '134744072', '0x8.8.8.8', '[2606::1]']
    for (const text of [...none, '2606:4700::1%eth0', 'fe80::1%1', '8.8.8.8%1', ' 8.8.8.8', '8.8.8.8:80'])
      assert.equal(isPublicAddress(text), false, text)
  })
})

it('only 127.0.0.0/8 and ::1, also IPv4-mapped, are loopback', () => {
  for (const address of [
    '127.0.0.1',
    '127.255.255.255',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f12:1',
  ])
    assert.equal(isLoopbackAddress(address), true, address)
  const others = [
    '0.0.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '::',
    '::2',
    '::ffff:a00:1',
  ]
  for (const address of [
    ...others,
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    '::1%lo',
    'localhost',
    '2002:7f00:1::',
    '',
  ])
    assert.equal(isLoopbackAddress(address), false, address)
})

const rangesOfV4: [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
]

const withheldOfV6 = [
  '::',
  '::1',
  '::127.0.0.1',
  '::808:808',
  '64:ff9b::7f00:1',
  '64:ff9b::ffff:ffff',
  '64:ff9b:1::',
  '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
  '100::',
  '100::ffff:ffff:ffff:ffff',
  '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001::',
  '2001:0:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:2::1',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::',
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::',
  '2002:7f00:1::',
  '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '3fff::',
  '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
  '4000::',
  '5f00::',
  '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '8000::',
  'fc00::',
  'fd00:ec2::254',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe80::1',
  'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fec0::',
  'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'ff02::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]

const publicOfV6 = [
  '2000::',
  '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:200::',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2003::',
  '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '3fff:1000::',
  '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]

function isInRange(at: number): boolean {
  return rangesOfV4.some(([first, last]) => at >= numberOf(first) && at <= numberOf(last))
}

function numberOf(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

function spelled(number: number): string {
  return [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(number / unit) % 256).join('.')
}
