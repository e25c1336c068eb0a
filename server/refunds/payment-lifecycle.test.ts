import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { Refused } from '../../kit/input/refusals.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { dyingServices, ProcessDied } from '../../testing/faults/dying-services.ts'
import { testSeed } from '../../testing/harness/environment.ts'
import { testProofOf, testSubmission } from '../../testing/harness/payer.ts'
import { bankDifferences } from '../../testing/invariants/bank-differences.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import type { ExpectedPayment } from '../../testing/invariants/expected-payment.ts'
import {
  assertDeadline,
  expectedRefundRefusal,
  isReachable,
} from '../../testing/invariants/expected-payment.ts'
import { assertInvariants } from '../../testing/invariants/invariants.ts'
import {
  anyLifecycleCard,
  approvingCard,
  decliningCard,
  isApprovedCard,
  troubleCards,
} from '../../testing/seed/lifecycle-cards.ts'
import {
  processDueAttempts,
  processDueCapturesAndReleases,
  processDueRefunds,
} from '../../testing/till/process-due.ts'
import { testTill } from '../../testing/till/till.ts'
import type { Merchant } from '../merchants/index.ts'
import { updateMerchant } from '../merchants/store.ts'
import { abandonOrDeclineAttempt } from '../payments/attempts/abandon-or-decline-attempt.ts'
import { authorizeAttempt } from '../payments/attempts/authorize-attempt.ts'
import { submitCard } from '../payments/attempts/submit-card.ts'
import { processPaymentDeadlines } from '../payments/deadlines/process-payment-deadlines.ts'
import { startCaptureOrRelease } from '../payments/holds/start-capture-or-release.ts'
import { paymentById } from '../payments/records/payment.sql.ts'
import type { PaymentState, PreAuthResolution } from '../payments/records/states.ts'
import {
  maxAttempts,
  shownPaymentStatusCodes,
  shownStatusesByState,
  shownTransactionStatusCodes,
} from '../payments/records/states.ts'
import type { Services } from '../services.ts'
import { decideRefund } from './decide-refund.ts'
import { reviewDueRefunds } from './index.ts'
import { requestRefund } from './request-refund.ts'
import { refundById } from './store.ts'

const till = await testTill()
const { services, clock } = till
const minuteMs = 60_000
/** Current settings: some steps change them. */
let merchant: Merchant = till.merchant

type Model = { payments: ExpectedPayment[] }

/** State of each payment at the last check. */
type Seen = Map<number, { state: PaymentState; version: number }>

type Step = fc.AsyncCommand<Model, Seen>
type Run = (payment: ExpectedPayment, all: readonly ExpectedPayment[]) => Promise<void>

const isOpen = ({ state, expiresAtMs }: ExpectedPayment) =>
  ['open', 'authenticating'].includes(state) && clock.now().getTime() < expiresAtMs

/** Step of the model, with the name that a failing run prints. */
function step(name: string, run: (model: Model, seen: Seen) => Promise<void>): Step {
  return {
    check: () => true,
    run: async (model, seen) => {
      await run(model, seen)
      for (const payment of model.payments) await assertExpected(payment, seen)
      const ids = model.payments.map(({ id }) => id)
      await assertInvariants(services.sql, await till.bank.book(), ids)
    },
    toString: () => name,
  }
}

function onPayment(name: string, index: number, run: Run): Step {
  const one = step(`${name} of payment ${index}`, async ({ payments }) => {
    const payment = payments[index % payments.length]
    if (payment) await run(payment, payments)
  })
  return { ...one, check: ({ payments }) => payments.length > 0 }
}

const start = (amount: number, isPreAuth: boolean) =>
  step(`start ${amount}${isPreAuth ? ' as a pre-authorization' : ''}`, async ({ payments }) => {
    const id = await till.start(`amount=${amount}&currency=TRY&pre_auth=${isPreAuth}`)
    const expiresAtMs = clock.now().getTime() + merchant.pageLifetimeMinutes * minuteMs
    const nothing = { attempts: 0, attemptId: 0, card: '', refunded: 0, refund: null, isResolved: false }
    payments.push({ id, state: 'open', amount, isPreAuth, expiresAtMs, ...nothing })
  })

async function submit(by: Services, payment: ExpectedPayment, card: string): Promise<void> {
  const { amountMinor = 0 } = (await paymentById(services.sql, merchant.id, payment.id)) ?? {}
  const submission = testSubmission(card, amountMinor)
  const isLast = payment.state === 'authenticating' && payment.attempts === maxAttempts
  const mayBegin = isOpen(payment) && !isLast
  const submitted = await submitCard(by, merchant, { paymentId: payment.id }, submission)
  assert.equal(submitted.outcome, mayBegin ? 'begun' : 'not_open')
  if (submitted.outcome === 'begun') {
    const { id: attemptId, number: attempts } = submitted.attempt
    Object.assign(payment, { state: 'authenticating', attemptId, attempts, card })
  }
}

const submitStep = (index: number, card: string) =>
  onPayment(`submit ${card}`, index, (payment) => submit(services, payment, card))

async function prove(by: Services, payment: ExpectedPayment): Promise<void> {
  const mayAuthorize = isOpen(payment) && payment.state === 'authenticating'
  const { amountMinor } = (await paymentById(services.sql, merchant.id, payment.id)) ?? {}
  const { attemptId } = payment
  const { outcome } = await authorizeAttempt(by, merchant, { attemptId }, testProofOf(amountMinor))
  assert.equal(outcome, mayAuthorize ? 'asked' : 'not_asked')
  if (!mayAuthorize) return
  if (isApprovedCard(payment.card)) payment.state = payment.isPreAuth ? 'held' : 'paid'
  else if (payment.card === decliningCard)
    payment.state = payment.attempts === maxAttempts ? 'failed' : 'open'
  else payment.state = 'authorizing'
}

const proveStep = (index: number) => onPayment('prove', index, (payment) => prove(services, payment))

const pay = (index: number, card: string) =>
  onPayment(`pay with ${card}`, index, async (payment) => {
    await submit(services, payment, card)
    if (payment.state === 'authenticating') await prove(services, payment)
  })

/** Starts a payment that is paid or held before the next step. */
const buy = (amount: number, isPreAuth: boolean, card: string) =>
  step(`buy for ${amount}${isPreAuth ? ' as a pre-authorization' : ''} with ${card}`, async (model, seen) => {
    await start(amount, isPreAuth).run(model, seen)
    const payment = model.payments.at(-1)
    if (!payment) return
    await submit(services, payment, card)
    await prove(services, payment)
  })

const refuse = (index: number) =>
  onPayment('refuse', index, async (payment) => {
    const ending = { id: payment.attemptId, code: 'N', message: null, isDeclined: true } as const
    const ended = await abandonOrDeclineAttempt(services, merchant, ending)
    assert.equal(ended !== undefined, payment.state === 'authenticating')
    if (!ended) return
    const isLate = clock.now().getTime() >= payment.expiresAtMs
    payment.state = payment.attempts === maxAttempts ? 'failed' : isLate ? 'expired' : 'open'
  })

async function resolve(by: Services, payment: ExpectedPayment, resolution: PreAuthResolution): Promise<void> {
  const { state, isResolved } = payment
  const expected = isResolved ? 'already_resolved' : state === 'held' ? 'resolved' : 'not_held'
  const scheduled = await startCaptureOrRelease(by, merchant, payment.id, { resolution, by: 'model' })
  assert.equal(scheduled, expected)
  if (expected !== 'resolved') return
  payment.state = resolution === 'capture' ? 'capturing' : 'releasing'
  payment.isResolved = true
}

const resolveStep = (index: number, resolution: PreAuthResolution) =>
  onPayment(resolution, index, (payment) => resolve(services, payment, resolution))

async function askForRefund(by: Services, payment: ExpectedPayment, share: number): Promise<void> {
  const requestedMinor = Math.max(1, Math.floor((payment.amount * share) / 100))
  const expected = expectedRefundRefusal(payment, requestedMinor)
  const input = { paymentId: payment.id, amountMinor: requestedMinor, description: 'Model', by: 'model' }
  try {
    const { id } = await requestRefund(by, merchant, input)
    assert.equal(expected, undefined, `${requestedMinor} of payment ${payment.id}`)
    payment.refund = { id, amount: requestedMinor, isApproved: false }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    assert.equal(error.refusal.code, expected)
  }
}

const refundStep = (index: number, share: number) =>
  onPayment(`refund ${share} %`, index, (payment) => askForRefund(services, payment, share))

async function decide(
  by: Services,
  payment: ExpectedPayment,
  verdict: 'approved' | 'rejected',
): Promise<void> {
  if (!payment.refund) return
  const { id, isApproved: isOver } = payment.refund
  const decision = { verdict, by: 'Ayşe Işık', reason: 'Model' }
  const decided = await decideRefund(by, merchant, { merchantId: merchant.id, id }, decision)
  assert.equal(decided?.state, isOver ? undefined : verdict)
  if (isOver) return
  payment.refund = verdict === 'approved' ? { ...payment.refund, isApproved: true } : null
}

const decideStep = (index: number, verdict: 'approved' | 'rejected') =>
  onPayment(verdict, index, (payment) => decide(services, payment, verdict))

/** Processes all due modifications and reviews while the clock stands still. */
async function processDue(by: Services): Promise<void> {
  await Promise.all([processDueCapturesAndReleases(by), processDueRefunds(by), reviewDueRefunds(by)])
}

/**
 * Processes a payment and checks that an approving bank has done everything, unless a killed process still
 * holds a lease.
 */
async function processAndVerify(payment: ExpectedPayment): Promise<void> {
  const isLeft = await isLeasedByDeadProcess(payment)
  await processDue(services)
  const { state, card, isResolved, refund } = payment
  await reload(payment)
  if (card !== approvingCard || isLeft) return
  if (isResolved && state === 'capturing') assert.equal(payment.state, 'paid')
  if (isResolved && state === 'releasing') assert.equal(payment.state, 'failed')
  if (refund?.isApproved) assert.equal(payment.refund, null)
}

/** True if a capture, release or refund is still leased, so no instance calls the bank for it yet. */
async function isLeasedByDeadProcess({ id }: ExpectedPayment): Promise<boolean> {
  const leased = sql`select id from modifications where payment_id = ${id} and due_at > ${clock.now()}`
  return (await services.sql.many(leased)).length > 0
}

const processStep = () =>
  step('banks do what is asked', async ({ payments }) => {
    for (const payment of payments) await processAndVerify(payment)
  })

const setDeadline = (hours: number | null, at: PreAuthResolution) =>
  step(`${at} after ${hours} hours`, async () => {
    merchant = { ...merchant, preAuthDeadlineHours: hours, atPreAuthDeadline: at }
    await updateMerchant(services.sql, merchant)
  })

type Action = 'submit' | 'prove' | 'resolve' | 'refund' | 'approve' | 'processDue'

const actions: Record<Action, (by: Services, payment: ExpectedPayment, card: string) => Promise<void>> = {
  submit,
  prove,
  resolve: (by, payment) => resolve(by, payment, 'capture'),
  refund: (by, payment) => askForRefund(by, payment, 40),
  approve: (by, payment) => decide(by, payment, 'approved'),
  processDue,
}

/** Kills the process of an action at a boundary, then reloads the state. */
const crash = (index: number, boundary: number, what: Action, card: string) =>
  onPayment(`crash at boundary ${boundary} of ${what} ${card}`, index, async (payment, all) => {
    const mortal = dyingServices(services, boundary)
    const { attemptId } = payment
    try {
      await actions[what](mortal, payment, card)
    } catch (error) {
      if (!mortal.isDead() || !(error instanceof ProcessDied)) throw error
    }
    await mortal.ended()
    // Some actions process all payments.
    for (const each of all) await reload(each)
    if (payment.attemptId !== attemptId) payment.card = card
  })

const pass = (minutes: number) =>
  step(`pass ${minutes} minutes`, async ({ payments }) => {
    await till.pass(minutes * minuteMs)
    for (const payment of payments) {
      const wasExpiring = ['open', 'authenticating'].includes(payment.state) && !isOpen(payment)
      await reload(payment)
      if (wasExpiring) assert.match(payment.state, /^(expired|failed)$/)
      await assertDeadline(services, merchant, payment)
    }
  })

/** Both instances process all due work while the clock stands still. */
const twoInstances = () =>
  step('two instances process due work at once', async ({ payments }) => {
    clock.advance(61_000)
    const jobs = [
      processPaymentDeadlines,
      processDueAttempts,
      processDueCapturesAndReleases,
      reviewDueRefunds,
      processDueRefunds,
    ]
    await Promise.all([...jobs, ...jobs].map((job) => job(services)))
    for (const payment of payments) await reload(payment)
  })

async function reload(payment: ExpectedPayment): Promise<void> {
  const now = await paymentById(services.sql, merchant.id, payment.id)
  assert.ok(now)
  const { merchantId, refundId: id } = now
  const open = id === null ? undefined : await refundById(services.sql, { merchantId, id })
  Object.assign(payment, {
    ...{ state: now.state, attempts: now.attemptCount, attemptId: now.attemptId ?? 0 },
    ...{ refunded: now.refundedMinor, isResolved: now.resolvedAt !== null },
    refund: open ? { id: open.id, amount: open.amountMinor, isApproved: open.state === 'approved' } : null,
  })
}

/** Checks after every step: the expected state, a transition of the graph, and what the merchant reads. */
async function assertExpected(payment: ExpectedPayment, seen: Seen): Promise<void> {
  const now = await paymentById(services.sql, merchant.id, payment.id)
  assert.ok(now)
  assert.equal(now.state, payment.state, `payment ${payment.id}`)
  assert.deepEqual([now.refundedMinor, now.refundId], [payment.refunded, payment.refund?.id ?? null])
  const before = seen.get(payment.id) ?? { state: 'open', version: 1 }
  assert.ok(
    isReachable(before.state, now.state, now.version - before.version),
    `${before.state} to ${now.state}`,
  )
  seen.set(payment.id, { state: now.state, version: now.version })
  const result = await till.result(payment.id)
  const { payment: shown, transaction } = shownStatusesByState[now.state]
  assert.deepEqual(
    [
      result.payment_status,
      result.payment_status_text,
      result.transaction_status,
      result.transaction_status_text,
    ],
    [shownPaymentStatusCodes[shown], shown, shownTransactionStatusCodes[transaction], transaction],
  )
  assert.equal(result.end_at === null, transaction === 'pending')
}

const index = fc.nat({ max: 2 })
/** Odd amounts, so that rounding is tested. No part or commission of one equals the code of a test card. */
const someAmount = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 99 }))
  .map(([thousands, odd]) => thousands * 100_000 + odd)
const paid = fc.tuple(index, anyLifecycleCard).map(([at, card]) => pay(at, card))
const started = fc.tuple(someAmount, fc.boolean()).map(([amount, isPreAuth]) => start(amount, isPreAuth))
const crashed = fc
  .tuple(index, fc.nat({ max: 30 }), fc.constantFrom(...(Object.keys(actions) as Action[])), anyLifecycleCard)
  .map(([at, boundary, what, card]) => crash(at, boundary, what, card))

const bought = fc
  .tuple(someAmount, fc.boolean(), fc.constantFrom(approvingCard, approvingCard, ...troubleCards))
  .map(([amount, isPreAuth, card]) => buy(amount, isPreAuth, card))

/**
 * Repeated entries are chosen more often. Time passes in small steps, because otherwise every payment would
 * expire unpaid.
 */
const steps = [
  started,
  bought,
  bought,
  paid,
  paid,
  paid,
  fc.tuple(index, anyLifecycleCard).map(([at, card]) => submitStep(at, card)),
  index.map(proveStep),
  index.map(refuse),
  crashed,
  crashed,
  fc
    .tuple(index, fc.constantFrom('capture' as const, 'release' as const))
    .map(([at, how]) => resolveStep(at, how)),
  fc.tuple(index, fc.constantFrom(30, 60, 100, 100)).map(([at, share]) => refundStep(at, share)),
  fc.tuple(index, fc.constantFrom(30, 60, 100, 100)).map(([at, share]) => refundStep(at, share)),
  fc
    .tuple(index, fc.constantFrom('approved' as const, 'approved' as const, 'rejected' as const))
    .map(([at, verdict]) => decideStep(at, verdict)),
  fc.constant(null).map(processStep),
  fc
    .tuple(fc.constantFrom(null, 1, 2), fc.constantFrom('capture' as const, 'release' as const))
    .map(([hours, at]) => setDeadline(hours, at)),
  fc.constantFrom(1, 1, 1, 1, 5, 5, 16, 31, 90, 200).map(pass),
  fc.constant(null).map(twoInstances),
]

it('any order of payments, declines, lost responses, expiries, resolutions, refunds, decisions and kills keeps the graph, the tables and the invariants', async () => {
  const seed = testSeed() ?? Math.trunc(Number(`0x${services.random.bytes(4).toString('hex')}`))
  process.stdout.write(`TEST_SEED=${seed}\n`)
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
      const model: Model = { payments: [] }
      await fc.asyncModelRun(() => ({ model, real: new Map() }), commands)
      await till.pass(12 * 60 * minuteMs)
      for (const payment of model.payments) {
        await reload(payment)
        assert.ok(shownStatusesByState[payment.state].transaction !== 'pending', `${payment.state} is no end`)
      }
      assert.deepEqual(await bankDifferences(till), [])
    }),
    { seed, numRuns: 200, endOnFailure: false },
  )
  assert.deepEqual(await inconsistencies(till), [])
})
