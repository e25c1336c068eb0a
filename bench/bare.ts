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
import { openLog } from '../kit/runtime/log.ts'
import { rowsToSelect } from './limits.ts'

export interface BareOptions {
  databaseUrl: string
  poolSize: number
  /** Response to every request. */
  answer: unknown
}

const { databaseUrl, poolSize, answer }: BareOptions = JSON.parse(process.argv[2] ?? '')
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize })
await makeTables()
const app = Fastify({ logger: false })
await logAnswers(app)
mountLimits(app)
await app.listen({ port: 0, host: '127.0.0.1' })
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)

/** Logs as the service does, so that the comparison leaves the logger out. */
async function logAnswers(app: FastifyInstance): Promise<void> {
  const { log } = openLog({ level: 'info', format: 'json' })
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
    const text = 'select id, merchant_id, name, amount, created_at from bench.read where id = $1'
    const { rows } = await pool.query({ name: 'select', text, values: [params.id] })
    if (rows.length !== 1) throw new Error(`there is no row ${params.id}`)
    return answer
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post<{ Body: string | null }>('/bare_insert', { schema }, async ({ body }) => {
    const text =
      'insert into bench.written (id, merchant_id, name, amount, created_at) values ($1, $2, $3, $4, $5)'
    lastId += 1
    await pool.query({ name: 'insert', text, values: [lastId, 1, body ?? 'a name', 12_345, new Date()] })
    return answer
  })
}

async function makeTables(): Promise<void> {
  const columns =
    'id bigint primary key, merchant_id bigint, name text, amount bigint, created_at timestamptz'
  await pool.query('drop schema if exists bench cascade')
  await pool.query('create schema bench')
  await pool.query(`create table bench.read (${columns})`)
  await pool.query(`create table bench.written (${columns})`)
  await pool.query(
    'insert into bench.read select id, 1, $1, 12345, now() from generate_series(0, $2::int - 1) as id',
    ['a name', rowsToSelect],
  )
  await pool.query('analyze bench.read')
}

/** JSON Schema that matches a sample. */
function schemaOf(sample: unknown): object {
  if (sample === null) return { type: 'null' }
  if (Array.isArray(sample)) return { type: 'array', items: sample.length > 0 ? schemaOf(sample[0]) : {} }
  if (typeof sample !== 'object') return { type: Number.isInteger(sample) ? 'integer' : typeof sample }
  const properties = Object.entries(sample).map(([name, value]) => [name, schemaOf(value)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
