import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { ChargeSummary } from '../../sandbox/index.ts'
import { nestpayCards } from '../../sandbox/index.ts'
import type { LoadBalancer } from '../../testing/crash/load-balancer.ts'
import { openLoadBalancer } from '../../testing/crash/load-balancer.ts'
import { PayerAtPage } from '../../testing/crash/payer-at-page.ts'
import { startPageWorker } from '../../testing/crash/start-page-worker.ts'
import { findCards } from '../../testing/harness/card-search.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { assertInvariants } from '../../testing/invariants/invariants.ts'
import type { ChallengeReaction } from '../../testing/till/browser.ts'
import type { Checkout } from '../../testing/till/checkout.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import { processDueAuthentications } from './process-due-authentications.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs

/** Number of payers at the same time. */
const atOnce = 16

/** Pause before the sandbox ACS sends a result again. */
const pauseMs = 1_000

/** Delay of results that the sandbox ACS sends after the browser's return. */
const lateMs = 6_000

interface Scenario {
  card: string
  reaction?: ChallengeReaction['reaction']
  isPreAuth?: true
  /** True if a payer who completes every step has paid. */
  pays: boolean
}

/** One payment, the boundary to kill it at, and whether its payer returns. */
interface Course extends Scenario {
  id: number
  payer: PayerAtPage
  stopsAt: string | null
  comesBack: boolean
}

interface House {
  checkout: Checkout
  front: LoadBalancer
}

const byUs: Readonly<Record<string, Scenario>> = {
  'no question': { card: '4000000000002701', pays: true },
  'a question': { card: '4000000000002503', pays: true },
  'a hold after a question': { card: '4000000000002503', isPreAuth: true, pays: true },
  'given up': { card: '4000000000002503', reaction: 'cancel', pays: false },
  'wrong codes': { card: '4000000000002503', reaction: 'wrong codes', pays: false },
  'results that are late': { card: '4000000000003105', pays: true },
  'results that come twice': { card: '4000000000003121', pays: true },
  'an answer that is lost': { card: '4190000000000101', pays: true },
  declined: { card: '4111111111111129', pays: false },
}

/** Changes in order: 3DS Method completed, AReq sent, challenge requested, result stored. */
const changesByUs = [1, 2, 3, 4].map((number) => `change authentications ${number}`)

const byTheBank: Readonly<Record<string, Scenario>> = {
  'no question': { card: '5451030000000018', pays: true },
  'a question': { card: '5451030000000000', pays: true },
  'a hold after a question': { card: '5451030000000000', isPreAuth: true, pays: true },
  'not proven': { card: '5451030000001008', pays: false },
  'an answer that comes twice': { card: '5451030000003012', pays: true },
  'an answer that is lost': { card: '4190000000000101', pays: true },
}

describe('a process that is killed at any boundary leaves consistent data, whether or not the payer comes back', () => {
  it('if our own 3DS Server authenticates the payer', async (t) => {
    const house = await openHouse()
    const reached = await killEverywhere(t, house, byUs)
    assertCovered(reached, [...changesByUs, 'call directory 1', 'call directory 2'])
    assertCovered(reached, ['begin 1', 'call sale 1', 'finish 1'])
    assertCovered(reached, ['call pre-authorization 1'])
  })

  it('if the bank’s page authenticates the payer', async (t) => {
    const house = await openHouse('sandbox-nestpay')
    const reached = await killEverywhere(t, house, byTheBank)
    assertCovered(reached, ['change authentications 1', 'begin 1', 'call api 1', 'finish 1'])
  })
})

/** Kills that leave a due authentication behind: proven, refused, or challenged without a result. */
const left: readonly (Scenario & { stopsAt: string })[] = [
  { ...scenarioOf('a question'), stopsAt: 'before begin 1' },
  { ...scenarioOf('wrong codes'), stopsAt: 'after change authentications 4' },
  { ...scenarioOf('a question'), stopsAt: 'before call directory 2' },
  ...['a hold after a question', 'an answer that is lost', 'declined'].map((name) => ({
    ...scenarioOf(name),
    stopsAt: 'before begin 1',
  })),
]

it('a kill at any boundary of the recovery job leaves consistent data', async (t) => {
  const house = await openHouse()
  const leave = async (ends: readonly (Scenario & { stopsAt: string })[]) => {
    const courses = await inLanes(ends, ({ stopsAt, ...scenario }) =>
      openCourse(house, scenario, { stopsAt, comesBack: false }),
    )
    const { output } = await runUntilKilled(t, house, courses)
    return { courses, output }
  }
  const first = await leave(left)
  const alive = await processUntilKilled(t, house, first.courses, () => null)
  const paths = left.map((end, index) => ({ end, boundaries: alive.boundaries[index] ?? [] }))
  const second = await leave(paths.flatMap(({ end, boundaries }) => boundaries.map(() => end)))
  const stops = paths.flatMap(({ boundaries }) => boundaries)
  const killed = await processUntilKilled(t, house, second.courses, (index) => stops[index] ?? null)
  assert.deepEqual(
    killed.boundaries.map((boundaries) => boundaries.at(-1)),
    stops,
  )
  t.diagnostic(`${left.length} things left, ${stops.length} kills`)
  assertCovered(new Set(stops), ['change authentications 1', 'begin 1', 'call sale 1', 'finish 1'])
  const output = [first, alive, second, killed].flatMap((each) => each.output)
  const courses = [...first.courses, ...second.courses]
  await comeBack(house, courses)
  await assertConsistency(house, courses, output)
})

function scenarioOf(name: string): Scenario {
  const scenario = byUs[name]
  if (!scenario) throw new Error('there is no such scenario')
  return scenario
}

/** Recovers due authentications in a separate process, each up to its boundary, and kills that process. */
async function processUntilKilled(
  t: TestContext,
  { checkout }: House,
  courses: readonly Course[],
  stopOf: (index: number) => string | null,
) {
  const { clock, services } = checkout
  clock.advance(minuteMs)
  const service = await startPageWorker(
    t,
    checkout,
    new Map(courses.map(({ id }, index) => [id, stopOf(index)])),
  )
  const rows = await services.sql.many<{ id: number; merchantId: number; attemptId: number }>(
    sql`select payment_id as id, merchant_id as "merchantId", attempt_id as "attemptId" from authentications`,
  )
  service.processAuthentications(Object.fromEntries(rows.map(({ id, ...ownedId }) => [id, ownedId])))
  const { signal, boundaries } = await service.die()
  assert.equal(signal, 'SIGKILL', service.output().join('\n'))
  return { boundaries, output: service.output() }
}

async function openHouse(connector?: string): Promise<House> {
  const checkout = await testCheckout(connector === undefined ? {} : { connector })
  const front = await openLoadBalancer()
  checkout.services.config = { ...checkout.services.config, pageUrl: front.url }
  // Creates the hour key beforehand: kills during its creation have their own test.
  if (connector === undefined) await checkout.submit(await checkout.start(), '4000000000002503')
  return { checkout, front }
}

/**
 * Kills at each boundary of each scenario. In 'a question' each boundary runs twice: with a payer who returns
 * and one who does not. In other scenarios the two alternate.
 */
async function killEverywhere(
  t: TestContext,
  house: House,
  scenarios: Readonly<Record<string, Scenario>>,
): Promise<Set<string>> {
  const named = Object.entries(scenarios)
  const whole = await Promise.all(
    named.map(([, scenario]) => openCourse(house, scenario, { stopsAt: null, comesBack: false })),
  )
  const alive = await runUntilKilled(t, house, whole)
  const ends = alive.boundaries.flatMap((boundaries, index) => {
    const [name, scenario] = named[index] ?? []
    return boundaries.flatMap((stopsAt, position) =>
      [true, false]
        .filter((comesBack) => name === 'a question' || comesBack === ((position + index) % 2 === 0))
        .map((comesBack) => ({ scenario, stopsAt, comesBack })),
    )
  })
  const courses = await inLanes(ends, ({ scenario, ...end }) => {
    if (!scenario) throw new Error('there is no such scenario')
    return openCourse(house, scenario, end)
  })
  const killed = await runUntilKilled(t, house, courses)
  assert.deepEqual(
    killed.boundaries.map((boundaries) => boundaries.at(-1)),
    courses.map(({ stopsAt }) => stopsAt),
  )
  t.diagnostic(`${named.length} ways to pay, ${courses.length} kills`)
  await comeBack(house, courses)
  await assertConsistency(house, [...whole, ...courses], [...alive.output, ...killed.output])
  return new Set(courses.map(({ stopsAt }) => stopsAt ?? ''))
}

async function openCourse(
  { checkout, front }: House,
  scenario: Scenario,
  end: Pick<Course, 'stopsAt' | 'comesBack'>,
): Promise<Course> {
  const form = `amount=10000&currency=TRY${scenario.isPreAuth ? '&pre_auth=true' : ''}`
  const { id, path } = await checkout.open(form)
  const { card, reaction = 'right code' } = scenario
  return {
    ...scenario,
    ...end,
    id,
    payer: new PayerAtPage(front.url, path, { card, reaction: { reaction } }),
  }
}

/** Lets payers pay at a separate process until each is at its boundary or done, then kills that process. */
async function runUntilKilled(t: TestContext, { checkout, front }: House, courses: readonly Course[]) {
  const { clock, pageUrl } = checkout
  const stops = new Map(courses.map(({ id, stopsAt }) => [id, stopsAt]))
  const service = await startPageWorker(t, checkout, stops)
  front.routeTo(service.address)
  const paying: Promise<void>[] = []
  await inLanes(courses, ({ id, payer }) => {
    const paid = payer.pay()
    paying.push(paid)
    return Promise.race([paid, service.stopped(id)])
  })
  for (const at of [clock, service]) at.advance(lateMs)
  const late = checkout.bank.processDue()
  await Promise.all(courses.map(({ id }) => Promise.race([late, service.stopped(id)])))
  const { signal, boundaries } = await service.die()
  assert.equal(signal, 'SIGKILL', service.output().join('\n'))
  for (const { payer, comesBack } of courses) if (!comesBack) payer.goAway()
  front.routeTo(pageUrl)
  await late
  await passPauses(checkout, paying)
  return { boundaries, output: service.output() }
}

/** Lets the sandbox ACS repeat its results until no payer waits for its page. */
async function passPauses({ clock, settle }: Checkout, paying: readonly Promise<void>[]): Promise<void> {
  const left = new Set(paying)
  for (const paid of paying) void paid.finally(() => left.delete(paid)).catch(() => undefined)
  await settle()
  while (left.size > 0)
    if (
      !(await Promise.race([
        Promise.race(left).then(() => true),
        clock.asleep(left.size, pauseMs).then(() => false),
      ]))
    )
      clock.advance(pauseMs)
  await Promise.all(paying)
  await settle()
}

/** Returning payers return immediately, and try again two minutes later. */
async function comeBack({ checkout }: House, courses: readonly Course[]): Promise<void> {
  const back = courses.filter(({ comesBack }) => comesBack)
  await inLanes(back, ({ payer }) => payer.comeBack())
  for (let minute = 0; minute < 2; minute++) await pass(checkout, minuteMs)
  await inLanes(back, ({ payer }) => payer.tryAgain())
  for (let minute = 0; minute < 20; minute++) await pass(checkout, minuteMs)
}

/** Advances the clock and processes all due work, at the bank and here. */
async function pass(checkout: Checkout, ms: number): Promise<void> {
  await checkout.settle()
  await checkout.pass(ms)
  await checkout.processAuthentications()
  for (let round = 0; (await processDueAuthentications(checkout.services)) > 0; round++)
    assert.ok(round < 100, 'what was processed is not due any more')
}

async function assertConsistency(
  { checkout }: House,
  courses: readonly Course[],
  output: readonly string[],
): Promise<void> {
  await pass(checkout, 30 * hourMs)
  await pass(checkout, hourMs)
  assert.deepEqual(await inconsistencies(checkout), [])
  const book = await checkout.bank.book()
  const unreceived = await recordedButUnreceived(checkout, book)
  const ids = courses.map(({ id }) => id)
  await assertInvariants(checkout.services.sql, book, ids)
  for (const course of courses) {
    const { payment_status_text: status } = await checkout.result(course.id)
    const { card, stopsAt } = course
    assert.ok(fits(course, status, unreceived.has(course.id)), `${card}, stopped ${stopsAt}, is ${status}`)
  }
  assert.deepEqual(await unasked(checkout), [])
  const ofGate = nestpayCards.map(({ number }) => number)
  assert.deepEqual(await findCards(checkout.services.sql, [...output, ...checkout.lines], ofGate), [])
}

/**
 * True if a payment may have this status. A returning payer pays wherever the process was killed, with one
 * exception: a kill between recording the bank call and sending it. The outcome is then unknown, and the page
 * expires before it is resolved.
 */
function fits(
  { pays, comesBack, stopsAt, isPreAuth }: Course,
  status: string,
  isUncertain: boolean,
): boolean {
  const paid = isPreAuth ? 'pre_authorized' : 'success'
  if (!pays) return status !== paid
  const isWhole = stopsAt === null || comesBack
  return isUncertain ? status !== paid : status === paid || !isWhole
}

/** Payments with a recorded bank call that the bank never received. */
async function recordedButUnreceived(
  { services }: Checkout,
  book: readonly ChargeSummary[],
): Promise<Set<number>> {
  const rows = await services.sql.many<{ paymentId: number; reference: string }>(sql`
    select a.payment_id as "paymentId", a.reference from payment_attempts a
    join bank_calls c on c.merchant_id = a.merchant_id and c.attempt_id = a.id
    where c.operation in ('authorize', 'pre_authorize') and c.answered_at is null`)
  const known = new Set(book.map(({ reference }) => reference))
  return new Set(rows.filter(({ reference }) => !known.has(reference)).map(({ paymentId }) => paymentId))
}

/** Proven attempts without a bank call. There must be none, even if the payer does not return. */
async function unasked({ services }: Checkout): Promise<number[]> {
  const rows = await services.sql.many<{ id: number }>(sql`select attempt_id as id from authentications e
    where mode = 'three_ds_server' and state = 'proven' and not exists (select from bank_calls c
      where c.merchant_id = e.merchant_id and c.attempt_id = e.attempt_id)`)
  return rows.map(({ id }) => id)
}

/** Runs the work on `atOnce` things at a time; results keep the order of the things. */
async function inLanes<Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async () => {
    for (let index = next++; index < things.length; index = next++) {
      const thing = things[index]
      if (thing !== undefined) results[index] = await work(thing)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}

function assertCovered(reached: ReadonlySet<string>, operations: readonly string[]): void {
  const boundaries = operations.flatMap((operation) => [`before ${operation}`, `after ${operation}`])
  assert.deepEqual(
    boundaries.filter((boundary) => !reached.has(boundary)),
    [],
  )
}
