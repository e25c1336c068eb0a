import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createConnection, createServer } from 'node:net'

/** A way to the test database that a test can cut: what is sent still arrives, what is answered does not. */
export async function cuttableProxy(databaseUrl: string) {
  const { hostname, pathname, username } = new URL(databaseUrl)
  const socketPath = `${decodeURIComponent(hostname)}/.s.PGSQL.5432`
  const clients = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    const database = createConnection(socketPath)
    clients.add(client)
    client.pipe(database)
    database.on('data', (answer) => (isCut ? client.destroy() : client.write(answer)))
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
    cutBeforeAnswers: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      for (const client of clients) client.destroy()
      server.close()
    },
  }
}
