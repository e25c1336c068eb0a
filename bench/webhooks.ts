import { setTimeout as pause } from 'node:timers/promises'
import { Webhook as Signer } from 'standardwebhooks'
import { raw } from '../kit/runtime/sql.ts'
import { noTimeouts, openDatabase } from '../server/database/pool.ts'
import type { Merchant } from '../server/merchants/index.ts'
import { createMerchant } from '../server/merchants/index.ts'
import {
  seedDeliveries,
  seedEvents,
  seedWebhook,
  webhookIdsWithDueDeliveries,
} from '../testing/seed/webhook.ts'
import { Child, usageOf } from './child.ts'
import type { BenchEnvironment } from './environment.ts'
import { eventData, seedPositionedEvents } from './events.ts'
import { median } from './percentile.ts'
import type { PostTask } from './poster.ts'
import type { Arrivals, ReceiverPorts } from './receiver.ts'
import { machineClockMs } from './receiver.ts'

const timeoutMs = 30_000
/** Number of requests that the service has in progress for one webhook at the same time. */
const atOnce = 20
const eventCount = 10_000
/** Number of requests that plain Node posts before the deliveries, and again after them. */
const postCount = 5_000
/** Number of deliveries due for a webhook that is away. */
const waitingCount = 100_000
const manyWebhooks = 2_000
/** Interval and number of the events for a healthy webhook. */
const everyMs = 100
const times = 100

/** First attempts per second for many events of one merchant, and their memory. */
export async function firstAttemptRate(environment: BenchEnvironment): Promise<Record<string, number>> {
  await using receiver = new Child('bench/receiver.ts', [])
  const { taking } = await receiver.message<ReceiverPorts>(timeoutMs)
  const url = `http://127.0.0.1:${taking}/hook`
  const { merchant } = await createMerchant(environment.services, { name: 'Many events' })
  const { secret } = await seedWebhook(environment.services, merchant, url)
  receiver.send({ secret })
  const plainBefore = await plainPerSecond(url, secret)
  receiver.send({ secret })
  await seedEvents(environment.services, merchant, eventCount, 'payment.succeeded', eventData)
  const { arrived, memory, cpuS } = await deliverAll(environment, receiver)
  receiver.send({ secret })
  const plain = (plainBefore + (await plainPerSecond(url, secret))) / 2
  const moments = arrived.events.map(([, atMs]) => atMs)
  const tookS = ((moments.at(-1) ?? 0) - (moments[0] ?? 0)) / 1000
  const perSecond = arrived.events.length / tookS
  return {
    per_s: Math.round(perSecond),
    plain_per_s: Math.round(plain),
    ratio: Number((perSecond / plain).toFixed(3)),
    missing: eventCount - arrived.events.length,
    twice: arrived.requests - arrived.events.length,
    bad_signatures: arrived.bad,
    cpu_ms_each: Number(((1000 * cpuS) / eventCount).toFixed(2)),
    ...thirdsOf(memory),
  }
}

/** Memory of a process after `count` events: resident, and held after garbage collection. */
interface Memory {
  count: number
  rssMb: number
  heldMb: number
}

interface Delivered {
  arrived: Arrivals
  memory: Memory[]
  cpuS: number
}

/** Starts a delivery worker and waits until every event has arrived. Samples its memory meanwhile. */
async function deliverAll(environment: BenchEnvironment, receiver: Child): Promise<Delivered> {
  await using deliveryWorker = startDeliveryWorker(environment)
  const memory: Memory[] = []
  for (let last = 0, lastNewMs = machineClockMs(); ; ) {
    await deliveryWorker.whileRunning(pause(100, undefined, { signal: environment.signal }))
    const arrived = await arrivedAt(receiver)
    const count = arrived.events.length
    if (count > last) [last, lastNewMs] = [count, machineClockMs()]
    if (count > (memory.length * eventCount) / 12) memory.push({ count, ...(await memoryOf(deliveryWorker)) })
    if (count >= eventCount) return { arrived, memory, cpuS: usageOf(deliveryWorker.pid).cpuS }
    if (machineClockMs() - lastNewMs > timeoutMs) throw new Error(`${count} of ${eventCount} events arrived`)
  }
}

/** Resident memory depends on when Node returns memory; the held memory shows whether it grows. */
async function memoryOf(deliveryWorker: Child): Promise<{ rssMb: number; heldMb: number }> {
  const { rssMb } = usageOf(deliveryWorker.pid)
  const { heapUsed, external } = await answerOf<NodeJS.MemoryUsage>(deliveryWorker)
  return { rssMb, heldMb: (heapUsed + external) / 1024 / 1024 }
}

/**
 * Medians during the first and the last third of the events, and the growth of the held memory between them.
 */
function thirdsOf(memory: Memory[]): Record<string, number> {
  const third = (from: number, figure: 'rssMb' | 'heldMb') =>
    median(
      memory
        .filter(({ count }) => count > from * eventCount && count <= (from + 1 / 3) * eventCount)
        .map((each) => each[figure]),
    )
  const [heldFirst, heldLast] = [third(0, 'heldMb'), third(2 / 3, 'heldMb')]
  return {
    rss_first_mb: Math.round(third(0, 'rssMb')),
    rss_last_mb: Math.round(third(2 / 3, 'rssMb')),
    held_first_mb: Number(heldFirst.toFixed(1)),
    held_last_mb: Number(heldLast.toFixed(1)),
    held_growth_mb: Number((heldLast - heldFirst).toFixed(1)),
  }
}

/**
 * Time from the commit of an event to its arrival while very many deliveries are due for a webhook that never
 * responds.
 */
export async function delayBesideSilentWebhook(
  environment: BenchEnvironment,
): Promise<Record<string, number>> {
  const { services } = environment
  await using receiver = new Child('bench/receiver.ts', [])
  const { taking, silent } = await receiver.message<ReceiverPorts>(timeoutMs)
  const { merchant: busy } = await createMerchant(services, { name: 'A webhook that is away' })
  const { merchant: other } = await createMerchant(services, { name: 'Another' })
  const away = await seedWebhook(services, busy, `http://127.0.0.1:${silent}/hook`)
  await seedWaiting(environment, busy, away.id)
  await using deliveryWorker = startDeliveryWorker(environment)
  // The worker answers as soon as it is working.
  await answerOf(deliveryWorker)
  const delaysOf = async (merchant: Merchant) => {
    const { secret } = await seedWebhook(services, merchant, `http://127.0.0.1:${taking}/hook`)
    receiver.send({ secret })
    return deliveryWorker.whileRunning(delays(environment, receiver, merchant))
  }
  const ofOther = await delaysOf(other)
  // The first attempts to the silent webhook have timed out by now, and others have begun.
  const ofSame = await delaysOf(busy)
  return { ...ofDelays('other_merchant', ofOther), ...ofDelays('same_merchant', ofSame) }
}

function ofDelays(name: string, delaysMs: number[]): Record<string, number> {
  return {
    [`${name}_median_ms`]: Math.round(median(delaysMs)),
    [`${name}_longest_ms`]: Math.round(Math.max(...delaysMs)),
  }
}

async function delays(
  { services, signal }: BenchEnvironment,
  receiver: Child,
  merchant: Merchant,
): Promise<number[]> {
  const committed = new Map<number, number>()
  const beganMs = machineClockMs()
  for (let time = 0; time < times; time++) {
    const [id = 0] = await seedEvents(services, merchant, 1, 'payment.succeeded', eventData)
    committed.set(id, machineClockMs())
    await pause(Math.max(0, beganMs + (time + 1) * everyMs - machineClockMs()), undefined, { signal })
  }
  for (const giveUpAt = machineClockMs() + timeoutMs; ; ) {
    const { events, bad } = await arrivedAt(receiver)
    if (bad > 0) throw new Error(`${bad} signatures were wrong`)
    if (events.length >= times) return events.map(([id, atMs]) => atMs - (committed.get(id) ?? 0))
    if (machineClockMs() > giveUpAt) throw new Error(`${events.length} of ${times} events arrived`)
    await pause(100, undefined, { signal })
  }
}

/** Time of one poll for due deliveries with very many webhooks, only one of which has any. */
export async function idlePollCost(environment: BenchEnvironment): Promise<Record<string, number>> {
  const { services } = environment
  const { merchant } = await createMerchant(services, { name: 'Many webhooks' })
  for (let count = 0; count < manyWebhooks; count++)
    await seedWebhook(services, merchant, 'http://127.0.0.1:1/hook')
  await seedWaiting(
    environment,
    merchant,
    (await seedWebhook(services, merchant, 'http://127.0.0.1:1/hook')).id,
  )
  const tookMs: number[] = []
  while (tookMs.length < 50) {
    const begunMs = performance.now()
    await webhookIdsWithDueDeliveries(services.sql, services.clock.now())
    tookMs.push(performance.now() - begunMs)
  }
  return { webhooks: manyWebhooks, ms: Number(median(tookMs).toFixed(2)) }
}

/** Inserts events that already have positions and whose deliveries are due. */
async function seedWaiting(
  environment: BenchEnvironment,
  merchant: Merchant,
  webhookId: number,
): Promise<void> {
  const { services, databaseUrl } = environment
  const database = openDatabase({ url: databaseUrl }, 1, services.log, noTimeouts)
  const writing = { ...services, sql: database.sql }
  const eventIds = await seedPositionedEvents(writing, merchant, waitingCount)
  await seedDeliveries(writing, merchant, webhookId, eventIds)
  await database.sql.run(raw('vacuum analyze events, webhook_deliveries, webhooks'))
  await database.close()
}

/** Starts a process that delivers webhooks as `vezne work` does and may deliver to this machine. */
function startDeliveryWorker({ databaseUrl, settings }: BenchEnvironment): Child {
  const words = [databaseUrl, settings['VEZNE_SECRET'] ?? '']
  return new Child('testing/crash/delivery-worker.ts', words, { NODE_OPTIONS: '--expose-gc' })
}

export function arrivedAt(receiver: Child): Promise<Arrivals> {
  return answerOf(receiver)
}

async function answerOf<Answer>(child: Child): Promise<Answer> {
  const answer = child.message<Answer>(timeoutMs)
  child.send({})
  return answer
}

/** Rate of plain Node, with a request signed in advance. */
async function plainPerSecond(url: string, secret: string): Promise<number> {
  await using poster = new Child('bench/poster.ts', [])
  const body = JSON.stringify({ type: 'payment.succeeded', timestamp: eventData.end_at, data: eventData })
  const at = new Date()
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': '1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Signer(secret).sign('1', at, body),
  }
  poster.send({ url, headers, body, count: postCount, atOnce } satisfies PostTask)
  return await poster.message<number>(timeoutMs)
}
