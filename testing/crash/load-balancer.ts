import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createConnection, createServer } from 'node:net'
import { after } from 'node:test'

/** One address in front of the current instance, as a load balancer provides. */
export interface LoadBalancer {
  url: string
  /** Sends requests to this address from now on: connections that clients keep to another one are closed. */
  routeTo(address: string): void
}

/** Opens a load balancer until the test ends. Clients of a killed instance see a broken connection. */
export async function openLoadBalancer(): Promise<LoadBalancer> {
  let to = { host: '', port: 0 }
  const visitors = new Set<Socket>()
  const server = createServer((visitor) => {
    const instance = createConnection(to)
    visitors.add(visitor)
    visitor.pipe(instance).pipe(visitor)
    for (const socket of [visitor, instance]) socket.on('error', () => undefined)
    visitor.on('close', () => {
      visitors.delete(visitor)
      instance.destroy()
    })
    instance.on('close', () => visitor.destroySoon())
  })
  after(() => {
    for (const visitor of visitors) visitor.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    routeTo: (address) => {
      for (const visitor of visitors) visitor.destroy()
      const { hostname, port: chosen } = new URL(address)
      to = { host: hostname, port: Number(chosen) }
    },
  }
}
