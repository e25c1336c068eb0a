import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { raw, sql } from '../../kit/sql.ts'
import type { TestCard } from '../../sandbox/index.ts'
import { cards } from '../../sandbox/index.ts'
import { findCards } from '../../testing/card-search.ts'
import type { Work } from '../../testing/crash/orders.ts'
import type { Killed } from '../../testing/crash/send-cashier.ts'
import { sendCashier } from '../../testing/crash/send-cashier.ts'
import type { Till } from '../../testing/till.ts'
import { testTill } from '../../testing/till.ts'
import { untruths } from '../../testing/truth.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs

/** As many processes as are worth having at once. */
const atOnce = 3

const approves = cardWhere(({ declines, fault }) => !declines && !fault)
const declines = cardWhere((card) => card.declines !== undefined)
const faults = cards.filter(({ fault }) => fault !== undefined)

/** More than there are boundaries, so that the last ones live: then every boundary was come to. */
const enough = { ofAttempt: 29, ofSequel: 35 }

/** What an attempt must have been killed before and after, or the test proves little. */
const ofAttempt = bothSidesOf('begin', 'call sale', 'finish')

const saltIsMade = 'after transaction'

it('a process that is killed at any boundary up to its first sealed card leaves the truth', async (t) => {
  // Those that run at the same time have a database each, so that none finds what another has made.
  const tills = await Promise.all(Array.from({ length: atOnce }, () => testTill()))
  const killed: Killed[][] = await Promise.all(tills.map((till, lane) => killOneByOne(t, till, lane)))
  const kills = killed.flat().filter(({ signal }) => signal === 'SIGKILL').length
  t.diagnostic(`${kills} kills, each of a process of its own`)
  assertCovered(killed.flat(), ['before change', 'before transaction', saltIsMade])
  for (const [lane, till] of tills.entries()) await assertTruth(till, killed[lane] ?? [])
})

it('however a bank misbehaves, a kill at any boundary of the attempt leaves the truth', async (t) => {
  const till = await testTill()
  await till.pay(await till.start(), approves.number)
  const killed: Killed[] = []
  const isSlow = ({ fault }: TestCard) => typeof fault?.answer === 'object'
  const each = async (card: TestCard) => {
    const ids = await Promise.all(Array.from({ length: enough.ofAttempt }, () => till.start()))
    const work: Work = { kind: 'pay', card: card.number }
    killed.push(await killEverywhere(t, till, { work, ids, whenWaiting: patienceWith(till, card) }))
  }
  const all = [approves, declines, ...faults]
  await inTurns(
    all.filter((card) => !isSlow(card)),
    each,
  )
  for (const card of all.filter(isSlow)) await each(card)
  assertCovered(killed, ofAttempt)
  t.diagnostic(`${killed.length} cards, ${countKills(killed)} kills`)
  await assertTruth(till, killed)
})

it('however a bank misbehaves, a kill at any boundary of what follows leaves the truth', async (t) => {
  const till = await testTill()
  const due = new Map<TestCard, number[]>()
  // Those that come to light late, or soon enough, go the way of the first.
  const names = [
    'lost',
    'lost-undone',
    'void-lost',
    'void-fails-once',
    'void-settled',
    'stuck',
    'other-amount',
  ]
  for (const card of faults.filter(({ fault }) => names.includes(fault?.name ?? ''))) {
    due.set(card, await attemptsWith(till, card))
  }
  till.clock.advance(hourMs)
  const killed: Killed[] = []
  const work: Work = { kind: 'attend' }
  await inTurns([...due.values()], async (ids) => {
    killed.push(await killEverywhere(t, till, { work, ids }))
  })
  assertCovered(killed, bothSidesOf('begin', 'call status', 'call void', 'call refund', 'finish'))
  t.diagnostic(`${killed.length} cards, ${countKills(killed)} kills`)
  await assertTruth(till, killed)
})

it('a kill at any boundary of undoing what a bank took after it was thought undone leaves the truth', async (t) => {
  const till = await testTill()
  const veryLate = cardWhere(({ fault }) => fault?.name === 'very-late')
  const ids = await attemptsWith(till, veryLate)
  await till.pass(hourMs)
  till.clock.advance(hourMs + minuteMs)
  const killed = await killEverywhere(t, till, { work: { kind: 'attend' }, ids })
  assertCovered([killed], ['before call status', 'before call void', 'after call void'])
  t.diagnostic(`${countKills([killed])} kills`)
  await assertTruth(till, [killed])
})

/**
 * A process for every so-manieth boundary, until the salt of the hour is made: the first copy does that, in a
 * transaction, and those that come after it find it. What follows is the same for all, and killed below for many at once.
 */
async function killOneByOne(t: TestContext, till: Till, first: number): Promise<Killed[]> {
  const killed: Killed[] = []
  while (!killed.at(-1)?.traces[0]?.includes(saltIsMade)) {
    for (const table of ['even', 'odd'])
      await till.services.sql.run(sql`delete from ${raw(`card_salts_${table}`)}`)
    const jobs = [{ id: await till.start(), diesAt: first + killed.length * atOnce }]
    killed.push(await sendCashier(t, till, { work: { kind: 'pay', card: approves.number }, jobs }))
  }
  return killed
}

function bothSidesOf(...calls: string[]): string[] {
  return calls.flatMap((call) => [`before ${call}`, `after ${call}`])
}

function cardWhere(is: (card: TestCard) => boolean): TestCard {
  const card = cards.find(is)
  if (!card) throw new Error('there is no such card')
  return card
}

/** Each of these comes to a boundary of its own, the first to the first and so on, and then their process is killed. */
async function killEverywhere(
  t: TestContext,
  till: Till,
  orders: { work: Work; ids: number[]; whenWaiting?: Parameters<typeof sendCashier>[3] },
): Promise<Killed> {
  const jobs = orders.ids.map((id, diesAt) => ({ id, diesAt }))
  const killed = await sendCashier(t, till, { work: orders.work, jobs }, orders.whenWaiting)
  assert.equal(killed.signal, 'SIGKILL', killed.output.join('\n'))
  const whole = killed.traces.at(-1) ?? []
  assert.ok(whole.length > 0 && whole.length < jobs.length, `${whole.length} boundaries of ${jobs.length}`)
  killed.traces.forEach((trace, index) => {
    assert.deepEqual(trace, whole.slice(0, index + 1))
  })
  return killed
}

/** Attempts that the bank was asked for and gave no good answer. */
function attemptsWith(till: Till, { number }: TestCard): Promise<number[]> {
  return Promise.all(
    Array.from({ length: enough.ofSequel }, async () => {
      const { situation } = await till.pay(await till.start(), number)
      return situation?.attempt.id ?? 0
    }),
  )
}

function countKills(killed: readonly Killed[]): number {
  return killed.reduce((sum, { traces }) => sum + (traces.at(-1)?.length ?? 0), 0)
}

/** Lets a bank that takes its time have it; longer than anybody waits only the cashier's time passes. */
function patienceWith(till: Till, { fault }: TestCard): Parameters<typeof sendCashier>[3] {
  const answer = fault?.answer
  if (typeof answer !== 'object') return undefined
  let isFirst = true
  return async (waiting) => {
    if (!isFirst) return { advanceMs: 0 }
    isFirst = false
    await till.clock.asleep(waiting)
    const patienceMs = till.services.config.bankPatienceSeconds * 1000
    if (answer.afterMs < patienceMs) till.clock.advance(answer.afterMs)
    return { advanceMs: Math.min(answer.afterMs, patienceMs) }
  }
}

async function inTurns<Thing>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<void>,
): Promise<void> {
  const left = [...things]
  const worker = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function assertCovered(killed: readonly Killed[], boundaries: readonly string[]): void {
  const reached = new Set(killed.flatMap(({ traces }) => traces.map((trace) => trace.at(-1))))
  assert.deepEqual(
    boundaries.filter((boundary) => !reached.has(boundary)),
    [],
  )
}

/** After more than a day in which another copy goes on. */
async function assertTruth(till: Till, killed: readonly Killed[]): Promise<void> {
  await till.pass(30 * hourMs)
  assert.deepEqual(await untruths(till), [])
  const output = killed.flatMap((each) => each.output)
  assert.deepEqual(await findCards(till.services.sql, output), [])
}
