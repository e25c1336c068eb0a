import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { FaultSeeder, IntegrityFault } from '../../testing/faults/integrity-faults.ts'
import {
  approvedAttemptSeed,
  violationsOf,
  withChangedRefund,
  withoutRows,
} from '../../testing/faults/integrity-faults.ts'
import type { PaymentSeed } from '../../testing/seed/payment.ts'
import { seedEventRows } from '../../testing/seed/payment.ts'
import type { EventKind } from '../events/index.ts'
import { events as eventTable } from '../events/index.ts'

const attempts = [approvedAttemptSeed]
const capturing: PaymentSeed = { state: 'capturing', attempts }
const captured: PaymentSeed = { state: 'paid', preAuth: true, attempts }
const released: PaymentSeed = { state: 'failed', resolution: 'release', attempts }
const paid: PaymentSeed = { state: 'paid', attempts }
const refunded: PaymentSeed = { state: 'refunded', attempts }
const partly: PaymentSeed = { state: 'partly_refunded', attempts }
const openRefund = (state: 'under_review' | 'approved'): PaymentSeed => ({
  ...paid,
  refunds: [{ amountMinor: 4_000, state }],
})

const wrongEvents = 'has missing or duplicate events, or events out of order'
const wrongEventData = 'has an event whose data does not match the payment'
const changedEvent = (seed: PaymentSeed, kind: string, change: SqlFragment): FaultSeeder => {
  return async (api) => {
    const { id } = await api.seed(seed)
    await api.run(sql`update events set ${change} where payment_id = ${id} and kind = ${kind}`)
    return id
  }
}
const events: IntegrityFault[] = [
  [
    wrongEvents,
    'captured, with the event of a direct charge',
    changedEvent(captured, 'pre_auth.completed', sql`kind = 'payment.succeeded'`),
  ],
  [
    wrongEvents,
    'released, with the event of a capture',
    changedEvent(released, 'pre_auth.failed', sql`kind = 'pre_auth.completed'`),
  ],
  [wrongEvents, 'being captured, with the event of its end', withEventOf(capturing, 'pre_auth.completed')],
  [
    wrongEvents,
    'a refund that was never asked for',
    withoutRows(refunded, sql`events where kind = 'refund.created'`),
  ],
  [
    wrongEvents,
    'an open refund, with the event of an executed one',
    withEventOf(openRefund('approved'), 'refund.executed'),
  ],
  [
    wrongEvents,
    'a failed refund, with the event of a rejected one',
    withChangedRefund({ ...paid, refunds: [{ amountMinor: 1, state: 'rejected' }] }, sql`state = 'failed'`),
  ],
  [
    wrongEvents,
    'that of another refund',
    changedEvent(refunded, 'refund.executed', sql`data = jsonb_set(data, '{refund,id}', '5')`),
  ],
  [
    wrongEvents,
    'in another order',
    async (api) => {
      const { id } = await api.seed(refunded)
      await api.run(sql`update events set number = number + 10 where payment_id = ${id} and number > 1`)
      await api.run(sql`update events set number = 24 - number where payment_id = ${id} and number > 1`)
      await api.run(sql`update events set number = number - 9 where payment_id = ${id} and number > 1`)
      return id
    },
  ],
  [
    wrongEventData,
    'of a hold that it is paid',
    changedEvent(captured, 'payment.pre_authorized', withData({ payment_status: 1 })),
  ],
  [
    wrongEventData,
    'of a capture that it is held',
    changedEvent(captured, 'pre_auth.completed', withData({ payment_status_text: 'pre_authorized' })),
  ],
  [
    wrongEventData,
    'of a part that it is all',
    changedEvent(partly, 'refund.executed', withData({ payment_status: 4 })),
  ],
  [
    wrongEventData,
    'of a refund that was asked for that it is executed',
    changedEvent(refunded, 'refund.created', withData({ payment_status: 4 })),
  ],
  [
    wrongEventData,
    'another amount of a refund',
    changedEvent(refunded, 'refund.executed', sql`data = jsonb_set(data, '{refund,amount}', '1')`),
  ],
  [
    wrongEventData,
    'another state of a refund',
    changedEvent(refunded, 'refund.executed', sql`data = jsonb_set(data, '{refund,status}', '"failed"')`),
  ],
  [
    'has an event that will never be in the list of its merchant',
    'nothing waits for its position',
    async (api) => {
      const { id } = await api.seed(paid)
      await api.run(
        sql`delete from event_positions where event_id in (select id from events where payment_id = ${id})`,
      )
      return id
    },
  ],
]

function withData(change: object): SqlFragment {
  return sql`data = data || ${JSON.stringify(change)}::jsonb`
}

function withEventOf(seed: PaymentSeed, kind: EventKind): FaultSeeder {
  return async (api) => {
    const { id } = await api.seed(seed)
    const { sql: database, ids } = api.services
    const last = await database.one<RowOf<typeof eventTable>>(sql`select ${eventTable.columns()} from events
      where payment_id = ${id} order by number desc limit 1`)
    await seedEventRows(database, [{ ...last, id: await ids.next(), number: last.number + 1, kind }])
    await api.run(sql`update payments set event_count = event_count + 1 where id = ${id}`)
    return id
  }
}

const results = violationsOf(events)
for (const [index, [what, how]] of events.entries()) {
  it(`${what}: the check reports it (${how})`, async () => {
    const { violations, falsePositives } = await results
    assert.ok(violations[index]?.includes(what), `it is said: ${violations[index]?.join(', ')}`)
    assert.deepEqual(falsePositives, [])
  })
}
