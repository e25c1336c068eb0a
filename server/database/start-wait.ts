import type { Clock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import { DatabaseUnavailable, sql } from '../../kit/runtime/sql.ts'
import type { DatabaseAddress } from './pool.ts'
import { isDatabaseStarting, openDatabase } from './pool.ts'

const logEveryMs = 10_000
const retryEveryMs = 200

export interface StartWaitOptions {
  clock: Clock
  log: Log
  limitMs: number
  /** A shorter wait is not logged. */
  quietMs?: number
  /** Aborted when the program is told to end. */
  signal?: AbortSignal | undefined
}

/** A start was told to end while it waited for the database. */
export class StartInterrupted extends Error {
  override readonly name = 'StartInterrupted'
  override readonly message = 'Stopped by a signal while waiting for the database.'
}

/** The wait of a start for its database: its limit, its log lines, and its end by a signal. */
export class StartWait {
  readonly #options: StartWaitOptions
  readonly #beganAtMs: number
  #logAtMs: number

  constructor(options: StartWaitOptions) {
    this.#options = options
    this.#beganAtMs = options.clock.monotonicMs()
    this.#logAtMs = this.#beganAtMs + (options.quietMs ?? 0)
  }

  get isOver(): boolean {
    return this.#leftMs <= 0
  }

  /** Pauses before the next attempt. Throws `StartInterrupted` as soon as the program is told to end. */
  async pause(ms: number, reason: string): Promise<void> {
    const { clock, log, signal } = this.#options
    if (clock.monotonicMs() >= this.#logAtMs) {
      this.#logAtMs = clock.monotonicMs() + logEveryMs
      log.warn({ reason, seconds_left: Math.ceil(this.#leftMs / 1000) }, 'waiting for the database')
    }
    await clock.sleep(ms, signal).catch((error: unknown) => {
      throw signal?.aborted ? new StartInterrupted() : error
    })
  }

  get #leftMs(): number {
    return this.#beganAtMs + this.#options.limitMs - this.#options.clock.monotonicMs()
  }
}

/**
 * Waits until a database that is starting, recovering or not there yet accepts connections. A fault that
 * waiting does not fix, such as a wrong password, throws immediately.
 */
export async function waitForDatabase(connection: DatabaseAddress, options: StartWaitOptions): Promise<void> {
  const wait = new StartWait(options)
  for (;;) {
    const database = openDatabase(connection, 1, options.log)
    try {
      await database.sql.many(sql`select`)
      return
    } catch (error) {
      if (!isDatabaseStarting(error)) throw error
      if (wait.isOver) throw stillAway(error, options.limitMs)
      await wait.pause(retryEveryMs, error.message)
    } finally {
      await database.close()
    }
  }
}

function stillAway(error: Error, limitMs: number): Error {
  if (limitMs === 0) return error
  return new DatabaseUnavailable(`${error.message}, even after ${limitMs / 1000} s (DATABASE_WAIT_SECONDS)`, {
    cause: error,
  })
}
