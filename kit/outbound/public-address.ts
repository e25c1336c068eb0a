import { BlockList, isIP } from 'node:net'

/** IPv4 ranges without public hosts, and public ones that clouds use internally. */
const withheldV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT; Alibaba Cloud's metadata service too.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, including the metadata service of most clouds.
  ['169.254.0.0', 16],
  // Azure's internal endpoint, although the range is public.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Documentation, like 198.51.100 and 203.0.113.
  ['192.0.2.0', 24],
  // 6to4 relays.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // Network benchmarks.
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast.
  ['224.0.0.0', 4],
  // Reserved, including broadcast.
  ['240.0.0.0', 4],
]

/**
 * Only 2000::/3 is assigned to IPv6 hosts. Below 2000 are ::, ::1, IPv4-compatible, NAT64 and discard
 * addresses.
 */
const withheldV6: [network: string, prefix: number][] = [
  ['::', 3],
  // Segment routing (5f00) and others.
  ['4000::', 2],
  // Private (fc00), link-local (fe80), site-local (fec0), multicast (ff00) and others.
  ['8000::', 1],
  // Protocol assignments: Teredo, which carries an IPv4 address, and benchmarks.
  ['2001::', 23],
  // Documentation, like 3fff.
  ['2001:db8::', 32],
  // 6to4, which carries an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
]

// Separate lists: a common list would match every IPv4 address, as its mapped form, in the IPv6 ranges.
const notPublicV4 = listOf(withheldV4, 'ipv4')
const notPublicV6 = listOf(withheldV6, 'ipv6')
const mappedV4 = listOf([['::ffff:0.0.0.0', 96]], 'ipv6')
const loopbackV4 = listOf([['127.0.0.0', 8]], 'ipv4')
const loopbackV6 = listOf([['::1', 128]], 'ipv6')

/**
 * True if this is an IP address of a host on the public Internet, in any spelling. False for text that is not
 * an IP address and for an address with a zone.
 */
export function isPublicAddress(address: string): boolean {
  const kind = kindOf(address)
  return kind !== undefined && !has(kind === 'ipv4' ? notPublicV4 : notPublicV6, address)
}

export function isLoopbackAddress(address: string): boolean {
  const kind = kindOf(address)
  return kind !== undefined && has(kind === 'ipv4' ? loopbackV4 : loopbackV6, address)
}

/** Family that is dialled: `ipv4` for an IPv4-mapped IPv6 address. */
function kindOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (address.includes('%')) return undefined
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 || mappedV4.check(address, 'ipv6') ? 'ipv4' : 'ipv6'
}

/** A list of IPv4 ranges also matches the IPv4-mapped form. */
function has(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function listOf(ranges: [network: string, prefix: number][], kind: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, kind)
  return list
}
