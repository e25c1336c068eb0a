import { Resolver } from 'node:dns/promises'

/** Tells the IP addresses of hosts. */
export interface DnsResolver {
  /** All of them, of both kinds; none if the name is nobody's or nobody tells. */
  addressesOf(host: string): Promise<readonly string[]>
  /** Whoever is still waiting for an answer gets none. */
  close(): void
}

const toItself = /(^|\.)localhost\.?$/i

/**
 * Asks the name servers of this machine, or those that are given. It does not ask the system (`dns.lookup`): that does so
 * in a handful of threads which all lookups of the process share. A few names that are never answered would hold them, and
 * who gave us those names would keep us from our banks.
 */
export function dnsResolver(servers?: readonly string[]): DnsResolver {
  const resolvers = new Set<Resolver>()
  return {
    addressesOf: async (host) => {
      // RFC 6761. No name server is asked for it.
      if (toItself.test(host)) return ['127.0.0.1', '::1']
      // One per question, because it reads the machine's settings when it is made, and then never again.
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
