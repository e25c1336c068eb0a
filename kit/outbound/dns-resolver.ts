import { Resolver } from 'node:dns/promises'

export interface DnsResolver {
  /** All IPv4 and IPv6 addresses; empty if the name is unknown or no server answers. */
  addressesOf(host: string): Promise<readonly string[]>
  /** Ends pending lookups without a result. */
  close(): void
}

const toItself = /(^|\.)localhost\.?$/i

/**
 * Asks this machine's name servers, or the given ones. It does not use `dns.lookup`, which runs in a few
 * threads that all lookups of the process share. A merchant's name that is never answered would block them,
 * and with them the lookups of our banks.
 */
export function dnsResolver(servers?: readonly string[]): DnsResolver {
  const resolvers = new Set<Resolver>()
  return {
    addressesOf: async (host) => {
      // RFC 6761: localhost is never looked up.
      if (toItself.test(host)) return ['127.0.0.1', '::1']
      // A resolver reads the machine's settings only when it is created, so every query gets a new one.
      const resolver = new Resolver({ timeout: 3_000, tries: 2 })
      if (servers) resolver.setServers(servers)
      resolvers.add(resolver)
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      resolvers.delete(resolver)
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    },
    close: () => {
      for (const resolver of resolvers) resolver.cancel()
    },
  }
}
