import type { Clock } from '../../kit/runtime/clock.ts'
import { runAfterPendingIo } from '../../kit/runtime/clock.ts'
import { DatabaseNotReached, DatabaseUnavailable, RowLocked } from '../../kit/runtime/sql.ts'
import type { OwnedId } from './owned-id.ts'

/** Runs one query for rows of one merchant. Answers by their ids. */
export type RunBatch<Answer> = (rows: OwnedId[]) => Promise<ReadonlyMap<number, Answer>>

const maxRowsTogether = 64
/**
 * Queries of a merchant under way: while one waits for the disk, rows for the next are batched and sent. More at once would
 * only make batches smaller.
 */
const usuallyInFlight = 2
/** Queries that take longer are held up by something; then rows go on without them, as far as there are connections. */
const longestWaitMs = 100
/** Of rows that went together and failed: all at once would take every connection. */
const aloneAtOnce = 4
/** As long as a query waits for a connection. */
const longestWaitAloneMs = 3_000

interface Waiting<Answer> {
  row: OwnedId
  resolve(answer: Answer | undefined): void
  reject(error: unknown): void
}

interface Queue<Answer> {
  merchantId: number
  waiting: Waiting<Answer>[]
  inFlight: number
  /** Number of queries that were sent for it. */
  sent: number
}

/**
 * Writes or reads together what one merchant asks for at the same time. A row waits for nothing while its merchant is
 * quiet; under load one message to the database, and one wait for its disk, serves many. Guarantee: each gets the answer
 * for its own row, of a query that was sent after it was asked for, and a row that is at fault fails alone. Rows of
 * two merchants never go together.
 */
export class Batcher<Answer> {
  readonly #ask: RunBatch<Answer>
  readonly #clock: Clock
  /** By merchant, as long as anything of it is asked for: anybody may ask for what is of merchants that do not exist. */
  readonly #queues = new Map<number, Queue<Answer>>()

  constructor(ask: RunBatch<Answer>, clock: Clock) {
    this.#ask = ask
    this.#clock = clock
  }

  /** How many merchants something is being asked for. */
  get merchantCount(): number {
    return this.#queues.size
  }

  add(row: OwnedId): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      const queue = this.#queueOf(row.merchantId)
      const count = queue.waiting.push({ row, resolve, reject })
      if (count === 1) runAfterPendingIo(() => this.#send(queue))
    })
  }

  #queueOf(merchantId: number): Queue<Answer> {
    const known = this.#queues.get(merchantId)
    if (known) return known
    const queue: Queue<Answer> = { merchantId, waiting: [], inFlight: 0, sent: 0 }
    this.#queues.set(merchantId, queue)
    return queue
  }

  #send(queue: Queue<Answer>, maxInFlight = usuallyInFlight): void {
    while (queue.waiting.length > 0 && queue.inFlight < maxInFlight) {
      const together = queue.waiting.splice(0, maxRowsTogether)
      queue.inFlight += 1
      queue.sent += 1
      void this.#settle(together).then(() => {
        queue.inFlight -= 1
        this.#send(queue)
        if (queue.inFlight === 0) this.#queues.delete(queue.merchantId)
      })
    }
    if (queue.waiting.length > 0) void this.#sendInTime(queue)
  }

  /** Sends what waits now, unless it has gone by then. */
  async #sendInTime(queue: Queue<Answer>): Promise<void> {
    const { sent } = queue
    await this.#clock.sleep(longestWaitMs)
    if (queue.sent === sent) this.#send(queue, queue.inFlight + 1)
  }

  async #settle(together: Waiting<Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(together.map(({ row }) => row))
      for (const { row, resolve } of together) resolve(answers.get(row.id))
    } catch (error) {
      if (together.length > 1 && mayBeFaultOfOne(error)) await this.#settleAlone(together)
      else for (const { reject } of together) reject(error)
    }
  }

  /** Whoever waits too long for its turn, because those before it are held up, was not written and may come again. */
  async #settleAlone(together: Waiting<Answer>[]): Promise<void> {
    const givesUpAtMs = this.#clock.monotonicMs() + longestWaitAloneMs
    const left = together.values()
    const settleNext = async () => {
      for (const each of left) {
        if (this.#clock.monotonicMs() < givesUpAtMs) await this.#settle([each])
        else each.reject(new DatabaseNotReached('the row waited too long to be retried outside its batch'))
      }
    }
    await Promise.all(Array.from({ length: aloneAtOnce }, settleNext))
  }
}

/** A database that is away is away for all of them. */
function mayBeFaultOfOne(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable) || error instanceof RowLocked
}
