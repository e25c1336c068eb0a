import { sql } from '../../kit/runtime/sql.ts'
import type { Environment } from '../../server/config.ts'
import type { Database } from '../../server/database/pool.ts'
import type { AuthorizationRequestResult } from '../../server/payments/attempts/authorize-attempt.ts'
import { authorizeAttempt } from '../../server/payments/attempts/authorize-attempt.ts'
import type { CardSubmission, CardSubmissionResult } from '../../server/payments/attempts/submit-card.ts'
import { submitCard } from '../../server/payments/attempts/submit-card.ts'
import { processPaymentDeadlines } from '../../server/payments/deadlines/process-payment-deadlines.ts'
import { repairPaymentDueTimes } from '../../server/payments/index.ts'
import { demoPoses, ensureDemoPos } from '../../server/pos/demo-pos.ts'
import { reviewDueRefunds } from '../../server/refunds/index.ts'
import type { Services } from '../../server/services.ts'
import type { TestApi } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import { tokensOf } from '../harness/backend.ts'
import type { TestBank } from '../harness/bank.ts'
import { testBank } from '../harness/bank.ts'
import { watchForCards } from '../harness/card-search.ts'
import type { TestClock } from '../harness/clock.ts'
import { isFullTestRun } from '../harness/environment.ts'
import { testProofOf, testSubmission } from '../harness/payer.ts'
import {
  processDueAttempts,
  processDueCapturesAndReleases,
  processDueRefunds,
  processDueVerifications,
} from './process-due.ts'

/** The service with a merchant that can take payments, and the sandbox bank, both on the same clock. */
export interface Till extends TestApi {
  bank: TestBank
  /** Starts a payment; returns its id. */
  start(form?: string): Promise<number>
  submit(
    paymentId: number,
    pan: string,
    more?: { installment?: number; charged?: number } & Partial<Pick<CardSubmission, 'name' | 'payer'>>,
  ): Promise<CardSubmissionResult>
  /** Submits the card, and authorizes it with a proof of authentication. */
  pay(paymentId: number, pan: string): Promise<AuthorizationRequestResult>
  authorize(attemptId: number): Promise<AuthorizationRequestResult>
  /** The payment as the merchant reads it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
  result(paymentId: number): Promise<any>
  /** Passes time only until this work is done. */
  passUntil<Result>(work: Promise<Result>): Promise<Result>
  /** Passes time, and processes everything that becomes due. */
  pass(ms: number): Promise<void>
}

export async function testTill(
  options: {
    env?: Environment
    database?: Database & { url: string }
    live?: boolean
    clock?: TestClock
    /** Database of the bank; by default that of the service. */
    bankDatabase?: Pick<Database, 'sql'>
    /** True if one of the merchant's POS uses the bank's page, as for the demo merchant. */
    withBankPage?: boolean
  } = {},
): Promise<Till> {
  const api = await testApi({
    ...options,
    env: { RATE_LIMIT_PER_SECOND: '0', PAGE_RATE_LIMIT_PER_SECOND: '0', ...options.env },
  })
  const { services, clock, merchant } = api
  const { sql: bankSql } = options.bankDatabase ?? services
  const bank = await testBank({ sql: bankSql, clock, log: services.log })
  services.config = { ...services.config, sandboxUrl: bank.address }
  watchForCards(api)
  // By default both POS use the connector that needs no browser.
  const withoutBankPage = demoPoses.map((demo) => ({ ...demo, connector: 'sandbox' }))
  await ensureDemoPos(services, merchant, options.withBankPage ? demoPoses : withoutBankPage)
  const authorize = async (attemptId: number) => {
    const { charged, currency } = await services.sql.one<{ charged: number; currency: string }>(
      sql`select charged, currency from payment_attempts where id = ${attemptId}`,
    )
    return authorizeAttempt(services, merchant, { attemptId }, testProofOf(charged, currency))
  }
  const submit: Till['submit'] = async (paymentId, pan, { charged, ...more } = {}) =>
    submitCard(
      services,
      merchant,
      { paymentId },
      { ...testSubmission(pan, charged ?? (await amountOf(api, paymentId))), ...more },
    )
  const token = tokensOf(api)
  return {
    ...api,
    bank,
    start: async (form = 'amount=10000&currency=TRY') => {
      const answer = await api.call({
        method: 'POST',
        url: '/v1/payment/3ds',
        token: await token(),
        form,
      })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.json.data.transaction_id
    },
    submit,
    authorize,
    pay: async (paymentId, pan) => {
      const submitted = await submit(paymentId, pan)
      if (submitted.outcome !== 'begun') throw new Error(`the card was not taken: ${submitted.outcome}`)
      return authorize(submitted.attempt.id)
    },
    result: async (paymentId) => {
      const url = `/v1/transaction/${paymentId}`
      return (await api.call({ url, token: await token() })).json
    },
    passUntil: async (work) => {
      const isDone = work.then(() => true)
      while (!(await Promise.race([isDone, clock.asleep(2).then(() => false)]))) clock.advance(15_000)
      return work
    },
    pass: async (ms) => {
      const end = clock.now().getTime() + ms
      for (;;) {
        while (await processDueOnce(services));
        const now = clock.now().getTime()
        if (now >= end) {
          const tooFar = await repairPaymentDueTimes(services)
          if (tooFar > 0) throw new Error(`${tooFar} due times are further ahead than they can be`)
          return
        }
        const next = await nextDue(services)
        clock.advance(Math.min(end, Math.max(now + 1, next?.getTime() ?? end)) - now)
      }
    },
  }
}

/** Processors of due work. */
const dueProcessors = [
  processPaymentDeadlines,
  processDueAttempts,
  processDueCapturesAndReleases,
  reviewDueRefunds,
  processDueRefunds,
  processDueVerifications,
]

/** Runs each processor once; true if any had work. `npm test` runs them in turn, on a single connection. */
async function processDueOnce(services: Services): Promise<boolean> {
  const counts: number[] = []
  // All at the same time, as in the service.
  if (isFullTestRun())
    counts.push(...(await Promise.all(dueProcessors.map((processDue) => processDue(services)))))
  else for (const processDue of dueProcessors) counts.push(await processDue(services))
  return counts.some((count) => count > 0)
}

async function amountOf({ services }: TestApi, paymentId: number): Promise<number> {
  const { amount } = await services.sql.one<{ amount: number }>(
    sql`select amount from payments where id = ${paymentId}`,
  )
  return amount
}

async function nextDue({ sql: database, config }: Services): Promise<Date | null> {
  const { verificationsPerSecond: perSecond } = config
  const { at } = await database.one<{
    at: Date | null
  }>(sql`select least((select min(due_at) from payments),
    (select min(due_at) from payment_attempts), (select min(due_at) from modifications), (select min(due_at) from refunds),
    (select min(greatest(v.due_at, p.paused_until, case when p.inquiries >= ${perSecond} then p.second + interval '1 second' end))
      from verifications v
      join inquiry_limits p on p.merchant_id = v.merchant_id and p.pos_id = v.pos_id
      where v.due_at is not null)) as at`)
  return at
}
