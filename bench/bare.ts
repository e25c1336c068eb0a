// Baseline of the service: plain Fastify with one log line per request and nothing else of ours. Its response
// has the size and shape of the measured one and is serialised for every request, as in the service.
//
//   node bare.ts '{"databaseUrl":"…","poolSize":10,"answer":{…}}'
//
// The process sends its port to its parent and ends with it.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { insertOne, makeBareTables, selectOne } from './bare-tables.ts'

export interface BareOptions {
  databaseUrl: string
  poolSize: number
  /** Response to every request. */
  answer: unknown
}

const { databaseUrl, poolSize, answer }: BareOptions = JSON.parse(process.argv[2] ?? '')
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize })
await makeBareTables(pool)
const app = Fastify({ logger: false })
logAnswers(app)
mountLimits(app)
await app.listen({ port: 0, host: '127.0.0.1' })
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)

/** Logs the same fields as the service, with the library that plain Fastify uses. */
function logAnswers(app: FastifyInstance): void {
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const log = pino(options, pino.destination({ sync: false }))
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        request_id: request.id,
        merchant_id: 10000000000001,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 100) / 100,
        address: request.ip,
      },
      'request',
    )
    done()
  })
}

function mountLimits(app: FastifyInstance): void {
  const schema = { response: { 200: schemaOf(answer) } }
  let lastId = 0
  app.get('/bare', { schema }, async () => answer)
  app.get<{ Params: { id: string } }>('/bare_select/:id', { schema }, async ({ params }) => {
    await selectOne(pool, params.id)
    return answer
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post<{ Body: string | null }>('/bare_insert', { schema }, async ({ body }) => {
    lastId += 1
    await insertOne(pool, lastId, body ?? 'a name')
    return answer
  })
}

/** JSON Schema that matches a sample. */
function schemaOf(sample: unknown): object {
  if (sample === null) return { type: 'null' }
  if (Array.isArray(sample)) return { type: 'array', items: sample.length > 0 ? schemaOf(sample[0]) : {} }
  if (typeof sample !== 'object') return { type: Number.isInteger(sample) ? 'integer' : typeof sample }
  const properties = Object.entries(sample).map(([name, value]) => [name, schemaOf(value)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
