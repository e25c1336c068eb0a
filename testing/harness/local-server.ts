import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createNetServer } from 'node:net'
import { after } from 'node:test'
import { certificate, privateKey } from './certificate.ts'

/** A local server for outbound requests, until the test ends. */
export interface LocalServer {
  port: number
  url: string
  /** Every connection ever opened. */
  connections: Socket[]
}

export function localHttpServer(listener: RequestListener): Promise<LocalServer> {
  return listening(createServer(listener))
}

/** HTTPS server with the certificate of `localhost`. */
export function localHttpsServer(listener: RequestListener): Promise<LocalServer> {
  return listening(createTlsServer({ cert: certificate, key: privateKey }, listener), 'https')
}

/** TCP server with arbitrary behaviour. Connection errors are ignored. */
export function localTcpServer(meet: (socket: Socket) => void): Promise<LocalServer> {
  return listening(createNetServer((socket) => meet(socket.on('error', () => undefined))))
}

/** A port on which a server listened a moment ago and nothing listens now. */
export async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** Returns when the connection is closed, for any reason. */
export async function untilClosed(connection: Socket): Promise<void> {
  if (!connection.closed) await new Promise((close) => connection.once('close', close))
}

async function listening(server: Server, scheme = 'http'): Promise<LocalServer> {
  const connections: Socket[] = []
  server.on('connection', (socket) => connections.push(socket))
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  after(() => {
    server.close()
    for (const socket of connections) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  const host = scheme === 'https' ? 'localhost' : '127.0.0.1'
  return { port, url: `${scheme}://${host}:${port}/`, connections }
}
