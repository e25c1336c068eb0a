import { it } from 'node:test'
import {
  assertBoundariesCovered,
  assertConsistent,
  boundariesAround,
  countKills,
  jobPerBoundary,
  killAtEveryBoundary,
  runInShares,
} from '../../testing/crash/kills.ts'
import type { WorkerTask } from '../../testing/crash/worker-messages.ts'
import { seedCharges } from '../../testing/seed/charges.ts'
import type { ModificationCase } from '../../testing/seed/modifications.ts'
import {
  modificationCases,
  modificationFaults,
  modificationIdsOf,
  posByConnector,
  seedDueModifications,
} from '../../testing/seed/modifications.ts'
import { processDueCapturesAndReleases, processDueRefunds } from '../../testing/till/process-due.ts'
import type { Till } from '../../testing/till/till.ts'
import { testTill } from '../../testing/till/till.ts'
import { requestRefund } from './request-refund.ts'

const minuteMs = 60 * 1000

/**
 * Processes to start: more than there are boundaries, so the last ones survive and every boundary was
 * reached.
 */
const enough = { ofModification: 36, ofReview: 36, ofRequest: 16 }

/** Faults that leave an unknown outcome after the first call. */
const unknown = ['modification-lost', 'modification-lost-undone', 'modification-late', 'modification-silent']
/** Slow faults are left out: each takes the path of an immediate or of a lost response. */
const quick = modificationFaults.filter((fault) => typeof fault?.modificationFault?.answer !== 'object')

/** Limit of jobs in one process, because a killed process reports about all of them. */
const maxInOne = 4

interface Case {
  modificationCase: ModificationCase
  posId: number
  fault: (typeof modificationFaults)[number]
}

/** One modification for each possible boundary, each of a separate payment. */
async function modificationsFor(till: Till, cases: readonly Case[]): Promise<number[][]> {
  const payments: number[][] = []
  for (const { modificationCase, posId, fault } of cases)
    payments.push(
      await seedDueModifications(till, modificationCase, {
        posId,
        fault: fault?.name ?? null,
        count: enough.ofModification,
      }),
    )
  const modifications = await modificationIdsOf(till, payments.flat())
  return payments.map((ids, index) =>
    modifications.slice(index * enough.ofModification, index * enough.ofModification + ids.length),
  )
}

async function casesOf(till: Till, of: typeof modificationFaults): Promise<Case[]> {
  const posIds = [...(await posByConnector(till)).values()]
  return posIds.flatMap((posId) =>
    of.flatMap((fault) => modificationCases.map((modificationCase) => ({ modificationCase, posId, fault }))),
  )
}

it('for every bank fault, a kill at any boundary of a modification leaves everything consistent', async (t) => {
  const till = await testTill({ withBankPage: true })
  const cases = await casesOf(till, quick)
  const groups = await modificationsFor(till, cases)
  const killed = await runInShares(
    groups,
    (share) =>
      killAtEveryBoundary(
        t,
        till,
        share.map((ids) => jobPerBoundary({ kind: 'modification' }, ids)),
      ),
    maxInOne,
  )
  assertBoundariesCovered(
    killed,
    boundariesAround('begin', 'call capture', 'call void', 'call refund', 'call api', 'finish'),
  )
  t.diagnostic(`${quick.length} cards, ${countKills(killed)} kills`)
  await assertConsistent(till, killed)
})

it('a kill at any boundary of a retry or an inquiry leaves everything consistent', async (t) => {
  const till = await testTill({ withBankPage: true })
  const unsettled = modificationFaults.filter((fault) => unknown.includes(fault?.name ?? ''))
  const groups = await modificationsFor(till, await casesOf(till, unsettled))
  while ((await processDueCapturesAndReleases(till.services)) + (await processDueRefunds(till.services)) > 0);
  till.clock.advance(minuteMs)
  const killed = await runInShares(
    groups,
    (share) =>
      killAtEveryBoundary(
        t,
        till,
        share.map((ids) => jobPerBoundary({ kind: 'modification' }, ids)),
      ),
    maxInOne,
  )
  assertBoundariesCovered(killed, boundariesAround('begin', 'call status', 'call api', 'finish'))
  t.diagnostic(`${unsettled.length} cards, ${countKills(killed)} kills`)
  await assertConsistent(till, killed)
})

it('a kill at any boundary of resolving, requesting a refund and reviewing it leaves everything consistent', async (t) => {
  const till = await testTill({ withBankPage: true })
  const [posId = 0] = (await posByConnector(till)).values()
  const seeded = (preAuth: boolean, count: number) =>
    seedCharges(till, { posId, preAuth, fault: null, count })
  const works: [WorkerTask, number[]][] = [
    [{ kind: 'resolve', resolution: 'capture' }, await seeded(true, enough.ofRequest)],
    [{ kind: 'resolve', resolution: 'release' }, await seeded(true, enough.ofRequest)],
    [{ kind: 'request', amountMinor: 4_000 }, await seeded(false, enough.ofRequest)],
  ]
  const killed = [
    await killAtEveryBoundary(
      t,
      till,
      works.map(([work, ids]) => jobPerBoundary(work, ids)),
    ),
  ]
  const paymentIds = await seeded(false, enough.ofReview)
  const input = { amountMinor: 4_000, description: 'Deneme', by: 'a test' }
  const refunds = await Promise.all(
    paymentIds.map((paymentId) => requestRefund(till.services, till.merchant, { ...input, paymentId })),
  )
  till.clock.advance(2_000)
  const ids = refunds.map(({ id }) => id)
  killed.push(await killAtEveryBoundary(t, till, [jobPerBoundary({ kind: 'review' }, ids)]))
  assertBoundariesCovered(killed, boundariesAround('change'))
  t.diagnostic(`${countKills(killed)} kills`)
  await assertConsistent(till, killed)
})
