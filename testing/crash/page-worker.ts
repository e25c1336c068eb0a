// The payment page and its background work in a process that kills itself. Each payment has its own instance
// of the service without any cache, and stops at its own boundary. After the command `die`, the process waits
// until every payment has stopped or finished. Then it kills itself, and with it all payments where they are.

import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { openLog } from '../../kit/runtime/log.ts'
import { openDatabase } from '../../server/database/pool.ts'
import { RequestDeadlines } from '../../server/database/request-deadlines.ts'
import { pageApp } from '../../server/page.ts'
import { decodePageToken } from '../../server/payments/addresses/page-address.ts'
import { openReturnToken } from '../../server/payments/addresses/return-token.ts'
import type { Services } from '../../server/services.ts'
import { processAuthentication } from '../../server/three-ds/process-due-authentications.ts'
import { TestClock } from '../harness/clock.ts'
import { newInstance } from '../harness/new-instance.ts'
import { retryingSql } from '../harness/sql.ts'
import { gatedHttp, gatedSql, queryKindAndTable } from './boundaries.ts'
import type { PageWorkerCommand, PageWorkerInput, PageWorkerReport } from './page-worker-messages.ts'

const sendReport = (report: PageWorkerReport) => new Promise((resolve) => process.send?.(report, resolve))
const forEver = new Promise<never>(() => undefined)

/** One payment with its instance and its boundaries. */
class PaymentCourse {
  readonly boundaries: string[] = []
  readonly stopped = Promise.withResolvers<void>()
  readonly services: Services
  /** Background processing of the payment, without a request. */
  processed = Promise.resolve()
  #isStopped = false
  readonly #counts = new Map<string, number>()
  readonly #id: string
  readonly #stopsAt: string | null

  constructor(id: string, stopsAt: string | null, services: Services) {
    this.#id = id
    this.#stopsAt = stopsAt
    const { sql, http } = services
    const gate = (what: string) => this.#pass(what)
    this.services = newInstance(services, gatedSql(sql, gate, queryKindAndTable), gatedHttp(http, gate))
  }

  /**
   * Reads are no boundaries: a kill before or after one leaves the same state. A stopped payment still reads
   * nothing.
   */
  async #pass(what: string): Promise<void> {
    if (this.#isStopped) await forEver
    if (what.endsWith(' look')) return
    const count = (this.#counts.get(what) ?? 0) + 1
    this.#counts.set(what, count)
    const boundary = `${what} ${count}`
    this.boundaries.push(boundary)
    if (boundary !== this.#stopsAt) return
    this.#isStopped = true
    this.stopped.resolve()
    void sendReport({ report: 'stopped', id: this.#id })
    await forEver
  }
}

const courses = new Map<string, PaymentCourse>()
const current = new AsyncLocalStorage<Services>()

async function serve({ databaseUrl, config, now, stops }: PageWorkerInput): Promise<TestClock> {
  const { log } = openLog({
    level: 'debug',
    format: 'json',
    stream: { write: (line) => writeSync(1, line) },
  })
  const clock = new TestClock(now)
  const sql = retryingSql(openDatabase({ url: databaseUrl }, 10, log).sql)
  const services = newInstance({ config, clock, log }, sql, networkHttpClient(clock))
  for (const [id, stopsAt] of Object.entries(stops)) courses.set(id, new PaymentCourse(id, stopsAt, services))
  // Each request is served by the instance of its payment.
  const ofCurrent = new Proxy(services, {
    get: (own, name) => Reflect.get(current.getStore() ?? own, name),
  })
  const pages = pageApp(ofCurrent, {
    readiness: async () => undefined,
    isClosing: () => false,
    deadlines: new RequestDeadlines('page', services),
  })
  pages.addHook('preHandler', (request, _reply, done) => {
    const course = courses.get(paymentIn(services, request.url))
    if (!course) throw new Error('somebody comes to a payment that is not ours')
    current.run(course.services, done)
  })
  await sendReport({ report: 'serving', address: await pages.listen({ port: 0, host: '127.0.0.1' }) })
  return clock
}

const shapes =
  /^\/(?:p\/(?<token>[\w-]+)|(?:3ds\/)?(?<purpose>method|challenge|results|return)\/(?<returnToken>[\w.-]+))/

function paymentIn(services: Services, url: string): string {
  const { token = '', purpose = '', returnToken = '' } = shapes.exec(url)?.groups ?? {}
  const isReturn =
    purpose === 'method' || purpose === 'challenge' || purpose === 'results' || purpose === 'return'
  const page = isReturn ? openReturnToken(services, purpose, returnToken)?.token : decodePageToken(token)
  return String(page?.id)
}

function processAuthentications(
  attempts: Extract<PageWorkerCommand, { command: 'process' }>['attempts'],
): void {
  for (const [id, ownedId] of Object.entries(attempts)) {
    const course = courses.get(id)
    if (course) course.processed = processAuthentication(course.services, ownedId)
  }
}

async function die(): Promise<void> {
  const all = [...courses.values()]
  const isDone = ({ processed, services }: PaymentCourse) => processed.then(() => services.tasks.drain())
  await Promise.all(all.map((course) => Promise.race([course.stopped.promise, isDone(course)])))
  await sendReport({ report: 'end', boundaries: all.map((course) => course.boundaries) })
  process.kill(process.pid, 'SIGKILL')
}

let serving: Promise<TestClock> | undefined
process.on('message', async (message: PageWorkerCommand) => {
  if (message.command === 'serve') serving = serve(message.input)
  const clock = await serving
  if (message.command === 'advance') clock?.advance(message.ms)
  if (message.command === 'process') processAuthentications(message.attempts)
  if (message.command === 'die') await die()
})
