import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { runAfterPendingIo } from '../../../kit/runtime/clock.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { respondNoContent, testReceiver } from '../../../testing/harness/receiver.ts'
import { deliveriesOf, seedEvents, seedWebhook } from '../../../testing/seed/webhook.ts'
import { positionAndDispatchEvents } from './dispatch.ts'
import { attemptConcurrencyLimits, Lanes } from './lanes.ts'

const { usual } = attemptConcurrencyLimits
const eventCount = 8 * usual

/**
 * A webhook that answered the first requests at once, so more deliveries are claimed for it than are attempted.
 * It holds the next requests until the test answers them.
 */
async function quickWebhook() {
  const api = await testApi()
  const { services, clock, merchant } = api
  const held: ServerResponse[] = []
  const receiver = await testReceiver((response) => {
    if (receiver.requests.length <= usual) response.writeHead(204).end()
    else held.push(response)
  })
  const { id } = await seedWebhook(services, merchant, receiver.url)
  await seedEvents(services, merchant, eventCount)
  await positionAndDispatchEvents(services)
  const ending = new AbortController()
  const lanes = new Lanes(services, ending.signal)
  await lanes.processDue()
  await receiver.waitForRequests(2 * usual)
  const claimed = async () => {
    const rows = await services.sql.many(sql`select from webhook_deliveries
      where webhook_id = ${id} and due_at > ${clock.now()} and attempt_count = 0`)
    return rows.length
  }
  const states = async () => (await deliveriesOf(services, id)).map(({ state }) => state)
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await new Promise<void>((resolve) => runAfterPendingIo(resolve))
  }
  const answerAll = () => {
    receiver.answer = respondNoContent
    for (const response of held.splice(0)) response.writeHead(204).end()
  }
  return { services, clock, receiver, held, ending, lanes, id, claimed, states, until, answerAll }
}

describe('deliveries that are claimed before there is room for them', () => {
  it('are attempted within the width of the webhook, each once', async () => {
    const { receiver, lanes, claimed, states, answerAll } = await quickWebhook()
    assert.ok((await claimed()) > usual, 'none was claimed ahead')
    assert.equal(receiver.requests.length, 2 * usual)
    answerAll()
    await lanes.settle()
    assert.ok(receiver.maxOpen <= usual, `${receiver.maxOpen} at once`)
    assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, eventCount)
    assert.equal(receiver.requests.length, eventCount)
    assert.ok((await states()).every((state) => state === 'delivered'))
  })

  it('are due again when the instance stops', async () => {
    const { ending, lanes, claimed, receiver } = await quickWebhook()
    ending.abort()
    await lanes.settle()
    assert.equal(await claimed(), 0)
    assert.equal(receiver.requests.length, 2 * usual)
  })

  it('are claimed again if they wait for more than a second, by the webhook as it is then', async () => {
    const { services, clock, held, lanes, id, receiver, answerAll } = await quickWebhook()
    await services.sql.run(sql`update webhooks set status = 'disabled' where id = ${id}`)
    clock.advance(1_001)
    assert.equal(held.length, usual)
    answerAll()
    await lanes.settle()
    assert.equal(receiver.requests.length, 2 * usual)
  })

  it('are not attempted after a response with Retry-After', async () => {
    const { services, held, lanes, id, receiver, until, answerAll } = await quickWebhook()
    held.shift()?.writeHead(429, { 'retry-after': '60' }).end()
    const isPaused = async () => {
      const paused = await services.sql.many(sql`select from webhook_health
        where webhook_id = ${id} and paused_until is not null`)
      return paused.length === 1
    }
    await until(isPaused)
    answerAll()
    await lanes.settle()
    assert.equal(receiver.requests.length, 2 * usual)
  })
})

it('a result is saved within a twentieth of a second, however long other requests of the webhook take', async () => {
  const { clock, held, ending, lanes, states, until } = await quickWebhook()
  const delivered = async () => (await states()).filter((state) => state === 'delivered').length
  // Saves the results of the first requests, however they were put together.
  clock.advance(50)
  await until(async () => (await delivered()) === usual)
  held.shift()?.writeHead(204).end()
  await clock.asleep(1, 50)
  clock.advance(50)
  await until(async () => (await delivered()) > usual)
  ending.abort()
  await lanes.settle()
})
