import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SqlFragment } from '../kit/runtime/sql.ts'
import { sql } from '../kit/runtime/sql.ts'
import type { RowOf } from '../kit/runtime/table.ts'
import { newTestWebhook, seedDelivery } from '../testing/seed/delivery.ts'
import { seed } from '../testing/seed/seed.ts'
import { runJobsOnce } from '../testing/till/instances.ts'
import { testTill } from '../testing/till/till.ts'
import { earliestDueTimes } from './instances/store.ts'
import { dueJobs, jobs } from './jobs.ts'
import { refunds } from './refunds/index.ts'

const minuteS = 60
const hourS = 60 * minuteS
const dayS = 24 * hourS

const till = await testTill()
const { services, clock, merchant } = till
const { sql: database } = services

interface Kind {
  what: string
  /** Longest possible wait. */
  longestS: number
  /** Sets the due time on rows that are being processed. */
  due(at: Date): SqlFragment
  read: SqlFragment
}

const paymentId = await till.start()
const submitted = await till.submit(paymentId, '5400360000000003')
assert.equal(submitted.outcome, 'begun')
const webhook = await newTestWebhook(services, merchant)
const fresh = await seedDelivery(services, webhook, { createdAt: clock.now() })
const tried = await seedDelivery(services, webhook, { attempts: [{ status: 500 }] })
await database.run(sql`insert into authentications (merchant_id, attempt_id, payment_id, mode, state, version, amount, currency, began_at)
  select merchant_id, id, payment_id, 'three_ds_server', 'challenging', 1, charged, currency, began_at from payment_attempts`)
await database.run(sql`insert into modifications (merchant_id, id, payment_id, attempt_id, pos_id, kind, amount, prior_refunded, state, version, began_at, tries)
  select merchant_id, id, payment_id, id, pos_id, 'capture', charged, 0, 'doing', 1, began_at, 0 from payment_attempts`)
await database.run(sql`insert into verifications (merchant_id, id, payment_id, attempt_id, pos_id, kind, amount, currency, state,
    version, approved_at, tries)
  select merchant_id, id, payment_id, id, pos_id, 'charge', charged, currency, 'unverified', 1, began_at, 0 from payment_attempts`)
await database.run(sql`insert into inquiry_limits (merchant_id, pos_id, second, inquiries, failures)
  select merchant_id, pos_id, began_at, 0, 0 from payment_attempts on conflict do nothing`)

const attempt = (state: string, longestS: number): Kind => ({
  what: `an attempt that is ${state}`,
  longestS,
  due: (at) => sql`update payment_attempts set state = ${state}, due_at = ${at}`,
  read: sql`select due_at from payment_attempts`,
})

const delivery = (what: string, id: number, longestS: number): Kind => ({
  what,
  longestS,
  due: (at) => sql`update webhook_deliveries set due_at = ${at} where id = ${id}`,
  read: sql`select due_at from webhook_deliveries where id = ${id}`,
})

const kinds: Kind[] = [
  attempt('authorizing', hourS),
  attempt('reversing', hourS),
  attempt('reversed', hourS + dayS),
  {
    what: 'a capture, as a refund that waits for the end of the bank’s day',
    longestS: dayS + 15 * minuteS,
    due: (at) => sql`update modifications set due_at = ${at}`,
    read: sql`select due_at from modifications`,
  },
  {
    what: 'a verification',
    longestS: hourS,
    due: (at) => sql`update verifications set due_at = ${at}`,
    read: sql`select due_at from verifications`,
  },
  {
    what: 'a pause of inquiries',
    longestS: 5 * minuteS,
    due: (at) => sql`update inquiry_limits set paused_until = ${at}`,
    read: sql`select paused_until as due_at from inquiry_limits`,
  },
  {
    what: 'a challenge',
    longestS: 600 + minuteS + minuteS,
    due: (at) => sql`update authentications set due_at = ${at}`,
    read: sql`select due_at from authentications`,
  },
  delivery('a first delivery', fresh, 20),
  // Includes the longest Retry-After that we honour.
  delivery('a delivery that is attempted again', tried, 1.2 * dayS),
]

const dueAt = async ({ read }: Kind) => (await database.many<{ due_at: Date }>(read))[0]?.due_at.getTime()

const repairJob = jobs.find(({ name }) => name === 'repair due times') ?? assert.fail()
const work = () => repairJob.work(services, new AbortController().signal)

describe('due times that are implausibly far ahead', () => {
  for (const kind of kinds) {
    it(`are reset to now: ${kind.what}`, async () => {
      const now = clock.now().getTime()
      const far = new Date(now + (kind.longestS + 3 * minuteS) * 1000)
      await database.run(kind.due(far))
      till.lines.length = 0
      assert.equal(await work(), 1)
      assert.equal(await dueAt(kind), now)
      assert.ok(till.lines.some((line) => line.includes('due times were too far in the future; set to now')))
      const latest = new Date(now + kind.longestS * 1000)
      await database.run(kind.due(latest))
      assert.equal(await work(), 0)
      assert.equal(await dueAt(kind), latest.getTime())
    })
  }

  it('are kept if merchants or operators set them: pages, pre-authorizations, refunds under review', async () => {
    const far = new Date(clock.now().getTime() + 300 * dayS * 1000)
    await database.run(sql`update payments set due_at = ${far}`)
    const refundedAttempt = refunds.pick('merchantId', 'paymentId', 'currency', 'instrumentFingerprint')
    const attempt = await database.one<RowOf<typeof refundedAttempt>>(
      sql`select ${refundedAttempt.columns()} from payment_attempts`,
    )
    const review = {
      state: 'under_review',
      policy: 'automatic',
      requestedAt: clock.now(),
      dueAt: far,
    } as const
    await seed(database, refunds, { ...attempt, ...review, id: 1, amountMinor: 1 })
    assert.equal(await work(), 0)
  })
})

describe('the search for due work', () => {
  const found = async (until: Date) =>
    Object.fromEntries([...(await earliestDueTimes(database, dueJobs, until))].toSorted())
  const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * minuteS * 1000)

  it('finds the earliest due time of every job up to a time', async () => {
    const changes = [
      sql`update payments set due_at = ${inMinutes(1)}`,
      sql`update payment_attempts set state = 'authorizing', due_at = ${inMinutes(2)}`,
      sql`update modifications set due_at = ${inMinutes(3)}`,
      sql`update refunds set due_at = ${inMinutes(4)}`,
      sql`update verifications set due_at = ${inMinutes(5)}`,
      sql`update inquiry_limits set paused_until = ${inMinutes(6)}`,
      sql`update authentications set due_at = ${inMinutes(7)}`,
      sql`update webhook_deliveries set due_at = ${inMinutes(9)}`,
      sql`update webhook_deliveries set due_at = ${inMinutes(8)} where id = ${tried}`,
      sql`update event_positions set position = created.place
        from (select event_id, row_number() over (order by created_at) as place from event_positions) as created
        where event_positions.event_id = created.event_id`,
    ]
    for (const change of changes) await database.run(change)
    assert.deepEqual(await found(inMinutes(0)), {})
    assert.deepEqual(await found(inMinutes(30)), {
      'deliver events': inMinutes(8),
      'process due attempts': inMinutes(2),
      'process due authentications': inMinutes(7),
      'process due captures and releases': inMinutes(3),
      'process due verifications': inMinutes(6),
      'process payment deadlines': inMinutes(1),
      'review refunds': inMinutes(4),
    })
    assert.deepEqual(Object.keys(await found(inMinutes(2))), [
      'process due attempts',
      'process payment deadlines',
    ])
    await database.run(sql`update modifications set kind = 'refund'`)
    assert.deepEqual((await found(inMinutes(30)))['process due refunds'], inMinutes(3))
  })

  it('finds a test of a disabled webhook, and a new event', async () => {
    await database.run(sql`update webhooks set status = 'disabled', disabled_because = 'operator'`)
    await database.run(
      sql`update webhook_deliveries set reason = 'test', due_at = ${inMinutes(3)} where id = ${fresh}`,
    )
    assert.deepEqual((await found(inMinutes(9)))['deliver events'], inMinutes(3))
    await database.run(sql`update webhook_deliveries set reason = 'event'`)
    assert.equal((await found(inMinutes(9)))['deliver events'], undefined)
    await till.start()
    const paid = await till.start()
    await till.pay(paid, '5400360000000003')
    assert.ok(((await found(inMinutes(9)))['deliver events']?.getTime() ?? Infinity) <= clock.now().getTime())
  })
})

describe('a job', () => {
  it('does not run while the clock is wrong', async () => {
    const far = new Date(clock.now().getTime() + 300 * dayS * 1000)
    await database.run(sql`update modifications set due_at = ${far}`)
    const wrong = {
      now: () => clock.now(),
      monotonicMs: () => 0,
      sleep: async () => undefined,
      startTimer: () => () => undefined,
      fault: 'wrong',
    } as const
    await runJobsOnce({ ...services, clock: wrong })
    assert.equal((await database.many(sql`select from modifications where due_at = ${far}`)).length, 1)
  })
})
