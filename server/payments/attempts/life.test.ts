import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '../../config.ts'
import { cards } from '../../sandbox/index.ts'
import type { Services } from '../../services.ts'
import { Dead, dying } from '../../testing/dying.ts'
import { assertLaws } from '../../testing/laws.ts'
import { proofOf, testCard, testPage, testPayer } from '../../testing/payer.ts'
import { testTill } from '../../testing/till.ts'
import type { PaymentState } from '../states.ts'
import { edges, mostAttempts, paymentStatuses, statuses, transactionStatuses } from '../states.ts'
import { abandonAttempt } from './abandon-attempt.ts'
import { authorizeAttempt } from './authorize-attempt.ts'
import { paymentById } from './store.ts'
import { submitCard } from './submit-card.ts'
import { attendDue, expireDue } from './sweep.ts'

const till = await testTill()
const { services, merchant, clock } = till
const minuteMs = 60_000

/** A payment as the model has it. What it cannot foretell, because something died or time passed, it looks up. */
interface Foretold {
  id: number
  state: PaymentState
  attempts: number
  attemptId: number
  card: string
  isPreAuth: boolean
  expiresAtMs: number
}

interface Model {
  payments: Foretold[]
}

/** How each payment stood when it was last looked at. */
type Seen = Map<number, { state: PaymentState; version: number }>

type Step = fc.AsyncCommand<Model, Seen>

const approving = '5400360000000003'
const declining = '4111111111111129'
const faulty = cards.filter(({ fault }) => fault?.answer !== undefined || fault?.done !== undefined)
/** Those that answer at once, right or wrong; for the others a clock would have to run beside. */
const unknown = faulty.filter(({ fault }) => typeof fault?.answer === 'string' && fault.name !== 'stuck')
const anyCard = fc.oneof(
  { weight: 1, arbitrary: fc.constant(approving) },
  { weight: 3, arbitrary: fc.constant(declining) },
  { weight: 2, arbitrary: fc.constantFrom(...unknown.map(({ number }) => number)) },
)

const isOpen = ({ state, expiresAtMs }: Foretold) =>
  ['open', 'authenticating'].includes(state) && clock.now().getTime() < expiresAtMs

/** Whose turn it is, in words that a failing run prints. */
function step(name: string, run: (model: Model, seen: Seen) => Promise<void>): Step {
  return {
    check: () => true,
    run: async (model, seen) => {
      await run(model, seen)
      for (const payment of model.payments) await look(payment, seen)
    },
    toString: () => name,
  }
}

function onPayment(name: string, index: number, run: (payment: Foretold) => Promise<void>): Step {
  const one = step(`${name} of payment ${index}`, async ({ payments }) => {
    const payment = payments[index % payments.length]
    if (payment) await run(payment)
  })
  return { ...one, check: ({ payments }) => payments.length > 0 }
}

const start = (amount: number, isPreAuth: boolean) =>
  step(`start ${amount}${isPreAuth ? ' as a pre-authorization' : ''}`, async ({ payments }) => {
    const id = await till.start(`amount=${amount}&currency=TRY&pre_auth=${isPreAuth}`)
    const expiresAtMs = clock.now().getTime() + merchant.pageLifetimeMinutes * minuteMs
    payments.push({ id, state: 'open', attempts: 0, attemptId: 0, card: '', isPreAuth, expiresAtMs })
  })

async function submit(by: Services, payment: Foretold, card: string): Promise<void> {
  const { amountMinor = 0 } = (await paymentById(services.sql, merchant.id, payment.id)) ?? {}
  const submission = {
    name: null,
    card: testCard(card),
    payer: testPayer,
    installment: 1,
    chargedMinor: amountMinor,
    payerAddress: '203.0.113.7',
    language: 'tr' as const,
    page: testPage,
  }
  const isLast = payment.state === 'authenticating' && payment.attempts === mostAttempts
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

async function prove(by: Services, payment: Foretold): Promise<void> {
  const mayBeAsked = isOpen(payment) && payment.state === 'authenticating'
  const { amountMinor } = (await paymentById(services.sql, merchant.id, payment.id)) ?? {}
  const { attemptId } = payment
  const { outcome } = await authorizeAttempt(by, merchant, { attemptId }, proofOf(amountMinor))
  assert.equal(outcome, mayBeAsked ? 'asked' : 'not_asked')
  if (!mayBeAsked) return
  if (payment.card === approving) payment.state = payment.isPreAuth ? 'held' : 'paid'
  else if (payment.card === declining) payment.state = payment.attempts === mostAttempts ? 'failed' : 'open'
  else payment.state = 'authorizing'
}

const proveStep = (index: number) => onPayment('prove', index, (payment) => prove(services, payment))

const pay = (index: number, card: string) =>
  onPayment(`pay with ${card}`, index, async (payment) => {
    await submit(services, payment, card)
    if (payment.state === 'authenticating') await prove(services, payment)
  })

const refuse = (index: number) =>
  onPayment('refuse', index, async (payment) => {
    const ending = { id: payment.attemptId, code: 'N', message: null, isDeclined: true } as const
    const ended = await abandonAttempt(services, merchant, ending)
    assert.equal(ended !== undefined, payment.state === 'authenticating')
    if (!ended) return
    const isLate = clock.now().getTime() >= payment.expiresAtMs
    payment.state = payment.attempts === mostAttempts ? 'failed' : isLate ? 'expired' : 'open'
  })

/** The process that does it is killed at some boundary; what came of it has to be looked up. */
const crash = (index: number, boundary: number, what: 'submit' | 'prove', card: string) =>
  onPayment(`crash at boundary ${boundary} of ${what} ${card}`, index, async (payment) => {
    const mortal = dying(services, boundary)
    const { attemptId } = payment
    try {
      await (what === 'submit' ? submit(mortal, payment, card) : prove(mortal, payment))
    } catch (error) {
      if (!mortal.isDead() || !(error instanceof Dead)) throw error
    }
    await lookUp(payment)
    if (payment.attemptId !== attemptId) payment.card = card
  })

const pass = (minutes: number) =>
  step(`pass ${minutes} minutes`, async ({ payments }) => {
    await till.pass(minutes * minuteMs)
    for (const payment of payments) {
      const wasExpiring = ['open', 'authenticating'].includes(payment.state) && !isOpen(payment)
      await lookUp(payment)
      if (wasExpiring) assert.match(payment.state, /^(expired|failed)$/)
    }
  })

/** Time stands still, and both copies attend to whatever is due. */
const twoCopies = () =>
  step('two copies sweep at once', async ({ payments }) => {
    clock.advance(61_000)
    await Promise.all([expireDue, attendDue, expireDue, attendDue].map((sweep) => sweep(services)))
    for (const payment of payments) await lookUp(payment)
  })

async function lookUp(payment: Foretold): Promise<void> {
  const now = await paymentById(services.sql, merchant.id, payment.id)
  assert.ok(now)
  Object.assign(payment, { state: now.state, attempts: now.attemptCount, attemptId: now.attemptId ?? 0 })
}

/** After every step: as foretold, along the graph, as the tables show it, and within the laws. */
async function look(payment: Foretold, seen: Seen): Promise<void> {
  const now = await paymentById(services.sql, merchant.id, payment.id)
  assert.ok(now)
  assert.equal(now.state, payment.state, `payment ${payment.id}`)
  const before = seen.get(payment.id) ?? { state: 'open', version: 1 }
  assert.ok(isPath(before.state, now.state, now.version - before.version), `${before.state} to ${now.state}`)
  seen.set(payment.id, { state: now.state, version: now.version })
  const result = await till.result(payment.id)
  const { payment: shown, transaction } = statuses[now.state]
  assert.deepEqual(
    [
      result.payment_status,
      result.payment_status_text,
      result.transaction_status,
      result.transaction_status_text,
    ],
    [paymentStatuses[shown], shown, transactionStatuses[transaction], transaction],
  )
  assert.equal(result.end_at === null, transaction === 'pending')
  await assertLaws(services.sql, await till.bank.book(), payment.id)
}

/** Whether there is a way of so many moves. */
function isPath(from: PaymentState, to: PaymentState, moves: number): boolean {
  let reached = new Set([from])
  for (let move = 0; move < moves; move++)
    reached = new Set(edges.filter((edge) => reached.has(edge.from)).map((edge) => edge.to))
  return reached.has(to)
}

const index = fc.nat({ max: 1 })
const paid = fc.tuple(index, anyCard).map(([at, card]) => pay(at, card))
const started = fc
  .tuple(fc.integer({ min: 1_000, max: 1_000_000 }), fc.boolean())
  .map(([amount, isPreAuth]) => start(amount, isPreAuth))
const crashed = fc
  .tuple(index, fc.nat({ max: 14 }), fc.constantFrom('submit' as const, 'prove' as const), anyCard)
  .map(([at, boundary, what, card]) => crash(at, boundary, what, card))

/** As often as they stand here. Time passes slowly, for otherwise everything would expire before it is paid. */
const steps = [
  started,
  paid,
  paid,
  paid,
  fc.tuple(index, anyCard).map(([at, card]) => submitStep(at, card)),
  index.map(proveStep),
  index.map(refuse),
  crashed,
  crashed,
  fc.constantFrom(1, 1, 1, 1, 5, 5, 16, 31, 90, 200).map(pass),
  fc.constant(null).map(twoCopies),
]

it('whatever is done, declined, lost, expired or killed, in whichever order: the graph, the tables and the laws hold', async () => {
  const seed = testSeed() ?? Math.trunc(Number(`0x${services.random.bytes(4).toString('hex')}`))
  process.stdout.write(`TEST_SEED=${seed}\n`)
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
      const model: Model = { payments: [] }
      await fc.asyncModelRun(() => ({ model, real: new Map() }), commands)
      await till.pass(12 * 60 * minuteMs)
      for (const payment of model.payments) {
        await lookUp(payment)
        assert.ok(statuses[payment.state].transaction !== 'pending', `${payment.state} is no end`)
      }
      assert.deepEqual(await till.differences(), [])
    }),
    { seed, numRuns: 60, endOnFailure: false },
  )
})
