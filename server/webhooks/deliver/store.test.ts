import assert from 'node:assert/strict'
import { it } from 'node:test'
import { raw, sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { seedDeliveries, seedEvents, seedWebhook } from '../../../testing/seed/webhook.ts'
import type { BatchingSql } from '../../database/batching-sql.ts'
import {
  claimDueDeliveries,
  deliveryTargetOfWebhook,
  saveDeliveryAttempt,
  webhookIdsWithDueDeliveries,
} from './store.ts'

const api = await testApi()
const { services, merchant, clock } = api
const many = 5_000

/** Seeds many deliveries; returns their ids. */
async function seedMany(webhookId: number, state: 'delivered' | 'pending'): Promise<number[]> {
  const eventIds = await seedEvents(services, merchant, many)
  return seedDeliveries(services, merchant, webhookId, eventIds, state)
}

/** Number of delivery rows that the work reads. The work is rolled back. */
async function readBy(work: (transaction: BatchingSql) => Promise<unknown>): Promise<number> {
  const undone = new Error('undone')
  let count = Number.NaN
  const whole = services.sql.transaction(async (transaction) => {
    await work(transaction)
    const read = sql`select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as count
      from pg_stat_xact_user_tables where relname = 'webhook_deliveries'`
    count = (await transaction.one<{ count: number }>(read)).count
    throw undone
  })
  await assert.rejects(whole, undone)
  return count
}

it('delivering reads only the deliveries that it attempts, however many are delivered or pending', async () => {
  const webhooks = await Promise.all(
    Array.from({ length: 20 }, () => seedWebhook(services, merchant, 'https://shop.example/hook')),
  )
  const [{ id } = assert.fail()] = webhooks
  const now = clock.now()
  const until = new Date(now.getTime() + 20_000)
  const target =
    (await deliveryTargetOfWebhook(services.sql, { merchantId: merchant.id, id }, now)) ?? assert.fail()
  const assertFew = async (waiting: number[]) => {
    const looked = await readBy(async (transaction) => {
      assert.equal((await webhookIdsWithDueDeliveries(transaction, now)).length, Math.min(1, waiting.length))
    })
    const claimed = await readBy((transaction) =>
      claimDueDeliveries(transaction, target, { now, until, limit: 10 }),
    )
    const [first] = waiting
    const kept = await readBy(async (transaction) => {
      if (first !== undefined) await saveDeliveryAttempt(transaction, attemptOf(id, first, now))
    })
    assert.ok(
      Math.max(looked, claimed, kept) < 200,
      `${looked} to look, ${claimed} to claim, ${kept} to keep`,
    )
  }
  await seedMany(id, 'delivered')
  await assertFew([])
  // The planner's statistics now include delivered rows and no pending ones.
  await services.sql.run(raw('analyze webhook_deliveries'))
  const waiting = await seedMany(id, 'pending')
  await assertFew(waiting)
  await services.sql.run(raw('analyze webhook_deliveries'))
  await assertFew(waiting)
})

function attemptOf(webhookId: number, id: number, at: Date): Parameters<typeof saveDeliveryAttempt>[1] {
  const came = { status: 204, fault: null, answer: '', nextAttemptAt: null }
  return {
    ...{ merchantId: merchant.id, id, webhookId, isTest: false, state: 'delivered' },
    ...{ at, beganAt: at, durationMs: 5, ...came },
  }
}
