import { hash } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { CombinedWrite, Query } from '../../kit/runtime/sql.ts'
import {
  CommitUnknown,
  DatabaseNotReached,
  DatabaseUnavailable,
  RowLocked,
  WorkerUnavailable,
} from '../../kit/runtime/sql.ts'
import { Batcher } from './batch.ts'
import type { BatchingSql, BatchQuery } from './batching-sql.ts'
import { firstLineOf, isDistributed, isWorkerAway } from './citus.ts'
import { writeInOneQuery, writeInTransaction } from './combined-write.sql.ts'
import type { OwnedId } from './owned-id.ts'

/** Address of the database: a URL, or the socket of the embedded one. */
export type DatabaseAddress = { url: string } | { host: string; port: number; user: string; database: string }

export interface Database {
  sql: BatchingSql
  load(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Attempts of a transaction on serialization failures and deadlocks. */
const maxAttempts = 5

/** Longest wait for a row that another session holds. */
export const lockTimeoutMs = 5_000

/** Default timeouts, in milliseconds. */
const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: lockTimeoutMs,
  idle_in_transaction_session_timeout: 15_000,
  /** Our own timeout in addition to the server's: a silent network delivers no error. */
  query_timeout: 20_000,
}

/** For the instance's own queries: an answer that takes longer is useless. */
export const shortTimeouts = {
  ...timeouts,
  statement_timeout: 2_000,
  lock_timeout: 2_000,
  query_timeout: 2_500,
}

/** For searches: a longer one asked for too much and must not delay the others. */
export const searchTimeouts = { ...timeouts, statement_timeout: 3_000, query_timeout: 4_000 }

/** For migrations only: an index on a large table takes as long as necessary. */
export const noTimeouts = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  query_timeout: 0,
}

export function openDatabase(
  connection: DatabaseAddress,
  size: number,
  log: Log,
  waits = timeouts,
): Database {
  const where = 'url' in connection ? { connectionString: connection.url } : connection
  const pool = new pg.Pool({
    ...where,
    ...waits,
    application_name: 'vezne',
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    max: size,
    types: { getTypeParser },
  })
  // A connection can break at any time, even between two uses; without a listener that would end the process.
  // The next user gets the error from its own query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let isClosing = false
  // The embedded PostgreSQL may end before the last connection is closed; that is not an error.
  pool.on('error', (err) => {
    if (!isClosing) log.warn({ err }, 'an idle database connection broke; it will be replaced')
  })
  return {
    sql: new PoolSql(pool),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => {
      isClosing = true
      return pool.end()
    },
  }
}

type Runner = Pick<pg.ClientBase, 'query'>

abstract class BaseSql implements BatchingSql {
  abstract transaction<Result>(
    work: (sql: BatchingSql) => Promise<Result>,
    late?: AbortSignal,
  ): Promise<Result>
  protected abstract isDistributed(): Promise<boolean>
  protected abstract runner(): Runner

  async batch<Answer extends { id: number }>(query: BatchQuery, row: OwnedId): Promise<Answer | undefined> {
    return (await this.runBatch<Answer>(query, [row])).get(row.id)
  }

  async many<Row extends object>(query: Query): Promise<Row[]> {
    return (await this.query<Row>(query)).rows
  }

  async one<Row extends object>(query: Query): Promise<Row> {
    const { rows } = await this.query<Row>(query)
    const [row] = rows
    if (!row || rows.length > 1) throw new Error(`expected one row, got ${rows.length}: ${query.text}`)
    return row
  }

  async maybe<Row extends object>(query: Query): Promise<Row | undefined> {
    const { rows } = await this.query<Row>(query)
    if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}: ${query.text}`)
    return rows[0]
  }

  async run(query: Query): Promise<number> {
    return (await this.query(query)).rowCount ?? 0
  }

  async write<Row extends object>(write: CombinedWrite): Promise<Row | undefined> {
    if (!(await this.isDistributed())) return writeInOneQuery(this, write)
    const durable = { ...write, commitsAsynchronously: false }
    if (write.inserts.length === 0) return writeInOneQuery(this, durable)
    return this.transaction((transaction) => writeInTransaction(transaction, durable))
  }

  protected async runBatch<Answer extends { id: number }>(
    query: BatchQuery,
    rows: readonly OwnedId[],
  ): Promise<ReadonlyMap<number, Answer>> {
    const answers = await this.#answersTo<Answer>(query, rows)
    return new Map(answers.map((answer) => [answer.id, answer]))
  }

  async #answersTo<Answer>(query: BatchQuery, rows: readonly OwnedId[]): Promise<Answer[]> {
    if (query.distributed && (await this.isDistributed()))
      return (await query.distributed(this, rows)) as Answer[]
    const [{ merchantId }] = rows as [OwnedId]
    return this.many(query({ merchantId, rows: JSON.stringify(rows) })) as Promise<Answer[]>
  }

  protected async query<Row extends object>(query: Query): Promise<pg.QueryResult<Row>> {
    const { text, values, isUnprepared } = query
    const name = isUnprepared ? {} : { name: names.getOrInsertComputed(text, newNameOf) }
    return this.runner()
      .query<Row>({ ...name, text, values })
      .catch(throwClassified)
  }
}

class PoolSql extends BaseSql {
  readonly #pool: pg.Pool
  readonly #batchers = new Map<BatchQuery, Batcher<{ id: number }>>()
  #isDistributed: Promise<boolean> | undefined

  constructor(pool: pg.Pool) {
    super()
    this.#pool = pool
  }

  protected runner(): Runner {
    return this.#pool as unknown as Runner
  }

  /** Asked once, because a database is distributed while no instance runs. */
  protected isDistributed(connection: BatchingSql = this): Promise<boolean> {
    this.#isDistributed ??= isDistributed(connection).catch((error) => {
      this.#isDistributed = undefined
      throw error
    })
    return this.#isDistributed
  }

  override batch<Answer extends { id: number }>(
    query: BatchQuery,
    row: OwnedId,
  ): Promise<Answer | undefined> {
    const batcher = this.#batchers.getOrInsertComputed(
      query,
      () => new Batcher((rows) => this.runBatch(query, rows), systemClock),
    )
    // The query defines the row type, as in every other method.
    return batcher.add(row) as Promise<Answer | undefined>
  }

  /** A query outside a transaction is its own transaction. */
  protected override query<Row extends object>(query: Query): Promise<pg.QueryResult<Row>> {
    return persistently(() => super.query<Row>(query))
  }

  transaction<Result>(work: (sql: BatchingSql) => Promise<Result>, late?: AbortSignal): Promise<Result> {
    return persistently(() => this.#attempt(work, late))
  }

  async #attempt<Result>(work: (sql: BatchingSql) => Promise<Result>, late?: AbortSignal): Promise<Result> {
    const client = await this.#pool.connect().catch(throwClassified)
    if (late?.aborted) {
      client.release()
      throw late.reason
    }
    const transaction = new TransactionSql(client, (connection) => this.isDistributed(connection))
    let broken = false
    let isCut = false
    const cut = () => {
      isCut = true
      transaction.end(late?.reason)
      client.release(true)
    }
    try {
      late?.addEventListener('abort', cut)
      await client.query('begin').catch(throwClassified)
      const result = await work(transaction)
      await transaction.commit()
      return result
    } catch (error) {
      transaction.end()
      broken = error instanceof DatabaseUnavailable && !(error instanceof RowLocked)
      if (!broken && !isCut) {
        await client.query('rollback').catch(() => {
          broken = true
        })
      }
      throw error
    } finally {
      late?.removeEventListener('abort', cut)
      if (!isCut) client.release(broken)
    }
  }
}

const conflictStates = ['40001', '40P01']

/** Repeats the work on serialization failures and deadlocks. */
async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!conflictStates.includes(codeOf(error) ?? '')) throw error
      if (attempt === maxAttempts)
        throw new DatabaseUnavailable('the transaction conflicted with others too often', { cause: error })
    }
  }
}

/**
 * One transaction. Guarantees: a query after its end is refused, because its connection may be in use
 * elsewhere; it is committed only if every part succeeded, including parts whose error was caught.
 */
class TransactionSql extends BaseSql {
  readonly #client: pg.PoolClient
  readonly #isDistributed: (connection: BatchingSql) => Promise<boolean>
  #isOver = false
  #whyOver: Error | undefined
  #failedPart: unknown

  constructor(client: pg.PoolClient, isDistributed: (connection: BatchingSql) => Promise<boolean>) {
    super()
    this.#client = client
    this.#isDistributed = isDistributed
  }

  protected isDistributed(): Promise<boolean> {
    return this.#isDistributed(this)
  }

  override write<Row extends object>(write: CombinedWrite): Promise<Row | undefined> {
    return super.write({ ...write, commitsAsynchronously: false })
  }

  async commit(): Promise<void> {
    this.end()
    if (this.#failedPart) throw new Error('a part of the transaction failed', { cause: this.#failedPart })
    try {
      // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
      const { command } = await this.#client.query('commit')
      if (command !== 'COMMIT') throw new Error('a query of the transaction failed and its error was ignored')
    } catch (error) {
      const known = classified(error)
      throw known instanceof DatabaseUnavailable ? new CommitUnknown(known.message, { cause: error }) : known
    }
  }

  end(why?: Error): void {
    this.#isOver = true
    this.#whyOver ??= why
  }

  protected runner(): Runner {
    if (this.#isOver)
      throw this.#whyOver ?? new Error('the transaction is over; something of it was not awaited')
    return this.#client
  }

  async transaction<Result>(work: (sql: BatchingSql) => Promise<Result>): Promise<Result> {
    try {
      return await work(this)
    } catch (error) {
      this.#failedPart = error
      throw error
    }
  }
}

/** Queries are prepared once per connection under a name made from their text: no two texts share one. */
const names = new Map<string, string>()

const newNameOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22)

const unavailableStates = /^(?:08|28|3D|53|58|57P0|57014|25P03|25006|40003)/
const lostConnection =
  /timeout exceeded|read timeout|Connection terminated|Client has encountered|not queryable|after calling end/i
/** Citus ends a transaction in which a worker fails or waits too long for a lock, without the worker's SQLSTATE. */
const failedWorker = /^failure on connection marked as essential/
/** No connection was free in time, or none could be opened. */
const noConnection =
  /timeout exceeded when trying to connect|terminated due to connection timeout|ECONNREFUSED|ENOENT/

/**
 * Maps every form of "the database is not available" to one class and leaves other errors unchanged. Errors
 * of the database have an SQLSTATE; a code without one comes from the operating system.
 */
function classified(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !(error instanceof Error)) return error
  const code = codeOf(error)
  if (code === '55P03') return new RowLocked(error.message, { cause: error })
  if (error instanceof pg.DatabaseError && isWorkerAway(error))
    return new WorkerUnavailable(firstLineOf(error.message), { cause: error })
  const isAway =
    error instanceof pg.DatabaseError
      ? unavailableStates.test(code ?? '') || failedWorker.test(error.message)
      : code !== undefined || lostConnection.test(error.message)
  if (!isAway) return error
  const words = wordsOf(error)
  const Kind = noConnection.test(words) ? DatabaseNotReached : DatabaseUnavailable
  return new Kind(words, { cause: error })
}

function throwClassified(error: unknown): never {
  throw classified(error)
}

/** SQLSTATEs of a database that starts, recovers or stops, and system errors of one that is unreachable. */
const comesUp = /^(?:57P0[1-3]|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/
const wasCutShort = /^Connection terminated|^timeout exceeded when trying to connect/

/**
 * True if the database could not be reached because it is not up: its port is closed, its socket is missing,
 * or it is starting or recovering. False for faults that waiting does not fix: a wrong password, an unknown
 * host, a missing database.
 */
export function isDatabaseStarting(error: unknown): error is DatabaseUnavailable {
  if (!(error instanceof DatabaseUnavailable) || !(error.cause instanceof Error)) return false
  const { cause } = error
  const each = cause instanceof AggregateError ? cause.errors : [cause]
  return each.some((one: Error & { syscall?: string }) => {
    const code = codeOf(one) ?? ''
    return (
      comesUp.test(code) || (code === 'ENOENT' && one.syscall === 'connect') || wasCutShort.test(one.message)
    )
  })
}

/** A host with several addresses fails with one error for each, inside an error without a message. */
function wordsOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Our integers are ids and minor units, which a JavaScript number holds exactly. Others are a bug. */
function parseInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error('an integer of the database is too large')
  return number
}

const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format: 'text') =>
  oid === pg.types.builtins.INT8 ? parseInteger : pg.types.getTypeParser(oid, format)) as never
