import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { raw, sql } from '../../../kit/runtime/sql.ts'
import type { TestCard } from '../../../sandbox/index.ts'
import { cards } from '../../../sandbox/index.ts'
import {
  assertBoundariesCovered,
  assertConsistent,
  assertKilled,
  boundariesAround,
  countKills,
  integersFromTo,
  jobPerBoundary,
  killAtEveryBoundary,
  parallelWorkers,
  runInShares,
  slowBankHandler,
} from '../../../testing/crash/kills.ts'
import type { KilledWorker } from '../../../testing/crash/run-payment-worker.ts'
import { runPaymentWorker } from '../../../testing/crash/run-payment-worker.ts'
import type { WorkerTask } from '../../../testing/crash/worker-messages.ts'
import { noBoundary } from '../../../testing/crash/worker-messages.ts'
import type { Till } from '../../../testing/till/till.ts'
import { testTill } from '../../../testing/till/till.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs

const approves = cardWhere(({ declines, fault }) => !declines && !fault)
const declines = cardWhere((card) => card.declines !== undefined)
const faults = cards.filter(({ fault }) => fault !== undefined && fault.modificationFault === undefined)

/** More jobs than boundaries: the last jobs survive, which proves that every boundary was reached. */
const enough = { ofAttempt: 29, ofFollowUp: 35 }

/** Boundaries at which attempts must have been killed. */
const ofAttempt = boundariesAround('begin', 'call sale', 'finish')

/** The first instance of an hour makes the hour key in a transaction; later ones find it. */
const aroundHourKey = { before: 'before transaction', after: 'after transaction' }

it('a process that is killed at any boundary up to its first sealed card leaves a consistent state', async (t) => {
  // Parallel workers have separate databases, so that none finds another's hour key.
  const tills = await Promise.all(Array.from({ length: parallelWorkers }, () => testTill()))
  const [first] = tills
  assert.ok(first)
  const alive = await payWithoutHourKey(t, first, [noBoundary])
  assert.deepEqual([alive.signal, alive.code], [null, 0], alive.output.join('\n'))
  const whole = alive.traces[0] ?? []
  const [last, made] = [whole.indexOf(aroundHourKey.before), whole.indexOf(aroundHourKey.after)]
  const sealed = whole.indexOf('after change', made)
  assert.ok(0 < last && last < made && made < sealed)
  const killed = new Map(tills.map((till) => [till, [] as KilledWorker[]]))
  const killAt = async (till: Till, boundaries: number[]) => {
    const dead = await payWithoutHourKey(t, till, boundaries)
    assertKilled(dead, whole, boundaries)
    killed.get(till)?.push(dead)
  }
  // Payments run together until one makes the hour key, because that one blocks the others.
  await killAt(first, integersFromTo(0, last))
  const left = integersFromTo(last + 1, sealed)
  const alone = left.length
  await Promise.all(
    tills.map(async (till) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await killAt(till, [next])
    }),
  )
  t.diagnostic(`${last + 1 + alone} kills, ${alone} of them of a process of its own`)
  for (const [till, dead] of killed) await assertConsistent(till, dead)
})

it('a kill at any boundary of the attempt leaves a consistent state, for every bank fault', async (t) => {
  const till = await testTill()
  await till.pay(await till.start(), approves.number)
  const isSlow = ({ fault }: TestCard) => typeof fault?.answer === 'object'
  const all = [approves, declines, ...faults]
  const jobsWith = async (card: TestCard) => {
    const ids = await Promise.all(Array.from({ length: enough.ofAttempt }, () => till.start()))
    return jobPerBoundary({ kind: 'pay', card: card.number }, ids)
  }
  const killed = await runInShares(
    all.filter((card) => !isSlow(card)),
    async (share) => killAtEveryBoundary(t, till, await Promise.all(share.map(jobsWith))),
  )
  for (const card of all.filter(isSlow))
    killed.push(
      await killAtEveryBoundary(t, till, [await jobsWith(card)], slowBankHandler(till, card.fault?.answer)),
    )
  assertBoundariesCovered(killed, ofAttempt)
  t.diagnostic(`${all.length} cards, ${countKills(killed)} kills`)
  await assertConsistent(till, killed)
})

it('a kill at any boundary of the inquiries and reversals leaves a consistent state, for every bank fault', async (t) => {
  const till = await testTill()
  const due = new Map<TestCard, number[]>()
  // Late charges take the same path as the first fault.
  const names = [
    'lost',
    'void-settled',
    'void-lost',
    'stuck',
    'lost-undone',
    'void-fails-once',
    'other-amount',
  ]
  for (const card of faults.filter(({ fault }) => names.includes(fault?.name ?? ''))) {
    due.set(card, await attemptsWith(till, card))
  }
  till.clock.advance(hourMs)
  const killed = await runInShares([...due.values()], (share) =>
    killAtEveryBoundary(
      t,
      till,
      share.map((ids) => jobPerBoundary({ kind: 'attempt' }, ids)),
    ),
  )
  assertBoundariesCovered(
    killed,
    boundariesAround('begin', 'call status', 'call void', 'call refund', 'finish'),
  )
  t.diagnostic(`${due.size} cards, ${countKills(killed)} kills`)
  await assertConsistent(till, killed)
})

it('a kill at any boundary of the second reversal of a late charge leaves a consistent state', async (t) => {
  const till = await testTill()
  const veryLate = cardWhere(({ fault }) => fault?.name === 'very-late')
  const ids = await attemptsWith(till, veryLate)
  await till.pass(hourMs)
  till.clock.advance(hourMs + minuteMs)
  const killed = await killAtEveryBoundary(t, till, [jobPerBoundary({ kind: 'attempt' }, ids)])
  assertBoundariesCovered([killed], ['before call status', 'before call void', 'after call void'])
  t.diagnostic(`${countKills([killed])} kills`)
  await assertConsistent(till, [killed])
})

/** Runs payments up to these boundaries in one process that finds no hour key. */
async function payWithoutHourKey(t: TestContext, till: Till, boundaries: number[]): Promise<KilledWorker> {
  for (const table of ['even', 'odd'])
    await till.services.sql.run(sql`delete from ${raw(`card_hour_keys_${table}`)}`)
  const work: WorkerTask = { kind: 'pay', card: approves.number }
  const ids = await Promise.all(boundaries.map(() => till.start()))
  return runPaymentWorker(
    t,
    till,
    ids.map((id, index) => ({ work, id, diesAt: boundaries[index] ?? noBoundary })),
  )
}

function cardWhere(is: (card: TestCard) => boolean): TestCard {
  const card = cards.find(is)
  if (!card) throw new Error('there is no such card')
  return card
}

/** Attempts for which the bank was asked, with this card. */
function attemptsWith(till: Till, { number }: TestCard): Promise<number[]> {
  return Promise.all(
    Array.from({ length: enough.ofFollowUp }, async () => {
      const { context } = await till.pay(await till.start(), number)
      return context?.attempt.id ?? 0
    }),
  )
}
