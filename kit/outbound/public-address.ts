import { BlockList, isIP } from 'node:net'

/** What of IPv4 is no address of a host on the Internet, or one that only looks so. */
const withheldV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Behind the NAT of a provider; Alibaba's metadata are there too.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, and with it the metadata of most clouds.
  ['169.254.0.0', 16],
  // What Azure tells its machines is told here, though the range is public.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Documentation, as are 198.51.100 and 203.0.113.
  ['192.0.2.0', 24],
  // Relays of 6to4.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // Benchmarks of networks.
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast.
  ['224.0.0.0', 4],
  // Reserved, with broadcast at its end.
  ['240.0.0.0', 4],
]

/** Of IPv6 only 2000::/3 is given to hosts. Below 2000 are ::, ::1, v4-compatible, NAT64 and what is discarded. */
const withheldV6: [network: string, prefix: number][] = [
  ['::', 3],
  // Segment routing (5f00) among others.
  ['4000::', 2],
  // Private (fc00), link-local (fe80), site-local (fec0) and multicast (ff00) among others.
  ['8000::', 1],
  // Protocols' own: Teredo, which carries an IPv4 address, and benchmarks.
  ['2001::', 23],
  // Documentation, as is 3fff.
  ['2001:db8::', 32],
  // 6to4, which carries an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
]

// Two lists: a list with both kinds would find every IPv4 address, as its mapped one, in the ranges of IPv6.
const notPublicV4 = listOf(withheldV4, 'ipv4')
const notPublicV6 = listOf(withheldV6, 'ipv6')
const mappedV4 = listOf([['::ffff:0.0.0.0', 96]], 'ipv6')
const loopbackV4 = listOf([['127.0.0.0', 8]], 'ipv4')
const loopbackV6 = listOf([['::1', 128]], 'ipv6')

/**
 * Whether this is an IP address of a host on the public Internet, however it is spelled. What is no IP address is not, nor
 * is one with a zone.
 */
export function isPublicAddress(address: string): boolean {
  const kind = kindOf(address)
  return kind !== undefined && !has(kind === 'ipv4' ? notPublicV4 : notPublicV6, address)
}

/** Whether this is an IP address by which a machine reaches itself and nobody else. */
export function isLoopbackAddress(address: string): boolean {
  const kind = kindOf(address)
  return kind !== undefined && has(kind === 'ipv4' ? loopbackV4 : loopbackV6, address)
}

/** What is dialled by this address: of an IPv4 address that is mapped into IPv6, the IPv4 one. */
function kindOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (address.includes('%')) return undefined
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 || mappedV4.check(address, 'ipv6') ? 'ipv4' : 'ipv6'
}

/** A list of IPv4 ranges has a mapped address too, if it has the one that is mapped. */
function has(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function listOf(ranges: [network: string, prefix: number][], kind: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, kind)
  return list
}
