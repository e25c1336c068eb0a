import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../runtime/clock.ts'

const lookEveryMs = 10_000

/**
 * Ends connections whose other end asks and does not read the answer, which would otherwise be kept for ever. They are
 * looked for from time to time, and only those with something unread get a timer: one for every connection, set anew at
 * every read and write, took a thirtieth of each request.
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

  /** Gives those that have something unread their time; Node ends them when nothing of it is taken until then. */
  setTimeouts(): void {
    for (const socket of this.#sockets) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(this.#timeoutMs)
    }
  }

  /** Looks from time to time until the signal ends it. */
  async watch(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.setTimeouts()
      await clock.sleep(lookEveryMs, signal).catch(() => undefined)
    }
  }
}
