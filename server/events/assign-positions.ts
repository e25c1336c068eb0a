import type { Sql } from '../../kit/runtime/sql.ts'
import type { PositionedEvent, UnpositionedEvent } from './store.ts'
import { lockEventList, unpositionedEvents, writePositions } from './store.ts'

/**
 * Gives positions in their merchant's list to events that have none, at most to so many, and answers those. Guarantee: each
 * gets one position, in one list without gaps, however many do this at once; the events of one payment are in the order of
 * their numbers; and whoever sees a position sees all before it, because the list is locked until the transaction ends. So
 * one who reads on behind the last event that they know misses none, in whatever order writers commit.
 */
export async function assignPositions(
  transaction: Sql,
  merchantId: number,
  limit: number,
): Promise<PositionedEvent[]> {
  const last = await lockEventList(transaction, merchantId)
  // Read after the list is locked: this query sees the positions that others gave meanwhile.
  const unpositioned = await unpositionedEvents(transaction, merchantId, limit)
  const positioned = inPositionOrder(unpositioned)
    .slice(0, limit)
    .map(({ id, kind, at }, index) => ({ id, kind, at, position: last + index + 1 }))
  if (positioned.length > 0) await writePositions(transaction, merchantId, positioned)
  return positioned
}

/**
 * The oldest first, but each behind those of its payment with smaller numbers: the clocks of two instances
 * differ, so a later event may bear an earlier time.
 */
export function inPositionOrder<Event extends UnpositionedEvent>(events: readonly Event[]): Event[] {
  const byTime = events.toSorted((one, other) => one.at.getTime() - other.at.getTime() || one.id - other.id)
  const byNumber = events.toSorted((one, other) => one.number - other.number)
  const waiting = Map.groupBy(byNumber, ({ paymentId }) => paymentId)
  return byTime.flatMap(({ paymentId, number }) => {
    const ofPayment = waiting.get(paymentId) ?? []
    const later = ofPayment.findIndex((each) => each.number > number)
    return ofPayment.splice(0, later < 0 ? ofPayment.length : later)
  })
}
