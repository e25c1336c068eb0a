import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runAfterPendingIo } from '../../../kit/runtime/clock.ts'
import { DatabaseUnavailable, sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { respondNoContent, respondWith, testReceiver } from '../../../testing/harness/receiver.ts'
import { deliveriesOf, seedEvents, seedWebhook } from '../../../testing/seed/webhook.ts'
import { dispatchAndDeliverDue } from '../../../testing/till/process-due.ts'
import type { BatchingSql } from '../../database/batching-sql.ts'
import type { EventKind } from '../../events/index.ts'
import { positionAndDispatchEvents } from './dispatch.ts'
import { attemptConcurrencyLimits, Lanes } from './lanes.ts'
import { webhookIdsWithDueDeliveries } from './store.ts'

const api = await testApi()

/** Number of claimed deliveries of these webhooks, as every instance sees it. */
async function claimedOf(...ids: number[]): Promise<number> {
  const claimed = await api.services.sql.many(sql`select from webhook_deliveries
    where webhook_id = any(${ids}::bigint[]) and due_at > ${api.clock.now()} and attempt_count = 0`)
  return claimed.length
}

/** The database with some methods replaced. */
function databaseWith(otherwise: Partial<BatchingSql>): BatchingSql {
  return new Proxy(api.services.sql, {
    get: (whole, name) => Reflect.get(otherwise, name) ?? Reflect.get(whole, name).bind(whole),
  })
}

describe('lanes', () => {
  it('keep the attempts for a webhook within its width, and deliver everything in the end', async () => {
    const receiver = await testReceiver(() => undefined)
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url, {
      events: ['payment.failed'],
    })
    await seedEvents(api.services, api.merchant, 3 * attemptConcurrencyLimits.usual, 'payment.failed')
    await positionAndDispatchEvents(api.services)
    const lanes = new Lanes(api.services, new AbortController().signal)
    const open: (() => void)[] = []
    receiver.answer = (response) => open.push(() => response.writeHead(204).end())
    await lanes.processDue()
    await receiver.waitForRequests(attemptConcurrencyLimits.usual)
    // Further calls claim nothing more.
    await lanes.processDue()
    await lanes.processDue()
    assert.equal(await claimedOf(id), attemptConcurrencyLimits.usual)
    receiver.answer = respondNoContent
    for (const answer of open) answer()
    await lanes.settle()
    assert.ok(receiver.maxOpen <= attemptConcurrencyLimits.usual, `${receiver.maxOpen} at once`)
    assert.equal(receiver.requests.length, 3 * attemptConcurrencyLimits.usual)
    assert.ok((await deliveriesOf(api.services, id)).every(({ state }) => state === 'delivered'))
  })

  it('claim a delivery that becomes due while a claim is running', async () => {
    const receiver = await testReceiver()
    const events: EventKind[] = ['pre_auth.failed']
    const webhook = await seedWebhook(api.services, api.merchant, receiver.url, { events })
    await seedEvents(api.services, api.merchant, 1, 'pre_auth.failed')
    await positionAndDispatchEvents(api.services)
    const { sql: database } = api.services
    const ownedId = { merchantId: api.merchant.id, id: webhook.id }
    let isFirst = true
    const later = databaseWith({
      many: async (query) => {
        const rows = await database.many(query)
        if (isFirst && query.text.includes('locked_deliveries')) {
          isFirst = false
          await seedEvents(api.services, api.merchant, 1, 'pre_auth.failed')
          await positionAndDispatchEvents(api.services)
          await lanes.fill([ownedId])
        }
        return rows as never
      },
    })
    const lanes = new Lanes({ ...api.services, sql: later }, new AbortController().signal)
    await lanes.fill([ownedId])
    await lanes.settle()
    assert.equal(receiver.requests.length, 2)
  })

  it('are filled by one call at a time, even if several run at the same time', async () => {
    const receiver = await testReceiver(() => undefined)
    const events: EventKind[] = ['refund.executed']
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url, { events })
    await seedEvents(api.services, api.merchant, 2 * attemptConcurrencyLimits.usual, 'refund.executed')
    await positionAndDispatchEvents(api.services)
    const { sql: database } = api.services
    const haveLooked = Promise.withResolvers<void>()
    let looks = 0
    const slow = databaseWith({
      many: async (query) => {
        const rows = await database.many(query)
        looks += 1
        if (looks === 2) runAfterPendingIo(haveLooked.resolve)
        return rows as never
      },
      maybe: async (query) => {
        await haveLooked.promise
        return database.maybe(query)
      },
    })
    const ending = new AbortController()
    const lanes = new Lanes(newInstance(api.services, slow), ending.signal)
    await Promise.all([lanes.processDue(), lanes.processDue()])
    assert.equal(await claimedOf(id), attemptConcurrencyLimits.usual)
    ending.abort()
    await lanes.settle()
    await api.services.sql.run(sql`update webhooks set status = 'disabled' where id = ${id}`)
  })

  it('are narrow for a webhook that only fails, and wide again after a success', async () => {
    const receiver = await testReceiver(respondWith(500))
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url, {
      events: ['payment.expired'],
    })
    await seedEvents(api.services, api.merchant, 100, 'payment.expired')
    await positionAndDispatchEvents(api.services)
    const lanes = new Lanes(api.services, new AbortController().signal)
    const held: (() => void)[] = []
    receiver.answer = (response) => {
      if (receiver.requests.length <= attemptConcurrencyLimits.usual) response.writeHead(500).end()
      else held.push(() => response.writeHead(204).end())
    }
    await lanes.processDue()
    await receiver.waitForRequests(attemptConcurrencyLimits.usual + attemptConcurrencyLimits.failing)
    await lanes.processDue()
    await lanes.processDue()
    assert.equal(await claimedOf(id), attemptConcurrencyLimits.failing)
    for (const answer of held.splice(0)) answer()
    await receiver.waitForRequests(attemptConcurrencyLimits.usual + 2 * attemptConcurrencyLimits.failing)
    assert.ok((await claimedOf(id)) > attemptConcurrencyLimits.failing, 'it stayed narrow')
    receiver.answer = respondNoContent
    for (const answer of held) answer()
    await lanes.settle()
    assert.equal(receiver.requests.length, 100)
  })

  it('of a silent webhook with a thousand pending deliveries delay no other webhook', async () => {
    const silent = await testReceiver(() => undefined)
    const dead = await seedWebhook(api.services, api.merchant, silent.url, { events: ['refund.created'] })
    await seedEvents(api.services, api.merchant, 1_000, 'refund.created')
    while ((await positionAndDispatchEvents(api.services)) > 0);
    const ending = new AbortController()
    const lanes = new Lanes(api.services, ending.signal)
    await lanes.processDue()
    await silent.waitForRequests(attemptConcurrencyLimits.usual)
    const alive = await testReceiver()
    await seedWebhook(api.services, api.merchant, alive.url, { events: ['refund.executed'] })
    await seedEvents(api.services, api.merchant, 1, 'refund.executed')
    await positionAndDispatchEvents(api.services)
    await lanes.processDue()
    // The clock stands still, so no silent attempt has timed out.
    await alive.waitForRequests(1)
    assert.equal(silent.requests.length, attemptConcurrencyLimits.usual)
    ending.abort()
    await lanes.settle()
    const waiting = await deliveriesOf(api.services, dead.id)
    assert.ok(waiting.every(({ state, attemptCount }) => state === 'pending' && attemptCount === 0))
    assert.equal(await claimedOf(dead.id), 0, 'what was cut short is not due again')
    await api.services.sql.run(sql`update webhooks set status = 'disabled' where id = ${dead.id}`)
  })

  it('keep within the limits of a merchant and of all, but allow one attempt for each webhook', async () => {
    const other = await testApi({ database: api.database, clock: api.clock })
    const most = { usual: 4, failing: 1, ofMerchant: 6, all: 8 }
    const held: (() => void)[] = []
    const receiver = await testReceiver((response) => held.push(() => response.writeHead(204).end()))
    for (const { services, merchant } of [api, other]) {
      for (let count = 0; count < 10; count++)
        await seedWebhook(services, merchant, receiver.url, { events: ['pre_auth.completed'] })
      await seedEvents(services, merchant, 8, 'pre_auth.completed')
    }
    await positionAndDispatchEvents(api.services)
    const lanes = new Lanes(api.services, new AbortController().signal, most)
    await lanes.processDue()
    const claimed = () =>
      api.services.sql.many(sql`select from webhook_deliveries
        where kind = 'pre_auth.completed' and due_at > ${api.clock.now()}`)
    // One for each of the 20 webhooks, and the room that was free before those claimed theirs.
    const { length } = await claimed()
    assert.ok(length >= 20 && length < 20 + most.all, `${length} at once`)
    await receiver.waitForRequests(length)
    for (let round = 0; round < 3; round++) await lanes.processDue()
    assert.equal((await claimed()).length, length)
    receiver.answer = respondNoContent
    for (const answer of held) answer()
    while ((await lanes.processDue()) > 0) await lanes.settle()
    assert.equal(receiver.requests.length, 160)
    assert.ok(receiver.maxOpen < 20 + most.all, `${receiver.maxOpen} at once`)
  })

  it('claim nothing more for a webhook that has been disabled, deleted or paused', async () => {
    const soon = new Date(api.clock.now().getTime() + 1_000)
    const closings = {
      disabled: (id: number) => sql`update webhooks set status = 'disabled' where id = ${id}`,
      deleted: (id: number) => sql`update webhooks set deleted_at = updated_at where id = ${id}`,
      quiet: (id: number) => sql`insert into webhook_health (merchant_id, webhook_id, paused_until)
        values (${api.merchant.id}, ${id}, ${soon})`,
    }
    for (const [how, closing] of Object.entries(closings)) {
      const held: (() => void)[] = []
      const receiver = await testReceiver((response) => held.push(() => response.writeHead(204).end()))
      const { id } = await seedWebhook(api.services, api.merchant, receiver.url, {
        events: ['refund.failed'],
      })
      await seedEvents(api.services, api.merchant, attemptConcurrencyLimits.usual + 1, 'refund.failed')
      await positionAndDispatchEvents(api.services)
      const lanes = new Lanes(api.services, new AbortController().signal)
      await lanes.processDue()
      await receiver.waitForRequests(attemptConcurrencyLimits.usual)
      await api.services.sql.run(closing(id))
      receiver.answer = respondNoContent
      for (const answer of held) answer()
      await lanes.settle()
      assert.equal(receiver.requests.length, attemptConcurrencyLimits.usual, how)
      const dueWebhooks = await webhookIdsWithDueDeliveries(api.services.sql, api.clock.now())
      assert.ok(!dueWebhooks.some((each) => each.id === id), how)
    }
  })

  it('of two instances attempt each delivery once', async () => {
    const receiver = await testReceiver()
    await seedWebhook(api.services, api.merchant, receiver.url, { events: ['pre_auth.failed'] })
    await seedEvents(api.services, api.merchant, 200, 'pre_auth.failed')
    const instances = [
      api.services,
      newInstance(api.services, api.services.sql),
      newInstance(api.services, api.services.sql),
    ]
    await Promise.all(instances.map((instance) => dispatchAndDeliverDue(instance)))
    const receivedIds = receiver.requests.map(({ headers }) => headers['webhook-id'])
    assert.equal(receivedIds.length, 200)
    assert.equal(new Set(receivedIds).size, 200)
  })

  it('stop while the database is unavailable, and continue when it is back', async () => {
    const held: (() => void)[] = []
    const receiver = await testReceiver((response) => held.push(() => response.writeHead(204).end()))
    await seedWebhook(api.services, api.merchant, receiver.url, { events: ['payment.pre_authorized'] })
    await seedEvents(api.services, api.merchant, attemptConcurrencyLimits.usual + 1, 'payment.pre_authorized')
    await positionAndDispatchEvents(api.services)
    const { sql: database } = api.services
    let looks = 0
    let isAway = false
    const flaky = databaseWith({
      maybe: async (query) => {
        looks += isAway ? 1 : 0
        // A lane that does not stop would loop here forever.
        if (isAway && looks < 100) throw new DatabaseUnavailable('away')
        return database.maybe(query)
      },
    })
    const lanes = new Lanes(newInstance(api.services, flaky), new AbortController().signal)
    await lanes.processDue()
    await receiver.waitForRequests(attemptConcurrencyLimits.usual)
    isAway = true
    receiver.answer = respondNoContent
    for (const answer of held) answer()
    await lanes.settle()
    assert.ok(looks > 0 && looks < 100, `${looks} looks`)
    isAway = false
    await lanes.processDue()
    await lanes.settle()
    assert.equal(receiver.requests.length, attemptConcurrencyLimits.usual + 1)
  })
})
