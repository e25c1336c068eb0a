import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { posByConnector, seedDueModifications } from '../../../testing/seed/modifications.ts'
import { processDueInLanes } from '../../../testing/till/process-due.ts'
import { testTill } from '../../../testing/till/till.ts'
import { dueModificationQueue } from './modification-work.ts'

const minuteMs = 60_000

it('a modification whose processing fails is postponed, and later needs manual review too', async () => {
  const till = await testTill()
  const { services, clock } = till
  const [posId = 0] = (await posByConnector(till)).values()
  const [paymentId] = await seedDueModifications(till, 'capture', { posId, fault: null, count: 1 })
  const broken = dueModificationQueue(['capture'], async () => {
    throw new Error('a bug')
  })
  const readDueState = () =>
    services.sql.one<{
      state: string
      dueAt: Date
      needsReviewAt: Date | null
    }>(sql`select state, due_at as "dueAt",
      needs_review_at as "needsReviewAt" from modifications where payment_id = ${paymentId}`)
  assert.equal(await processDueInLanes(services, broken), 0)
  const first = await readDueState()
  assert.deepEqual([first.state, first.needsReviewAt], ['doing', null])
  assert.ok(first.dueAt > clock.now())
  clock.advance(61 * minuteMs)
  assert.equal(await processDueInLanes(services, broken), 0)
  const later = await readDueState()
  assert.deepEqual([later.state, later.needsReviewAt], ['doing', clock.now()])
  assert.ok(till.lines.some((line) => line.includes('processing a due item failed; will retry')))
  assert.equal(await processDueInLanes(services, broken), 0)
  clock.advance(minuteMs)
  assert.equal(await processDueInLanes(services, broken), 0)
  const warnings = till.lines.filter((line) => line.includes('a modification is still unsettled'))
  assert.equal(warnings.length, 1, 'the log reports the review once')
})
