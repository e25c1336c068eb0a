import type { Clock } from '../../kit/runtime/clock.ts'
import { runAfterPendingIo } from '../../kit/runtime/clock.ts'
import { DatabaseNotReached, DatabaseUnavailable, RowLocked } from '../../kit/runtime/sql.ts'
import type { OwnedId } from './owned-id.ts'

const maxRowsTogether = 64
/** Usual queries of a merchant under way: one waits for the disk, one is collected. More shrink batches. */
const usuallyInFlight = 2
/** Longest wait of a row for other queries. Then a further one is sent, if there is a connection. */
const longestWaitMs = 100
/** Rows of a failed batch that are retried at the same time: all together would take every connection. */
const aloneAtOnce = 4
/** Longest wait of such a retry, the same as a query's wait for a connection. */
const longestWaitAloneMs = 3_000

interface Waiting<Answer> extends PromiseWithResolvers<Answer | undefined> {
  row: OwnedId
}

interface Queue<Answer> {
  merchantId: number
  waiting: Waiting<Answer>[]
  inFlight: number
  sent: number
}

/**
 * Combines rows that one merchant reads or writes at the same time into one query. Without load a row is not
 * delayed; under load one round trip and one disk write serve many rows. Guarantees: each row gets its own
 * result, from a query sent after the row was added; a faulty row fails alone; rows of two merchants never
 * share a query.
 */
export class Batcher<Answer> {
  readonly #ask: (rows: OwnedId[]) => Promise<ReadonlyMap<number, Answer>>
  readonly #clock: Clock
  /** Queues by merchant, kept only while rows are pending: a request can name merchants that do not exist. */
  readonly #queues = new Map<number, Queue<Answer>>()

  /** `ask` runs one query for rows of one merchant and returns the results by id. */
  constructor(ask: (rows: OwnedId[]) => Promise<ReadonlyMap<number, Answer>>, clock: Clock) {
    this.#ask = ask
    this.#clock = clock
  }

  get merchantCount(): number {
    return this.#queues.size
  }

  add(row: OwnedId): Promise<Answer | undefined> {
    const newQueue = (merchantId: number) => ({ merchantId, waiting: [], inFlight: 0, sent: 0 })
    const queue = this.#queues.getOrInsertComputed(row.merchantId, newQueue)
    const waiting = { row, ...Promise.withResolvers<Answer | undefined>() }
    if (queue.waiting.push(waiting) === 1) runAfterPendingIo(() => this.#send(queue))
    return waiting.promise
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

  /** Sends the waiting rows after the longest wait, unless they were sent already. */
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

  /** Retries the rows one by one. A row that waits too long is not written; its request may be repeated. */
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

/** An unreachable database fails for all rows alike. */
function mayBeFaultOfOne(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable) || error instanceof RowLocked
}
