import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { systemClock } from '../../../kit/runtime/clock.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { silentLog } from '../../../testing/harness/database.ts'
import { makeUsedHome } from '../../../testing/harness/embedded-home.ts'
import { freePorts, startProcess } from '../../../testing/harness/process.ts'
import { testReceiver } from '../../../testing/harness/receiver.ts'
import { seedEvents, seedWebhook } from '../../../testing/seed/webhook.ts'
import { readConfig } from '../../config.ts'
import { createMerchant } from '../../merchants/index.ts'
import { openServices } from '../../services.ts'

const eventCount = 10_000
/** Time from ready to the kill. */
const lifeMs = 2_000
/** A killed instance's claims end after 20 seconds; the rest allows for a busy machine. */
const timeoutMs = 5 * 60_000

it('an instance that is killed every two seconds loses none of 10 000 events', async (t) => {
  const settings = { ...(await freePorts()), VEZNE_HOME: await makeUsedHome(t) }
  const work = async () => {
    const instance = startProcess(t, [process.execPath, 'server/main.ts', 'work'], settings)
    await instance.waitForLine('"msg":"ready"')
    return instance
  }
  // The first instance creates the schema.
  await (await work()).end()
  const services = await openServices(readConfig(settings), silentLog, 'visitor')
  t.after(() => services.close())
  const receiver = await testReceiver()
  const { merchant } = await createMerchant(services, { name: 'Killed' })
  const { id, secret } = await seedWebhook(services, merchant, receiver.url)
  const eventIds = await seedEvents(services, merchant, eventCount)
  const waiting = async () => {
    const left = sql`select (select count(*) from event_positions where position is null)::int
      + (select count(*) from webhook_deliveries where due_at is not null)::int as count`
    return (await services.sql.one<{ count: number }>(left)).count
  }

  const beganMs = systemClock.monotonicMs()
  const tookMs = () => systemClock.monotonicMs() - beganMs
  let kills = 0
  while ((await waiting()) > 0) {
    assert.ok(tookMs() < timeoutMs, `${await waiting()} were left after ${kills} kills`)
    const instance = await work()
    await systemClock.sleep(lifeMs)
    assert.equal(await instance.end('SIGKILL'), 'SIGKILL')
    kills += 1
  }

  const verifier = new Verifier(secret)
  for (const { body, headers } of receiver.requests) verifier.verify(body, headers as Record<string, string>)
  const receivedIds = receiver.requests.map(({ headers }) => Number(headers['webhook-id']))
  assert.deepEqual([...new Set(receivedIds)].toSorted(), eventIds.toSorted())
  const states = await services.sql.many(sql`select state, count(*)::int as count from webhook_deliveries
    where webhook_id = ${id} group by state`)
  assert.deepEqual(states, [{ state: 'delivered', count: eventCount }])
  const positions = await services.sql.one(sql`select count(*)::int as count, min(position)::int as first,
    max(position)::int as last from event_positions where merchant_id = ${merchant.id}`)
  assert.deepEqual(positions, { count: eventCount, first: 1, last: eventCount })
  const doubled = receivedIds.length - eventCount
  t.diagnostic(`${kills} kills in ${Math.round(tookMs() / 1000)} s; ${doubled} times an event was sent again`)
  // A kill can duplicate only the deliveries under way at that moment.
  assert.ok(doubled <= kills * 20, `${doubled} were sent again`)
})
