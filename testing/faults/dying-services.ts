import type { HttpClient } from '../../kit/outbound/http-client.ts'
import type { OutboundClient } from '../../kit/outbound/outbound-client.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import type { Services } from '../../server/services.ts'

/** The process is dead: its later actions have no effect. */
export class ProcessDied extends Error {
  override readonly name = 'Dead'
}

export interface DyingServices extends Services {
  isDead(): boolean
  /** Resolves when the queries and requests in flight at the kill have ended: their servers finish them. */
  ended(): Promise<void>
}

/**
 * Services of a process that is killed at its n-th boundary: before a query or request is sent, or after its
 * answer arrives. After that, nothing done through them has an effect.
 */
export function dyingServices(services: Services, atBoundary: number): DyingServices {
  let passed = 0
  const inFlight = new Set<Promise<unknown>>()
  const pass = () => {
    if (passed++ >= atBoundary) throw new ProcessDied(`at boundary ${atBoundary}`)
  }
  const around = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    pass()
    const working = work()
    inFlight.add(working)
    const result = await working.finally(() => inFlight.delete(working))
    pass()
    return result
  }
  const wrapped = (inner: BatchingSql): BatchingSql => ({
    many: (query) => around(() => inner.many(query)),
    one: (query) => around(() => inner.one(query)),
    maybe: (query) => around(() => inner.maybe(query)),
    run: (query) => around(() => inner.run(query)),
    batch: (query, row) => around(() => inner.batch(query, row)),
    transaction: (work) => around(() => inner.transaction((sql) => work(wrapped(sql)))),
    write: (write) => around(() => inner.write(write)),
  })
  const http: HttpClient = { send: (request) => around(() => services.http.send(request)) }
  const outbound: OutboundClient = {
    send: (request) => around(() => services.outbound.send(request)),
    close: () => services.outbound.close(),
  }
  return {
    ...services,
    ...{ sql: wrapped(services.sql), http, outbound },
    isDead: () => passed > atBoundary,
    ended: async () => {
      while (inFlight.size > 0) await Promise.allSettled(inFlight)
    },
  }
}
