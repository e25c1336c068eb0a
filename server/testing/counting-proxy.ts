import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createConnection, createServer } from 'node:net'

/** A way to a database on a socket of this machine that counts how often something is asked there and waited for. */
export interface CountingProxy {
  url: string
  /** The round trips so far, on all connections together. */
  count(): number
  close(): Promise<void>
}

export async function countingProxy(databaseUrl: string): Promise<CountingProxy> {
  const { hostname, port: socketPort, pathname, username } = new URL(databaseUrl)
  const socketPath = `${decodeURIComponent(hostname)}/.s.PGSQL.${socketPort || 5432}`
  const clients = new Set<Socket>()
  let count = 0
  const server = createServer((client) => {
    const database = createConnection(socketPath)
    const messages = new Messages()
    clients.add(client)
    client.on('data', (bytes) => {
      count += messages.waitsIn(bytes)
      database.write(bytes)
    })
    database.on('data', (answer) => client.write(answer))
    for (const socket of [client, database]) socket.on('error', () => undefined)
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    count: () => count,
    close: async () => {
      for (const client of clients) client.destroy()
      await once(server.close(), 'close')
    },
  }
}

/** A plain query, and the end of a prepared one: after each of these whoever asked waits for the answer. */
const waits = [...'QS'].map((type) => type.charCodeAt(0))
const headLength = 5

/** The messages of one connection: a type and a length each, but for the first, which has no type. */
class Messages {
  #rest = Buffer.alloc(0)
  #isStarted = false

  /** How often somebody waits for an answer to what these bytes complete. */
  waitsIn(bytes: Buffer): number {
    let left = Buffer.concat([this.#rest, bytes])
    let count = 0
    while (left.length >= headLength) {
      const lengthAt = this.#isStarted ? 1 : 0
      const length = lengthAt + left.readInt32BE(lengthAt)
      if (left.length < length) break
      if (this.#isStarted && waits.includes(left[0] ?? 0)) count += 1
      this.#isStarted = true
      left = left.subarray(length)
    }
    this.#rest = left
    return count
  }
}
