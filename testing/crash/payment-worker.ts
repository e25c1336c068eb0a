// An instance of the service in a process that kills itself. It works on many payments at the same time, and
// each stops at its own boundary. When the last one has stopped, the process kills itself, and with it all
// payments where they are. A single payment is killed exactly at its boundary.
import { writeSync } from 'node:fs'
import type { HttpClient } from '../../kit/outbound/http-client.ts'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { openLog } from '../../kit/runtime/log.ts'
import { openDatabase } from '../../server/database/pool.ts'
import { outcomeHandlers } from '../../server/manual-settlement/settle-outcome.ts'
import { merchantById } from '../../server/merchants/index.ts'
import { attemptWork } from '../../server/payments/attempts/attempt-work.ts'
import { authorizeAttempt } from '../../server/payments/attempts/authorize-attempt.ts'
import { submitCard } from '../../server/payments/attempts/submit-card.ts'
import { processBankWork } from '../../server/payments/bank-calls/bank-work.ts'
import { startCaptureOrRelease } from '../../server/payments/holds/start-capture-or-release.ts'
import { modificationWork } from '../../server/payments/modifications/modification-work.ts'
import { modificationWithPaymentOf } from '../../server/payments/records/modification.sql.ts'
import { verificationWork } from '../../server/payments/verifications/verification-work.ts'
import { requestRefund } from '../../server/refunds/request-refund.ts'
import { reviewRefundByRules } from '../../server/refunds/review-refund-by-rules.ts'
import type { Services } from '../../server/services.ts'
import { TestClock } from '../harness/clock.ts'
import { newInstance } from '../harness/new-instance.ts'
import { testProof, testSubmission } from '../harness/payer.ts'
import { retryingSql } from '../harness/sql.ts'
import { gatedHttp, gatedSql } from './boundaries.ts'
import type { AdvanceClock, WorkerInput, WorkerJob, WorkerReport } from './worker-messages.ts'

const { databaseUrl, config, now, merchantId, jobs }: WorkerInput = JSON.parse(process.argv[2] ?? '')
const { log } = openLog({
  level: 'debug',
  format: 'json',
  stream: { write: (line) => writeSync(1, line) },
})
const clock = new TestClock(now)
const sql = retryingSql(openDatabase({ url: databaseUrl }, 10, log).sql)
const merchant = await merchantById(sql, merchantId)
if (!merchant) throw new Error('there is no such merchant')

/** Number of jobs at their boundary, done, or waiting for the bank. */
const counts = { stopped: 0, done: 0, waiting: 0 }
const traces: string[][] = jobs.map(() => [])

const sendReport = (report: WorkerReport) => writeSync(1, `${JSON.stringify(report)}\n`)

function checkCounts(): void {
  const { stopped, done, waiting } = counts
  if (stopped + done + waiting < jobs.length) return
  if (waiting > 0) {
    sendReport({ report: 'waiting', waiting })
    return
  }
  sendReport({ report: 'end', traces })
  process.kill(process.pid, 'SIGKILL')
}

const network = networkHttpClient(clock)
const http: HttpClient = {
  send: async (request) => {
    counts.waiting += 1
    checkCounts()
    try {
      return await network.send(request)
    } finally {
      counts.waiting -= 1
    }
  },
}

function instanceFor({ diesAt }: WorkerJob, index: number): Services {
  const trace = traces[index] ?? []
  const gate = async (boundary: string) => {
    trace.push(boundary)
    if (trace.length - 1 !== diesAt) return
    counts.stopped += 1
    checkCounts()
    await new Promise(() => undefined)
  }
  return newInstance({ config, clock, log }, gatedSql(sql, gate), gatedHttp(http, gate))
}

async function pay(services: Services, paymentId: number, { card }: { card: string }): Promise<void> {
  if (!merchant) throw new Error('there is no such merchant')
  const submission = testSubmission(card, 10_000)
  const submitted = await submitCard(services, merchant, { paymentId }, submission)
  if (submitted.outcome !== 'begun') throw new Error(`the card was not taken: ${submitted.outcome}`)
  await authorizeAttempt(services, merchant, { attemptId: submitted.attempt.id }, testProof)
}

/** Repeats while there is work, at most three times. */
async function processAll(work: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) if (!(await work())) return
}

async function work(services: Services, { work: task, id }: WorkerJob): Promise<unknown> {
  if (!merchant) throw new Error('there is no such merchant')
  const ownedId = { merchantId, id }
  switch (task.kind) {
    case 'pay':
      return pay(services, id, task)
    case 'attempt':
      return processAll(() => processBankWork(services, attemptWork, ownedId))
    case 'modification': {
      const context = await modificationWithPaymentOf(sql, ownedId)
      if (!context) throw new Error('there is no such modification')
      const onOutcome = outcomeHandlers[context.modification.kind]
      return processAll(() => processBankWork(services, modificationWork(onOutcome), ownedId))
    }
    case 'verify':
      return processAll(() => processBankWork(services, verificationWork, ownedId))
    case 'resolve':
      return startCaptureOrRelease(services, merchant, id, { resolution: task.resolution, by: 'a test' })
    case 'request': {
      const { amountMinor } = task
      return requestRefund(services, merchant, { paymentId: id, amountMinor, description: 'a', by: 'a test' })
    }
    case 'review':
      return reviewRefundByRules(services, ownedId)
  }
}

process.on('message', ({ advanceMs }: AdvanceClock) => clock.advance(advanceMs))

await Promise.all(
  jobs.map(async (job, index) => {
    const services = instanceFor(job, index)
    await work(services, job)
    counts.done += 1
    if (counts.done < jobs.length) checkCounts()
  }),
)
sendReport({ report: 'end', traces })
process.exit(0)
