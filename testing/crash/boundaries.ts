import type { HttpClient } from '../../kit/outbound/http-client.ts'
import type { Query } from '../../kit/runtime/sql.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import { queryOf } from '../../server/database/combined-write.sql.ts'
import { attemptIdOf } from '../harness/bank.ts'

/** Called at every boundary: before a query or request is sent, and after its answer arrives. */
export type BoundaryGate = (boundary: string) => Promise<void>

/** The database with a boundary before and after every query. `nameOf` names the query by its purpose. */
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
    write: (write) => through(nameOf(queryOf(write)), () => database.write(write)),
  }
}

/** The HTTP client with a boundary before and after every request, also after a failed one. */
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

/** Purpose of a query: recording a bank call, recording its answer, another change, or a read. */
export function queryKind({ text }: Query): string {
  if (text.includes('insert into bank_calls')) return 'begin'
  if (text.includes('update bank_calls')) return 'finish'
  return /\b(?:insert|update|delete|truncate)\b/.test(text) ? 'change' : 'look'
}

/**
 * Purpose of a query with its table. A write of a trace counts as a read, because nothing depends on traces.
 */
export function queryKindAndTable(query: Query): string {
  const kind = queryKind(query)
  const [, table = ''] = /\b(?:insert into|update|delete from) (\w+)/.exec(query.text) ?? []
  if (kind === 'change' && table === 'traces') return 'look'
  return kind === 'change' ? `change ${table}` : kind
}

/** A gate that blocks at this boundary until `goOn` is called. */
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

/** Records the operation and the attempt of every request. */
export function recordingHttp(http: HttpClient, requests: string[]): HttpClient {
  return {
    send: (request) => {
      const { reference } = JSON.parse(request.body ?? '{}')
      // The attempt id is the part of a reference that does not change from run to run.
      requests.push(`${request.url.slice(request.url.lastIndexOf('/') + 1)} ${attemptIdOf({ reference })}`)
      return http.send(request)
    },
  }
}
