import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import { http } from '../runtime/node-http.ts'
import { UnreadResponseTimeouts } from './unread-response-timeouts.ts'

/** Longest time a client may leave a response unread. */
const unreadTimeoutMs = 30_000

export interface ListeningServer {
  /** Resolves when the last request under way has its response, at the latest after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>
}

export class PortTaken extends Error {
  override readonly name = 'PortTaken'
}

export interface ListenOptions {
  port: number
  /** Name of the setting for the port, so that the message can say what to change. */
  setting: string
  host: string | undefined
  clock: Clock
}

/**
 * Listens on `host`, or on the loopback address of both IPv4 and IPv6: some programs try one first, some the
 * other.
 */
export async function listen(
  app: FastifyInstance,
  { port, setting, host, clock }: ListenOptions,
): Promise<ListeningServer> {
  await app.ready()
  const servers: Server[] = [app.server]
  const unread = new UnreadResponseTimeouts(unreadTimeoutMs)
  unread.follow(app.server)
  try {
    await app.listen({ port, host: host ?? '127.0.0.1' })
    if (host === undefined) {
      const second = await listenOnIPv6Loopback(app, port)
      if (second) {
        servers.push(second)
        unread.follow(second)
      }
    }
  } catch (error) {
    await app.close()
    if (!isCode(error, 'EADDRINUSE')) throw error
    throw new PortTaken(`Port ${port} is in use by another program. To use another port, set ${setting}.`, {
      cause: error,
    })
  }
  const ended = new AbortController()
  const watching = unread.watch(clock, ended.signal)
  return {
    close: async (timeoutMs) => {
      await closeAll(app, servers, clock, timeoutMs)
      ended.abort()
      await watching
    },
  }
}

async function listenOnIPv6Loopback(app: FastifyInstance, port: number): Promise<Server | undefined> {
  const server = http.createServer(
    { requestTimeout: app.server.requestTimeout, connectionsCheckingInterval: 1_000 },
    app.routing,
  )
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
    // A machine without IPv6 needs no IPv6 listener.
    if (isCode(error, 'EADDRNOTAVAIL') || isCode(error, 'EAFNOSUPPORT')) return undefined
    throw error
  }
}

/** Idle keep-alive connections are closed as soon as their last response is sent. */
async function closeAll(
  app: FastifyInstance,
  servers: Server[],
  clock: Clock,
  timeoutMs: number,
): Promise<void> {
  const others = servers.slice(1).map((server) => new Promise((resolve) => server.close(resolve)))
  let closed = false
  const closing = Promise.all([app.close(), ...others]).finally(() => {
    closed = true
  })
  const giveUpAtMs = clock.monotonicMs() + timeoutMs
  while (!closed) {
    const patient = clock.monotonicMs() < giveUpAtMs
    for (const server of servers) patient ? server.closeIdleConnections() : server.closeAllConnections()
    await Promise.race([closing, clock.sleep(20)])
  }
  await closing
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
