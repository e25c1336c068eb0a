// A merchant's server, a process of its own: plain Node that answers 204 at once and remembers which events came, and when. Every
// signature is verified by the public library of Standard Webhooks, after the answer. A second port accepts connections and
// never says a word.
// It tells its parent the ports, is sent the secret of a webhook, and from then on an `Arrivals` whenever it is asked. It ends
// with its parent.
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { Webhook as Verifier } from 'standardwebhooks'

export interface ReceiverPorts {
  taking: number
  silent: number
}

/** A secret begins a new count; without one the answer is the count so far. */
export interface ArrivalsRequest {
  secret?: string
}

export interface Arrivals {
  /** How many requests there were, and of how many of them the signature was wrong. */
  requests: number
  bad: number
  /** Each event with the moment at which it came first, by the clock that all processes of a machine share. */
  events: [id: number, atMs: number][]
}

/** Milliseconds of the clock that all processes of a machine share. */
export const machineClockMs = () => Number(process.hrtime.bigint()) / 1e6

const isProgram = process.argv[1] === import.meta.filename
if (isProgram) await receive()

async function receive(): Promise<void> {
  let verifier: Verifier | undefined
  let requests = 0
  let bad = 0
  let events = new Map<number, number>()
  const taking = createHttpServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.writeHead(204).end()
      requests += 1
      const id = Number(request.headers['webhook-id'])
      if (!events.has(id)) events.set(id, machineClockMs())
      try {
        verifier?.verify(Buffer.concat(parts), request.headers as Record<string, string>)
      } catch {
        bad += 1
      }
    })
  })
  const silent = createServer((socket) => socket.on('error', () => undefined).resume())
  process.on('message', ({ secret }: ArrivalsRequest) => {
    if (secret === undefined) {
      process.send?.({ requests, bad, events: [...events] } satisfies Arrivals)
      return
    }
    verifier = new Verifier(secret)
    ;[requests, bad, events] = [0, 0, new Map()]
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ taking: await portOf(taking), silent: await portOf(silent) } satisfies ReceiverPorts)
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
