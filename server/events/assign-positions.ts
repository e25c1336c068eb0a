import type { Sql } from '../../kit/runtime/sql.ts'
import type { PositionedEvent, UnpositionedEvent } from './store.ts'
import { lockEventList, unpositionedEvents, writePositions } from './store.ts'

/**
 * Assigns positions in a merchant's list to events without one, up to a limit, and returns those events.
 * Guarantees:
 *
 * - Each event gets one position, without gaps, even if several instances run this at the same time.
 * - The events of a payment are in the order of their numbers.
 * - A reader that sees a position sees all earlier ones, because the list is locked until the transaction ends.
 *
 * A reader that continues after its last event therefore misses none, in any order of commits.
 */
export async function assignPositions(
  transaction: Sql,
  merchantId: number,
  limit: number,
): Promise<PositionedEvent[]> {
  const last = await lockEventList(transaction, merchantId)
  // Read after the lock, so that this query sees positions that other instances have assigned.
  const unpositioned = await unpositionedEvents(transaction, merchantId, limit)
  const positioned = inPositionOrder(unpositioned)
    .slice(0, limit)
    .map(({ id, kind, createdAt }, index) => ({ id, kind, createdAt, position: last + index + 1 }))
  if (positioned.length > 0) await writePositions(transaction, merchantId, positioned)
  return positioned
}

/**
 * Oldest events first, but each after the earlier events of its payment. Clocks of two instances differ, so a
 * later event can have an earlier time.
 */
export function inPositionOrder<Event extends UnpositionedEvent>(events: readonly Event[]): Event[] {
  const byTime = events.toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.id - other.id,
  )
  const byNumber = events.toSorted((one, other) => one.number - other.number)
  const waiting = Map.groupBy(byNumber, ({ paymentId }) => paymentId)
  return byTime.flatMap(({ paymentId, number }) => {
    const ofPayment = waiting.get(paymentId) ?? []
    const later = ofPayment.findIndex((each) => each.number > number)
    return ofPayment.splice(0, later < 0 ? ofPayment.length : later)
  })
}
