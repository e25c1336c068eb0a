// Limit of a whole payment: a plain Node server that does as many statements and outbound exchanges as the
// service does for a payment, and nothing else. They are spread evenly over the exchanges of the payments.
//
//   node bare-payment.ts '{"databaseUrl":"…","poolSize":10,"partnerPort":1234}'
//
// The process sends its port to its parent. A `BareWork` sets the work and is answered. The process ends with
// its parent.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { insertOne, makeBareTables, selectOne } from './bare-tables.ts'
import { rowsToSelect } from './limits.ts'

export interface BarePaymentOptions {
  databaseUrl: string
  poolSize: number
  partnerPort: number
}

/** Work of one exchange on average, which need not be whole. */
export interface BareWork {
  /** Prepared SELECTs of one row by its key. */
  reads: number
  /** Prepared INSERTs of one row. Each is a transaction of its own. */
  writes: number
  /** Requests to the partner, on kept connections. */
  outbound: number
  /** Length of a written row, and of a response. */
  rowBytes: number
  answerBytes: number
}

const outboundBody = JSON.stringify({ message: 'x'.repeat(500) })

const { databaseUrl, poolSize, partnerPort }: BarePaymentOptions = JSON.parse(process.argv[2] ?? '')
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize })
const agent = new Agent({ keepAlive: true })
/** Work that the exchanges so far have left over. */
const due = { reads: 0, writes: 0, outbound: 0 }
let work: BareWork = { ...due, rowBytes: 0, answerBytes: 0 }
let [row, answer, lastId] = ['', '', 0]

await makeBareTables(pool)
const server = createServer((incoming, response) => void serve(incoming, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
process.on('message', (next: BareWork) => {
  work = next
  row = 'x'.repeat(Math.round(work.rowBytes))
  answer = JSON.stringify({ text: 'x'.repeat(Math.round(work.answerBytes)) })
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())
process.send?.((server.address() as AddressInfo).port)

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  JSON.parse(await textOf(incoming))
  for (let left = dueNow('reads'); left > 0; left--)
    await selectOne(pool, Math.floor(Math.random() * rowsToSelect))
  for (let left = dueNow('outbound'); left > 0; left--) await askPartner()
  for (let left = dueNow('writes'); left > 0; left--) await insertOne(pool, ++lastId, row)
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
}

/** Takes the whole units of a kind of work that are due, and leaves the fraction to later exchanges. */
function dueNow(kind: keyof typeof due): number {
  due[kind] += work[kind]
  const whole = Math.floor(due[kind])
  due[kind] -= whole
  return whole
}

async function askPartner(): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': outboundBody.length }
  const to = { host: '127.0.0.1', port: partnerPort, method: 'POST', path: '/', agent, headers }
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request(to, (came) => resolve(textOf(came)))
    asked.on('error', reject).end(outboundBody)
  })
  JSON.parse(text)
}

function textOf(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    message.on('data', (part: Buffer) => parts.push(part))
    message.on('end', () => resolve(Buffer.concat(parts).toString()))
    message.on('error', reject)
  })
}
