// Merchant's server in a separate process: plain Node that answers 204 immediately and records each event
// with its time. After the response, the public Standard Webhooks library verifies the signature. A second
// port accepts connections and never responds.
//
// The process sends its ports to its parent. A message with the secret of a webhook starts a count; a message
// without one is answered with an `Arrivals`. The process ends with its parent.
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import { Webhook as Verifier } from 'standardwebhooks'

export interface ReceiverPorts {
  taking: number
  silent: number
}

/** A message with a secret starts a new count; without one it requests the current count. */
export interface ArrivalsRequest {
  secret?: string
}

export interface Arrivals {
  /** Number of requests; `bad` is the number of those with a wrong signature. */
  requests: number
  bad: number
  /** Each event with the time of its first arrival, by the clock that all processes of a machine share. */
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
