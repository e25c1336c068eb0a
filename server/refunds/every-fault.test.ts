import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import type { ModificationCase } from '../../testing/seed/modifications.ts'
import {
  modificationCases,
  modificationFaults,
  posByConnector,
  seedDueModifications,
} from '../../testing/seed/modifications.ts'
import { processDueCapturesAndReleases, processDueRefunds } from '../../testing/till/process-due.ts'
import { testTill } from '../../testing/till/till.ts'

const hourMs = 60 * 60 * 1000

/** Final status of the merchant's payment: after success at the bank, and after a permanent refusal. */
const done: Record<ModificationCase, string> = {
  capture: 'success',
  release: 'failed',
  undo: 'refunded',
  refund: 'refunded',
  part: 'partially_refunded',
}
const refused: Record<ModificationCase, string> = {
  capture: 'failed',
  release: 'pre_authorized',
  undo: 'success',
  refund: 'success',
  part: 'success',
}

const till = await testTill({ withBankPage: true })
const { clock, services } = till

const isSlow = (fault: (typeof modificationFaults)[number]) =>
  typeof fault?.modificationFault?.answer === 'object'

/** Advances the clock only while the slow bank and its caller both sleep. */
async function slowly(work: Promise<unknown>): Promise<void> {
  const isDone = work.then(() => true)
  while (!(await Promise.race([isDone, clock.asleep(3).then(() => false)]))) clock.advance(15_000)
}

for (const [connector, posId] of await posByConnector(till)) {
  // A system error of this bank leaves the outcome unknown, so these cards always end in manual review.
  const isUnsure = connector === 'sandbox-nestpay'
  const expected = (name: string | undefined) => {
    if (name === 'for-good') return refused
    if (name !== 'modification-broken') return done
    return isUnsure ? { ...refused, capture: refused.release } : refused
  }
  // Holds that are never released (failed releases and refused captures), and every unknown outcome.
  const expectedInManualReview = isUnsure ? 2 + modificationCases.length : 4

  it(`for every fault of captures, voids and refunds at ${connector}, each is done once or reported as not done`, async () => {
    const cases: { id: number; modificationCase: ModificationCase; name: string | undefined }[] = []
    for (const fault of modificationFaults.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)))) {
      for (const modificationCase of modificationCases) {
        const [id = 0] = await seedDueModifications(till, modificationCase, {
          posId,
          fault: fault?.name ?? null,
          count: 1,
        })
        cases.push({ id, modificationCase, name: fault?.name })
        if (!isSlow(fault)) continue
        await slowly(Promise.all([processDueCapturesAndReleases(services), processDueRefunds(services)]))
        // The caller has timed out while the bank is still busy. The next run finds the outcome.
        clock.advance(2 * 60_000)
        await Promise.all([processDueCapturesAndReleases(services), processDueRefunds(services)])
      }
    }
    await till.pass(6 * hourMs)
    for (const { id, modificationCase, name } of cases) {
      const { payment_status_text: status } = await till.result(id)
      assert.equal(status, expected(name)[modificationCase], `${name} ${modificationCase}`)
    }
    assert.deepEqual(await inconsistencies(till), [])
    const [{ inManualReview } = { inManualReview: 0 }] = await services.sql.many<{ inManualReview: number }>(
      sql`select count(*)::int as "inManualReview" from modifications where needs_review_at is not null and pos_id = ${posId}`,
    )
    assert.equal(inManualReview, expectedInManualReview)
  })
}
