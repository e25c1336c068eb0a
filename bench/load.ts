// Load generator in a separate process. It must leave its core more than half idle, or it would measure
// itself. So it uses raw sockets and prepared requests, and reads as little of the responses as is safe. Its
// parent sends a `LoadTask` and gets a `LoadResult`. The process ends with its parent.
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { uniqueNumberMark } from './request.ts'

export interface LoadTask {
  port: number
  connections: number
  seconds: number
  /** Raw HTTP requests, sent in turn and repeatedly. */
  requests: string[]
}

export interface LoadResult {
  /** Reason why the figures are invalid, if they are. */
  failure?: string
  perSecond: number
  p95Ms: number
  p99Ms: number
  /** Share of one core that this process used. */
  load: number
}

/** Latencies are counted in steps of 10 µs up to two seconds. The last step includes everything longer. */
const stepMs = 0.01
const steps = 200_000
/** Time allowed for the last responses after the end. */
const timeoutMs = 5_000

/** The count continues across tasks, so that a long list of requests is used completely. */
let sent = 0

process.on('message', (order: LoadTask) => {
  void new Run(order).done.then((outcome) => process.send?.(outcome))
})
process.on('disconnect', () => process.exit())

class Run {
  readonly done: Promise<LoadResult>
  readonly #finish: (outcome: LoadResult) => void
  readonly #order: LoadTask
  readonly #requests: Prepared[]
  readonly #connections: Connection[]
  readonly #latencies = new Uint32Array(steps)
  #count = 0
  #busy = 0
  #startedAt = 0
  #endAt = 0
  #cpuAtStart = process.cpuUsage()
  #timeout: NodeJS.Timeout | undefined

  constructor(order: LoadTask) {
    const { promise, resolve } = Promise.withResolvers<LoadResult>()
    this.done = promise
    this.#finish = resolve
    this.#order = order
    this.#requests = order.requests.map(prepared)
    this.#connections = Array.from({ length: order.connections }, () => new Connection(order.port, this))
  }

  /** Starts the clock when every connection is open. */
  connected(): void {
    this.#busy += 1
    if (this.#busy < this.#connections.length) return
    this.#cpuAtStart = process.cpuUsage()
    this.#startedAt = performance.now()
    this.#endAt = this.#startedAt + this.#order.seconds * 1000
    const late = () => this.fail(`an answer took longer than ${timeoutMs} ms`)
    this.#timeout = setTimeout(late, this.#order.seconds * 1000 + timeoutMs)
    for (const connection of this.#connections) connection.send(this.#request(), this.#startedAt)
  }

  /** Responses after the end are awaited but not counted, so that the next round finds the server idle. */
  onAnswer(connection: Connection, sentAt: number): void {
    const now = performance.now()
    if (now < this.#endAt) {
      this.#count += 1
      const step = Math.min(steps - 1, Math.floor((now - sentAt) / stepMs))
      this.#latencies[step] = (this.#latencies[step] ?? 0) + 1
      connection.send(this.#request(), now)
      return
    }
    this.#busy -= 1
    if (this.#busy === 0) this.#end({})
  }

  fail(failure: string): void {
    this.#end({ failure })
  }

  #request(): Buffer {
    const request = this.#requests[sent % this.#requests.length]
    if (!request) throw new Error('a load task has no requests')
    sent += 1
    if (request.numberAt < 0) return request.bytes
    // Copied, because the socket may still use the previous bytes.
    const bytes = Buffer.from(request.bytes)
    bytes.write(String(sent).padStart(uniqueNumberMark.length, '0'), request.numberAt, 'latin1')
    return bytes
  }

  #end(failure: { failure?: string }): void {
    clearTimeout(this.#timeout)
    for (const connection of this.#connections) connection.close()
    const { user, system } = process.cpuUsage(this.#cpuAtStart)
    this.#finish({
      ...failure,
      perSecond: this.#count / this.#order.seconds,
      p95Ms: this.#percentile(0.95),
      p99Ms: this.#percentile(0.99),
      load: (user + system) / 1000 / (performance.now() - this.#startedAt),
    })
  }

  #percentile(share: number): number {
    let left = Math.ceil(this.#count * share)
    const step = this.#latencies.findIndex((count) => {
      left -= count
      return left <= 0
    })
    return (step + 1) * stepMs
  }
}

/** Request with the offset of its unique number, or -1. */
interface Prepared {
  bytes: Buffer
  numberAt: number
}

function prepared(text: string): Prepared {
  const bytes = Buffer.from(text)
  return { bytes, numberAt: bytes.indexOf(uniqueNumberMark) }
}

/** Shared read buffer of all connections: each piece is read before the next arrives. */
const shared = Buffer.allocUnsafe(64 * 1024)

/** Connection with at most one request in progress. */
class Connection {
  readonly #socket: Socket
  readonly #run: Run
  #sentAt = 0
  /** Beginning of a response that did not arrive in one piece. */
  #beginning: Buffer | undefined
  #closed = false

  constructor(port: number, run: Run) {
    this.#run = run
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: shared,
        callback: (count) => {
          this.#receive(shared.subarray(0, count))
          return true
        },
      },
    })
    this.#socket.on('connect', () => run.connected())
    this.#socket.on('error', (error) => this.#fail(error.message))
    this.#socket.on('close', () => this.#fail('the server closed a connection'))
  }

  send(request: Buffer, now: number): void {
    this.#sentAt = now
    this.#socket.write(request)
  }

  close(): void {
    this.#closed = true
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    if (this.#closed) return
    const answer = this.#beginning ? Buffer.concat([this.#beginning, bytes]) : bytes
    const length = lengthOf(answer)
    if (length === undefined || answer.length < length) {
      this.#beginning = Buffer.from(answer)
      return
    }
    this.#beginning = undefined
    if (answer[statusAt] !== twoHundreds) this.#fail(`an answer is not 2xx: ${answer}`)
    else if (answer.length !== length) this.#fail(`an answer cannot be read: ${answer}`)
    else this.#run.onAnswer(this, this.#sentAt)
  }

  #fail(failure: string): void {
    if (!this.#closed) this.#run.fail(failure)
  }
}

const statusAt = 'HTTP/1.1 '.length
const twoHundreds = '2'.charCodeAt(0)
const lengthName = '\r\ncontent-length: '

/**
 * Length of the response with its head; undefined while the head is incomplete. NaN, which equals no length,
 * if there is no `content-length` as Node and Fastify write it.
 */
function lengthOf(answer: Buffer): number | undefined {
  const headLength = answer.indexOf('\r\n\r\n') + 4
  if (headLength < 4) return undefined
  const head = answer.toString('latin1', 0, headLength)
  const start = head.indexOf(lengthName) + lengthName.length
  if (start < lengthName.length) return Number.NaN
  return headLength + Number(head.slice(start, head.indexOf('\r', start)))
}
