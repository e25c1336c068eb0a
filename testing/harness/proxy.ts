import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createConnection, createServer } from 'node:net'

/** Handlers for the bytes of one connection. */
interface Carrying {
  ask(bytes: Buffer, database: Socket, client: Socket): void
  answer(bytes: Buffer, client: Socket): void
}

/** Proxy to a database on a local socket or at an address. `carry` creates the handlers of each connection. */
export async function databaseProxy(databaseUrl: string, carry: () => Carrying) {
  const { hostname, port: given, pathname, username } = new URL(databaseUrl)
  const [host, databasePort] = [decodeURIComponent(hostname), Number(given || 5432)]
  const target = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${databasePort}` }
    : { host, port: databasePort }
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    const database = createConnection(target)
    const carrying = carry()
    clients.add(client)
    client.on('data', (bytes: Buffer) => carrying.ask(bytes, database, client))
    database.on('data', (bytes: Buffer) => carrying.answer(bytes, client))
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
    close: async () => {
      for (const client of clients) client.destroy()
      await once(server.close(), 'close')
    },
  }
}

/** Proxy that a test can cut: requests still reach the database, but answers do not return. */
export async function cuttableProxy(databaseUrl: string) {
  let isCut = false
  const proxy = await databaseProxy(databaseUrl, () => ({
    ask: (bytes, database) => database.write(bytes),
    answer: (bytes, client) => (isCut ? client.destroy() : client.write(bytes)),
  }))
  return {
    ...proxy,
    cutBeforeAnswers: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
    },
  }
}

/** Proxy that refuses every connection with this SQLSTATE, as PostgreSQL does, until `letIn` is called. */
export async function refusingProxy(databaseUrl: string, state: string, message: string) {
  let isOpen = false
  const fields = [`SFATAL`, `VFATAL`, `C${state}`, `M${message}`].map((field) => `${field}\0`).join('')
  const refusal = Buffer.concat([Buffer.from('E\0\0\0\0'), Buffer.from(`${fields}\0`)])
  refusal.writeInt32BE(refusal.length - 1, 1)
  const proxy = await databaseProxy(databaseUrl, () => ({
    ask: (bytes, database, client) => (isOpen ? database.write(bytes) : client.end(refusal)),
    answer: (bytes, client) => client.write(bytes),
  }))
  return {
    ...proxy,
    letIn: () => {
      isOpen = true
    },
  }
}
