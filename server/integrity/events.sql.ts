import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { join, sql } from '../../kit/runtime/sql.ts'
import type { EventKind } from '../events/index.ts'
import type { PaymentState, PreAuthResolution } from '../payments/for-integrity.ts'
import type { IntegrityCheck } from './payments.sql.ts'
import { paymentsInIdRangePart } from './payments.sql.ts'

/** Events of a payment in a state, without the events of its refunds: a refunded payment counts as paid. */
export interface ExpectedEventsOfState {
  state: PaymentState
  resolution: PreAuthResolution | null
  kinds: readonly EventKind[]
}

/** Events that payments must have, and the status that each shows. */
export interface ExpectedPaymentEvents {
  sequences: readonly ExpectedEventsOfState[]
  /** State of a payment at an event. At a refund event the state follows from the refunded sum. */
  stateByEvent: readonly { kind: EventKind; state: PaymentState }[]
  statusByState: readonly { state: PaymentState; as: object }[]
}

/** Checks between payments, their refunds and their events. */
export function eventIntegrityChecks({
  sequences,
  stateByEvent,
  statusByState,
}: ExpectedPaymentEvents): IntegrityCheck[] {
  const sequenceRows = sql`(values ${join(sequences.map(sequenceRow))}) as life (state, resolution, kinds)
    on life.state = case when p.state in ('partly_refunded', 'refunded') then 'paid' else p.state end
      and life.resolution is not distinct from p.resolution`
  const stateThen = sql`(values ${join(stateByEvent.map(({ kind, state }) => sql`(${kind}::text, ${state}::text)`))})
    as reached (kind, state) on reached.kind = e.kind`
  const rows = statusByState.map(({ state, as }) => sql`(${state}::text, ${JSON.stringify(as)}::jsonb)`)
  const shownAs = sql`(values ${join(rows)}) as shown (state, as_said)
    on shown.state = coalesce(reached.state, ${stateOfGiven}) and e.kind not like '%.amount_differs'`
  return [
    {
      what: 'has events that are not numbered from 1 to its count',
      where: (range) => sql`select p.merchant_id, p.id as payment_id,
          e.count || ' events, counted ' || p.event_count as detail
        from ${paymentsInIdRangePart(range)} join ${itsEvents} on true
        where e.count <> p.event_count or e.first <> 1 or e.last <> e.count`,
    },
    {
      what: 'has an event that will never be in the list of its merchant',
      where: (range) => sql`select p.merchant_id, p.id as payment_id, 'event ' || e.number as detail
        from ${paymentsInIdRangePart(range)} join ${eachEvent} on true
        where not exists (select from event_positions where merchant_id = p.merchant_id and event_id = e.id)`,
    },
    {
      what: 'has missing or duplicate events, or events out of order',
      where: (range) => sql`select p.merchant_id, p.id as payment_id,
          p.state || ': ' || ${listed(sql`e.kinds`)} || '; expected: ' || ${listed(sql`due.kinds`)} as detail
        from ${paymentsInIdRangePart(range)} left join ${sequenceRows} join ${itsEvents} on true join ${itsRefundEvents} on true
          join lateral (select coalesce(life.kinds, '{}') || refund_events.kinds as kinds) as due on true
        where e.kinds <> due.kinds`,
    },
    {
      what: 'has an event whose data does not match the payment',
      where: (range) => sql`select p.merchant_id, p.id as payment_id,
          'event ' || e.number || ': ' || string_agg(said.name, ', ' order by said.name) as detail
        from ${paymentsInIdRangePart(range)} join ${eachEvent} on true left join ${stateThen} left join ${shownAs}
          join lateral jsonb_each(${paymentData} || coalesce(shown.as_said, '{}') || ${refundData})
            as said (name, value) on true
        where e.data -> said.name is distinct from said.value and not (said.name = 'refund' and e.data -> said.name @> said.value)
        group by p.merchant_id, p.id, e.number`,
    },
  ]
}

function sequenceRow({ state, resolution, kinds }: ExpectedEventsOfState): SqlFragment {
  return sql`(${state}::text, ${resolution}::text, ${kinds}::text[])`
}

/**
 * Event kinds of the payment `p`; a refund event with the refund's id. A difference can be found at any time,
 * so its event has no fixed position and is left out.
 */
const itsEvents = sql`lateral (select count(*) as count, min(number) as first, max(number) as last,
  coalesce(array_agg(kind || coalesce(' ' || (data -> 'refund' ->> 'id'), '') order by number)
    filter (where kind not like '%.amount_differs'), '{}') as kinds
  from events where merchant_id = p.merchant_id and payment_id = p.id) as e`

/** Expected events of the refunds of `p`. Only one refund is open at a time, so their order is fixed. */
const itsRefundEvents = sql`lateral (select coalesce(array_agg(step.kind || ' ' || r.id
    order by r.requested_at, r.id, step.position), '{}') as kinds
  from refunds r, lateral (values (1, 'refund.created'), (2, 'refund.' || r.state)) as step (position, kind)
  where r.merchant_id = p.merchant_id and r.payment_id = p.id
    and (step.position = 1 or r.state in ('executed', 'rejected', 'failed'))) as refund_events`

/** Each event of the payment `p`, with its refund and with the sum refunded up to then. */
const eachEvent = sql`lateral (select e.id, e.number, e.kind, e.data, r.id as refund_id, r.amount as refund_amount,
    coalesce(sum(r.amount) filter (where e.kind = 'refund.executed') over (order by e.number), 0) as given
  from events e left join refunds r on r.merchant_id = e.merchant_id and r.payment_id = e.payment_id
    and to_jsonb(r.id) = e.data -> 'refund' -> 'id'
  where e.merchant_id = p.merchant_id and e.payment_id = p.id) as e`

const stateOfGiven = sql`case when e.given = 0 then 'paid' when e.given < p.amount then 'partly_refunded' else 'refunded' end`

/** Expected data of an event of the payment `p`, without the status. */
const paymentData = sql`jsonb_build_object('transaction_id', p.id, 'amount', p.amount, 'currency_code', p.currency,
  'pre_auth', p.pre_auth, 'metadata', p.metadata)`

/** Minimum data about the refund in a refund event. */
const refundData = sql`case when e.refund_id is null then '{}' else jsonb_build_object('refund', jsonb_build_object(
  'transaction_id', p.id, 'amount', e.refund_amount, 'currency_code', p.currency,
  'status', case e.kind when 'refund.created' then 'under_review' else substr(e.kind, length('refund.') + 1) end)) end`

function listed(kinds: SqlFragment): SqlFragment {
  return sql`coalesce(nullif(array_to_string(${kinds}, ', '), ''), 'no event')`
}
