import type { HttpClient } from '../../kit/outbound/http-client.ts'
import type { Query } from '../../kit/runtime/sql.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import { attemptIdOf } from '../harness/bank.ts'

/** Called at every moment at which a process can die: before something goes out, and after its answer came. */
export type BoundaryGate = (boundary: string) => Promise<void>

/** The database with a gate on both sides of every query, which is named by its purpose. */
export function gatedSql(database: BatchingSql, gate: BoundaryGate, nameOf = queryKind): BatchingSql {
  const through = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    await gate(`before ${what}`)
    const result = await work()
    await gate(`after ${what}`)
    return result
  }
  return {
    many: (query) => through(nameOf(query), () => database.many(query)),
    one: (query) => through(nameOf(query), () => database.one(query)),
    maybe: (query) => through(nameOf(query), () => database.maybe(query)),
    run: (query) => through(nameOf(query), () => database.run(query)),
    batch: (query, row) => through('change', () => database.batch(query, row)),
    transaction: (work) =>
      through('transaction', () => database.transaction((inner) => work(gatedSql(inner, gate, nameOf)))),
  }
}

/** The way out with a gate on both sides of every request, whatever comes of it. */
export function gatedHttp(http: HttpClient, gate: BoundaryGate): HttpClient {
  return {
    send: async (request) => {
      const what = `call ${request.url.slice(request.url.lastIndexOf('/') + 1)}`
      await gate(`before ${what}`)
      const [sent] = await Promise.allSettled([http.send(request)])
      await gate(`after ${what}`)
      if (sent.status === 'rejected') throw sent.reason
      return sent.value
    },
  }
}

/** Purpose of a query: writing a question down, writing its answer down, another change, or a look. */
export function queryKind({ text }: Query): string {
  if (text.includes('insert into bank_calls')) return 'begin'
  if (text.includes('update bank_calls')) return 'finish'
  return /\b(?:insert|update|delete|truncate)\b/.test(text) ? 'change' : 'look'
}

/** The same, with the table that is changed. Nothing follows from a trace: who dies beside one dies as at a look. */
export function queryKindAndTable(query: Query): string {
  const kind = queryKind(query)
  const [, table = ''] = /\b(?:insert into|update|delete from) (\w+)/.exec(query.text) ?? []
  if (kind === 'change' && table === 'traces') return 'look'
  return kind === 'change' ? `change ${table}` : kind
}

/** A gate at which whoever comes to this boundary first stands still until told to go on. */
export function stopAt(boundary: string): { gate: BoundaryGate; reached: Promise<void>; goOn: () => void } {
  const reached = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const gate: BoundaryGate = async (at) => {
    if (at !== boundary) return
    reached.resolve()
    await free.promise
  }
  return { gate, reached: reached.promise, goOn: free.resolve }
}

/** Notes of every request what it asked for, and of which charge. */
export function recordingHttp(http: HttpClient, requests: string[]): HttpClient {
  return {
    send: (request) => {
      const { reference } = JSON.parse(request.body ?? '{}')
      // Of a reference only what does not change from run to run: the id of its attempt.
      requests.push(`${request.url.slice(request.url.lastIndexOf('/') + 1)} ${attemptIdOf({ reference })}`)
      return http.send(request)
    },
  }
}
