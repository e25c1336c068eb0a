import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { join, sql } from '../../kit/runtime/sql.ts'
import type { PaymentState } from '../payments/for-integrity.ts'
import {
  paymentStateEdgeBetween,
  paymentStateEdges,
  paymentStates,
  shownStatusFields,
} from '../payments/for-integrity.ts'
import { checkedMerchantId, checksOf, paymentRows } from './integrity-check.sql.ts'

/** Paths that end in a state with an event, or continue from such a state. */
const statePaths: readonly (readonly PaymentState[])[] = [
  ['authorizing', 'paid'],
  ['authorizing', 'failed'],
  ['open', 'expired'],
  ['authorizing', 'held'],
  ['authorizing', 'held', 'capturing'],
  ['authorizing', 'held', 'capturing', 'paid'],
  ['authorizing', 'held', 'capturing', 'failed'],
  ['authorizing', 'held', 'releasing'],
  ['authorizing', 'held', 'releasing', 'failed'],
]

/** The state at the end of a path, the resolution on it, and the events of its steps. */
function sequenceRow(path: readonly PaymentState[]): SqlFragment {
  const steps = path.slice(1).map((to, index) => paymentStateEdgeBetween(path[index] ?? to, to))
  const resolution = path.includes('capturing') ? 'capture' : path.includes('releasing') ? 'release' : null
  return sql`(${path.at(-1)}::text, ${resolution}::text, ${steps.flatMap(({ event }) => event ?? [])}::text[])`
}

/** Events of `p` without those of its refunds: a refunded payment counts as paid. */
const itsSequence = sql`(values ${join(statePaths.map(sequenceRow))}) as life (state, resolution, kinds)
  on life.state = case when p.state in ('partly_refunded', 'refunded') then 'paid' else p.state end
    and life.resolution is not distinct from p.resolution`

const stateByEvent = new Map(
  paymentStateEdges.flatMap(({ to, event }) => (event && !event.startsWith('refund.') ? [[event, to]] : [])),
)

const stateRows = [...stateByEvent].map(([kind, state]) => sql`(${kind}::text, ${state}::text)`)

/** State of a payment at the event `e`. At a refund event the state follows from the refunded sum. */
const stateThen = sql`(values ${join(stateRows)}) as reached (kind, state) on reached.kind = e.kind`

const statusRows = paymentStates.map(
  (state) => sql`(${state}::text, ${JSON.stringify(shownStatusFields(state))}::jsonb)`,
)

const shownAs = sql`(values ${join(statusRows)}) as shown (state, as_said)
  on shown.state = coalesce(reached.state, case when e.given = 0 then 'paid'
    when e.given < p.amount then 'partly_refunded' else 'refunded' end) and e.kind not like '%.amount_differs'`

/**
 * Event kinds of the payment `p`; a refund event with the refund's id. A difference can be found at any time,
 * so its event has no fixed position and is left out.
 */
const itsEvents = sql`lateral (select count(*) as count, min(number) as first, max(number) as last,
  coalesce(array_agg(kind || coalesce(' ' || (data -> 'refund' ->> 'id'), '') order by number)
    filter (where kind not like '%.amount_differs'), '{}') as kinds
  from events where merchant_id = ${checkedMerchantId} and payment_id = p.id) as e on true`

/** Expected events of the refunds of `p`. Only one refund is open at a time, so their order is fixed. */
const itsRefundEvents = sql`lateral (select coalesce(array_agg(step.kind || ' ' || r.id
    order by r.requested_at, r.id, step.position), '{}') as kinds
  from refunds r, lateral (values (1, 'refund.created'), (2, 'refund.' || r.state)) as step (position, kind)
  where r.merchant_id = ${checkedMerchantId} and r.payment_id = p.id
    and (step.position = 1 or r.state in ('executed', 'rejected', 'failed'))) as refund_events on true`

/** Each event of the payment `p`, with its refund and with the sum refunded up to then. */
const eachEvent = sql`lateral (select e.id, e.number, e.kind, e.data, r.id as refund_id, r.amount as refund_amount,
    coalesce(sum(r.amount) filter (where e.kind = 'refund.executed') over (order by e.number), 0) as given
  from events e left join refunds r on r.merchant_id = ${checkedMerchantId} and r.payment_id = e.payment_id
    and to_jsonb(r.id) = e.data -> 'refund' -> 'id'
  where e.merchant_id = ${checkedMerchantId} and e.payment_id = p.id) as e on true`

/** Expected data of an event of the payment `p`, without the status. */
const paymentData = sql`jsonb_build_object('transaction_id', p.id, 'amount', p.amount, 'currency_code', p.currency,
  'pre_auth', p.pre_auth, 'metadata', p.metadata)`

/** Minimum data about the refund in a refund event. */
const refundData = sql`case when e.refund_id is null then '{}' else jsonb_build_object('refund', jsonb_build_object(
  'transaction_id', p.id, 'amount', e.refund_amount, 'currency_code', p.currency,
  'status', case e.kind when 'refund.created' then 'under_review' else substr(e.kind, length('refund.') + 1) end)) end`

/** Checks of payments, with their refunds and events. */
export const eventChecks = checksOf(paymentRows, {
  'has events that are not numbered from 1 to its count': {
    join: sql`join ${itsEvents}`,
    where: sql`(e.count <> p.event_count or e.first <> 1 or e.last <> e.count)`,
    detail: sql`e.count || ' events, counted ' || p.event_count`,
  },
  'has an event that will never be in the list of its merchant': {
    join: sql`join ${eachEvent}`,
    where: sql`not exists (select from event_positions where merchant_id = ${checkedMerchantId} and event_id = e.id)`,
    detail: sql`'event ' || e.number`,
  },
  'has missing or duplicate events, or events out of order': {
    join: sql`left join ${itsSequence} join ${itsEvents} join ${itsRefundEvents}
      join lateral (select coalesce(life.kinds, '{}') || refund_events.kinds as kinds) as due on true`,
    where: sql`e.kinds <> due.kinds`,
    detail: sql`p.state || ': ' || ${listed(sql`e.kinds`)} || '; expected: ' || ${listed(sql`due.kinds`)}`,
  },
  'has an event whose data does not match the payment': {
    join: sql`join ${eachEvent} left join ${stateThen} left join ${shownAs}
      join lateral (select string_agg(said.name, ', ' order by said.name) as names
        from jsonb_each(${paymentData} || coalesce(shown.as_said, '{}') || ${refundData}) as said (name, value)
        where e.data -> said.name is distinct from said.value
          and not (said.name = 'refund' and e.data -> said.name @> said.value)) as wrong on true`,
    where: sql`wrong.names is not null`,
    detail: sql`'event ' || e.number || ': ' || wrong.names`,
  },
})

function listed(kinds: SqlFragment): SqlFragment {
  return sql`coalesce(nullif(array_to_string(${kinds}, ', '), ''), 'no event')`
}
