import type { Insert, Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { empty, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { SearchResult } from '../database/search.ts'
import { maxExactCount } from '../database/search.ts'
import type { ListedEvent } from './event.ts'
import { eventPositions, events } from './event.ts'

/** Event with a position in its merchant's list. */
export type PositionedEvent = Pick<ListedEvent, 'id' | 'kind' | 'createdAt' | 'position'>

export type UnpositionedEvent = Omit<ListedEvent, 'data' | 'position'>

const unpositionedEvent = events.omit('merchantId', 'data')
const newPosition = eventPositions.omit('position')

/** Parts of a transition: the event, which waits for its position. */
export function eventParts(event: RowOf<typeof events>): Insert[] {
  const { merchantId, id: eventId, createdAt } = event
  return [events.insert(event), newPosition.insert({ merchantId, eventId, createdAt })]
}

const columns = sql`${events.omit('merchantId').columns('e')}, p.position`

/** Joins the event of each position `p`. */
function joinedEvent(merchantId: number): SqlFragment {
  return sql`join events e on e.merchant_id = ${merchantId} and e.id = p.event_id`
}

/** Event in its merchant's list; undefined without a position. */
export function eventById(database: Sql, merchantId: number, id: number): Promise<ListedEvent | undefined> {
  return database.maybe(sql`select ${columns} from event_positions p ${joinedEvent(merchantId)}
    where p.merchant_id = ${merchantId} and p.event_id = ${id} and p.position is not null`)
}

export function eventsAfterPosition(
  database: Sql,
  merchantId: number,
  position: number,
  limit: number,
): Promise<ListedEvent[]> {
  return database.many(sql`select ${columns} from event_positions p ${joinedEvent(merchantId)}
    where p.merchant_id = ${merchantId} and p.position > ${position} order by p.position limit ${limit}`)
}

/** Last assigned position in a merchant's list; 0 if there is none. */
export async function lastPosition(database: Sql, merchantId: number): Promise<number> {
  return (await database.maybe<{ last: number }>(last(merchantId)))?.last ?? 0
}

function last(merchantId: number): SqlFragment {
  return sql`select last_position as last from event_lists where merchant_id = ${merchantId}`
}

export async function lastEventId(database: Sql, merchantId: number): Promise<number | undefined> {
  const query = sql`select event_id as id from event_positions where merchant_id = ${merchantId} and position is not null
    order by position desc limit 1`
  return (await database.maybe<{ id: number }>(query))?.id
}

/**
 * Events after a given one in a merchant's list, or from the start; of one payment if it is given. Undefined
 * if the given event is not in the list.
 */
export async function eventsMatching(
  database: Sql,
  merchantId: number,
  { paymentId, after, limit }: { paymentId: number | undefined; after: number | undefined; limit: number },
): Promise<SearchResult<ListedEvent> | undefined> {
  const ofPayment = paymentId === undefined ? empty : sql`and e.payment_id = ${paymentId}`
  const count =
    paymentId === undefined
      ? last(merchantId)
      : sql`select count(*) from (select from event_positions p ${joinedEvent(merchantId)}
          where p.merchant_id = ${merchantId} ${ofPayment} and p.position is not null limit ${maxExactCount + 1}) as counted`
  // Positions of one payment's events follow their numbers, which have an index.
  const order = paymentId === undefined ? sql`p.position` : sql`e.number`
  const startPosition =
    after === undefined
      ? sql`0::bigint`
      : sql`(select position from event_positions where merchant_id = ${merchantId} and event_id = ${after})`
  const rows = await database.many<
    ListedEvent & { count: number; startPosition: number | null; id: number | null }
  >(
    sql`select tally.*, listed.* from (select ${startPosition} as "startPosition", coalesce((${count}), 0) as count) as tally
      left join lateral (select ${columns} from event_positions p ${joinedEvent(merchantId)}
        where p.merchant_id = ${merchantId} ${ofPayment} and p.position > tally."startPosition"
        order by ${order} limit ${limit + 1}) as listed on true
      order by listed.position`,
  )
  const [any] = rows
  if (!any || any.startPosition === null) return undefined
  const items = rows
    .filter(({ id }) => id !== null)
    .map(({ count: _count, startPosition: _startPosition, ...event }): ListedEvent => event)
  return { items: items.slice(0, limit), count: any.count, hasMore: items.length > limit }
}

/** Locks a merchant's list until the end of the transaction. Returns its last position. */
export async function lockEventList(transaction: Sql, merchantId: number): Promise<number> {
  const lockQuery = sql`${last(merchantId)} for update`
  const locked = await transaction.maybe<{ last: number }>(lockQuery)
  if (locked) return locked.last
  await transaction.run(sql`insert into event_lists (merchant_id, last_position) values (${merchantId}, 0)
    on conflict do nothing`)
  return (await transaction.one<{ last: number }>(lockQuery)).last
}

/**
 * The merchant's oldest events without a position, up to a limit, with all earlier unpositioned events of the
 * same payments, whose times may be later. If an event is visible, the earlier ones of its payment are too,
 * because an update starts from a committed payment.
 */
export function unpositionedEvents(
  database: Sql,
  merchantId: number,
  limit: number,
): Promise<UnpositionedEvent[]> {
  return database.many<UnpositionedEvent>(sql`select ${unpositionedEvent.columns('e')}
    from (
      select o.payment_id, max(o.number) as number from (
        select event_id from event_positions where merchant_id = ${merchantId} and position is null
        order by created_at limit ${limit}) as oldest
        join events o on o.merchant_id = ${merchantId} and o.id = oldest.event_id
      group by o.payment_id) as reach
    join events e on e.merchant_id = ${merchantId} and e.payment_id = reach.payment_id and e.number <= reach.number
    join event_positions p on p.merchant_id = ${merchantId} and p.event_id = e.id
    where p.position is null`)
}

/** Writes the positions of events in a locked list. */
export async function writePositions(
  transaction: Sql,
  merchantId: number,
  positioned: readonly PositionedEvent[],
): Promise<void> {
  const updated = await transaction.run(sql`update event_positions p set position = given.position
    from unnest(${positioned.map(({ id }) => id)}::bigint[], ${positioned.map(({ position }) => position)}::bigint[])
      as given (event_id, position)
    where p.merchant_id = ${merchantId} and p.event_id = given.event_id and p.position is null`)
  if (updated !== positioned.length) throw new Error('an event already has a position')
  await transaction.run(sql`update event_lists set last_position = ${positioned.at(-1)?.position}
    where merchant_id = ${merchantId}`)
}

/** Time of a merchant's oldest event without a position. */
export async function oldestUnpositionedAt(database: Sql, merchantId: number): Promise<Date | undefined> {
  const oldest = sql`select created_at as at from event_positions where merchant_id = ${merchantId} and position is null
    order by created_at limit 1`
  return (await database.maybe<{ at: Date }>(oldest))?.at
}

/** Events without a position. They are due at once, whatever the clock of their writer said. */
export const unpositionedTimes = sql`select merchant_id, to_timestamp(0) as due_at from event_positions
  where position is null`

/** Merchants with unpositioned events, the longest waiting first. */
export async function merchantsWithUnpositionedEvents(database: Sql): Promise<number[]> {
  const rows = await database.many<{
    merchantId: number
  }>(sql`select merchant_id as "merchantId" from event_positions
    where position is null group by merchant_id order by min(created_at), merchant_id`)
  return rows.map(({ merchantId }) => merchantId)
}
