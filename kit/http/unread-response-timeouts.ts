import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../runtime/clock.ts'

const lookEveryMs = 10_000

/**
 * Ends connections whose client does not read the response; otherwise they would stay open for ever. All
 * connections are checked at intervals, and only those with unread data get a timer. A timer on every
 * connection, reset at every read and write, took a thirtieth of each request's time.
 */
export class UnreadResponseTimeouts {
  readonly #sockets = new Set<Socket>()
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  follow(server: Server): void {
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Sets the timeout on connections with unread data. Node ends them if nothing is read until then. */
  setTimeouts(): void {
    for (const socket of this.#sockets) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(this.#timeoutMs)
    }
  }

  async watch(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.setTimeouts()
      await clock.sleep(lookEveryMs, signal).catch(() => undefined)
    }
  }
}
