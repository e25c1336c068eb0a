import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isTest } from '../../scripts/tidy/import-order.ts'
import { functionAt, queriesOverAllMerchants } from '../../scripts/tidy/merchant-queries.ts'

/**
 * Setting with which Citus reports every query that it splits into several, for several shards. It reports them
 * while it plans, so a query with a plan for all values is reported once per connection.
 */
export const reportSplitQueries = `citus.multi_task_query_log_level = 'notice'`

const report = 'multi-task query about to be executed'

const root = join(import.meta.dirname, '..', '..')

/** Files that pass on the queries of others. */
const passing =
  /^kit\/|^server\/database\/(?:pool|request-sql|batch|batching-sql|combined-write\.sql|search-queue)\.ts$/

/** Files of the service with queries. */
const withQueries = /(?:^|\/)store\.ts$|\.sql\.ts$/

interface Frame {
  path: string
  line: number
}

/** Stacks by the objects with which the pool passes queries on. */
const callers = new WeakMap<object, Error>()

/** Queries by the objects that the library makes of them. */
const sentQueries = new WeakMap<object, { caller: Error; repetition: number }>()

/**
 * After five repetitions PostgreSQL also makes a plan for all values. Citus reports that it would split such a change,
 * and never uses the plan.
 */
const repetitionsBeforePlanForAll = 5
const change = /^\s*(?:update|delete)\b/

/** Texts of queries that the list allows. A query that is sent again after a conflict has lost its function. */
const allowedTexts = new Set<string>()

const found = new Map<string, Error>()
let isWatching = false

/** Begins to collect the queries of this process that Citus splits. */
export function watchSplitQueries(): void {
  if (isWatching) return
  isWatching = true
  const inPool = pg.Pool.prototype.query as (...args: unknown[]) => unknown
  pg.Pool.prototype.query = function (this: pg.Pool, ...args: unknown[]) {
    if (args[0] instanceof Object) callers.set(args[0], callerHere())
    return inPool.apply(this, args)
  } as never
  const onConnection = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const repetitions = new WeakMap<object, Map<string, number>>()
  pg.Client.prototype.query = function (this: QueueingClient, ...args: unknown[]) {
    const ofConnection = repetitions.getOrInsertComputed(this, () => {
      this.on('notice', ({ message }) => {
        if (message === report && this._activeQuery) judge(this._activeQuery)
      })
      return new Map()
    })
    const caller = (args[0] instanceof Object && callers.get(args[0])) || callerHere()
    const answer = onConnection.apply(this, args)
    const sent = this._queryQueue.at(-1) ?? this._activeQuery
    if (sent) {
      const repetition = ofConnection.getOrInsert(sent.text, 0)
      ofConnection.set(sent.text, repetition + 1)
      sentQueries.set(sent, { caller, repetition })
    }
    return answer
  } as never
}

/** Throws if queries of the service were split since the last call, unless they are on the list. */
export function throwIfQueriesWereSplit(): void {
  if (found.size === 0) return
  const places = [...found].map(([text, { stack }]) => `${text}\n${stack?.replace(/^.*\n/, '')}`)
  found.clear()
  throw new Error(
    `Citus split queries over all merchants. Name the merchant by a value, or give a reason in scripts/tidy/merchant-queries.ts:\n${places.join('\n\n')}`,
  )
}

/** A connection of the library with the queries that wait, and the one that the server works on. */
interface QueueingClient extends pg.Client {
  _queryQueue: SentQuery[]
  _activeQuery: SentQuery | null
}

interface SentQuery {
  text: string
}

function callerHere(): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const caller = new Error('a query was sent')
  Error.stackTraceLimit = stackTraceLimit
  return caller
}

function judge(query: SentQuery): void {
  const sent = sentQueries.get(query)
  if (!sent || allowedTexts.has(query.text)) return
  if (sent.repetition >= repetitionsBeforePlanForAll && change.test(query.text)) return
  const place = placeIn(framesOf(sent.caller))
  if (place === 'of a test') return
  if (place.name in (queriesOverAllMerchants[place.path] ?? {})) allowedTexts.add(query.text)
  else found.set(`${place.path}: ${place.name}: ${query.text}`, sent.caller)
}

/**
 * File and function of the service that a query belongs to. Rows of several requests in one query have none.
 */
function placeIn(frames: readonly Frame[]): { path: string; name: string } | 'of a test' {
  const own = frames.filter(({ path }) => !passing.test(path))
  const frame = own.find(({ path }) => !path.startsWith('testing/'))
  if (!frame) return own.length > 0 ? 'of a test' : { path: 'batch', name: 'of several requests' }
  // A query of the service passes through a test's database only if a file with queries sent it.
  const isOwn = frame === own[0] || withQueries.test(frame.path)
  if (!frame.path.startsWith('server/') || isTest(frame.path) || !isOwn) return 'of a test'
  const text = readFileSync(join(root, frame.path), 'utf8')
  const start = text.split('\n', frame.line).join('\n').length
  return { path: frame.path, name: functionAt(text, start) }
}

/** Places in this repository, the innermost first. */
function framesOf({ stack = '' }: Error): Frame[] {
  return [...stack.matchAll(/(file:\/\/\S+?):(\d+):\d+\)?$/gm)]
    .map(([, url = '', line]) => ({ path: relative(root, fileURLToPath(url)), line: Number(line) }))
    .filter(({ path }) => !path.startsWith('..') && !path.startsWith('node_modules/'))
    .filter(({ path }) => path !== 'testing/harness/split-queries.ts')
}
