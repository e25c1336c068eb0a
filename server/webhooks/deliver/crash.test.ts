import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../../kit/runtime/clock.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { dyingServices } from '../../../testing/faults/dying-services.ts'
import type { TestApi } from '../../../testing/harness/api.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { TestClock } from '../../../testing/harness/clock.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { startProcess } from '../../../testing/harness/process.ts'
import { testReceiver } from '../../../testing/harness/receiver.ts'
import { deliveriesOf, seedEvents, seedWebhook } from '../../../testing/seed/webhook.ts'
import { dispatchAndDeliverDue } from '../../../testing/till/process-due.ts'

/** Length of a claim that a killed instance leaves behind. */
const claimOverMs = 20_000

describe('a kill', () => {
  it('at any boundary of delivering loses no event, and each is delivered', async () => {
    const api = await testApi()
    const receiver = await testReceiver()
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    const eventIds: number[] = []
    let isWhole = false
    for (let boundary = 0; !isWhole; boundary++) {
      assert.ok(boundary < 100, 'it never came to its end')
      eventIds.push(...(await seedEvents(api.services, api.merchant, 2)))
      const mortal = dyingServices(newInstance(api.services, api.services.sql), boundary)
      await dispatchAndDeliverDue(mortal).catch(() => undefined)
      isWhole = !mortal.isDead()
      api.clock.advance(claimOverMs)
      await dispatchAndDeliverDue(newInstance(api.services, api.services.sql))
      await assertAllThere(api, id, eventIds)
    }
    // A kill between the response and saving it sends the event twice; nothing sends it a third time.
    const receivedIds = Map.groupBy(receiver.requests, ({ headers }) => Number(headers['webhook-id']))
    assert.deepEqual([...receivedIds.keys()].sort(), eventIds.sort())
    assert.ok([...receivedIds.values()].every(({ length }) => length <= 2))
  })

  it('by SIGKILL, repeatedly, loses none of 600 events', async (t) => {
    const api = await testApi()
    const receiver = await testReceiver()
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    const eventIds = await seedEvents(api.services, api.merchant, 600)
    const words = [process.execPath, 'testing/crash/delivery-worker.ts', api.database.url]
    const secret = api.services.config.secret ?? ''
    // Both start in parallel, which saves one start-up time.
    const workers = [1, 300].map((killedAt) => ({
      killedAt,
      worker: startProcess(t, [...words, secret], {}),
    }))
    for (const { killedAt, worker } of workers) {
      await receiver.waitForRequests(killedAt)
      assert.equal(await worker.end('SIGKILL'), 'SIGKILL')
    }
    const later = new TestClock(new Date(systemClock.now().getTime() + claimOverMs).toISOString())
    await dispatchAndDeliverDue(newInstance({ ...api.services, clock: later }, api.services.sql))
    await assertAllThere(api, id, eventIds)
    const receivedIds = new Set(receiver.requests.map(({ headers }) => Number(headers['webhook-id'])))
    assert.equal(receivedIds.size, eventIds.length)
  })
})

async function assertAllThere(api: TestApi, webhookId: number, eventIds: number[]): Promise<void> {
  const deliveries = await deliveriesOf(api.services, webhookId)
  assert.deepEqual(
    deliveries.map(({ eventId }) => eventId),
    eventIds.toSorted((one, other) => one - other),
  )
  assert.ok(deliveries.every(({ state }) => state === 'delivered'))
  const unplaced = await api.services.sql.many(sql`select from event_positions where position is null`)
  assert.equal(unplaced.length, 0)
}
