import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A request as a merchant's server received it. */
export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export type Responder = (
  response: ServerResponse,
  received: ReceivedRequest,
  request: IncomingMessage,
) => void

/** A merchant's server that receives events, by default with 204. */
export interface WebhookReceiver {
  url: string
  requests: ReceivedRequest[]
  /** Responder for the next requests. */
  answer: Responder
  /** Number of requests without a response now; `maxOpen` is the highest so far. */
  open: number
  maxOpen: number
  /** Returns after this many requests. */
  waitForRequests(count: number): Promise<void>
  close(): Promise<void>
}

export const respondNoContent: Responder = (response) => response.writeHead(204).end()

export const respondWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Responder =>
  (response) =>
    response.writeHead(status, headers).end(body)

export async function testReceiver(answer: Responder = respondNoContent): Promise<WebhookReceiver> {
  const waiting: { count: number; notify: () => void }[] = []
  const server = createServer((request, response) => {
    receiver.open += 1
    receiver.maxOpen = Math.max(receiver.maxOpen, receiver.open)
    response.on('close', () => {
      receiver.open -= 1
    })
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const received = { method, url, headers, body: Buffer.concat(parts).toString() }
      receiver.requests.push(received)
      for (const { count, notify } of waiting) if (receiver.requests.length >= count) notify()
      receiver.answer(response, received, request)
    })
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const receiver: WebhookReceiver = {
    url: '',
    requests: [],
    answer,
    open: 0,
    maxOpen: 0,
    waitForRequests: async (count) => {
      if (receiver.requests.length >= count) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count, notify: resolve })
      await promise
    },
    close,
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  after(close)
  return receiver
}
