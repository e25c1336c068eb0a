import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface Listener {
  /** Ends when the last request under way has its answer, at the latest after `patienceMs`. */
  close(patienceMs: number): Promise<void>
}

/** A port that somebody else has. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken'
}

/** Listens on `host`, or on loopback in both families of addresses: some programs try the one first, some the other. */
export async function listen(
  app: FastifyInstance,
  port: number,
  host: string | undefined,
): Promise<Listener> {
  await app.ready()
  const servers: Server[] = [app.server]
  try {
    await app.listen({ port, host: host ?? '127.0.0.1' })
    if (host === undefined) {
      const second = await listenOnIPv6Loopback(app, port)
      if (second) servers.push(second)
    }
  } catch (error) {
    await app.close()
    if (!isCode(error, 'EADDRINUSE')) throw error
    throw new PortTaken(`Port ${port} is taken by another program.`, { cause: error })
  }
  return { close: (patienceMs) => closeAll(app, servers, patienceMs) }
}

async function listenOnIPv6Loopback(app: FastifyInstance, port: number): Promise<Server | undefined> {
  const server = createServer({ requestTimeout: app.server.requestTimeout }, app.routing)
  server.keepAliveTimeout = app.server.keepAliveTimeout
  for (const listener of app.server.listeners('clientError')) {
    server.on('clientError', listener as (...details: unknown[]) => void)
  }
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '::1', resolve)
    })
    return server
  } catch (error) {
    // A machine without IPv6 is complete without it.
    if (isCode(error, 'EADDRNOTAVAIL') || isCode(error, 'EAFNOSUPPORT')) return undefined
    throw error
  }
}

async function closeAll(app: FastifyInstance, servers: Server[], patienceMs: number): Promise<void> {
  const impatience = AbortSignal.timeout(patienceMs)
  impatience.addEventListener('abort', () => {
    for (const server of servers) server.closeAllConnections()
  })
  const others = servers.slice(1).map((server) => new Promise((resolve) => server.close(resolve)))
  for (const server of servers) server.closeIdleConnections()
  await Promise.all([app.close(), ...others])
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
