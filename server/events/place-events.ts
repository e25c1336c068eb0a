import type { Sql } from '../kit/sql.ts'
import type { EventKind } from './event.ts'
import { lockEventList, unplacedEvents, writePlaces } from './store.ts'

/** An event that has its place in the list that its merchant reads. */
export interface PlacedEvent {
  id: number
  kind: EventKind
  at: Date
  /** Counted from 1, without gaps. */
  position: number
}

/** One that has none yet. */
export interface UnplacedEvent extends Omit<PlacedEvent, 'position'> {
  paymentId: number
  number: number
}

/**
 * Gives places in their merchant's list to events that have none, at most to so many, and answers those. Guarantee: each
 * gets one place, in one list without gaps, however many do this at once; the events of one payment stand in the order of
 * their numbers; and whoever sees a place sees all before it, because the list is held until the transaction ends. So one
 * who reads on behind the last event that they know misses none, in whatever order writers commit.
 */
export async function placeEvents(
  transaction: Sql,
  merchantId: number,
  most: number,
): Promise<PlacedEvent[]> {
  const last = await lockEventList(transaction, merchantId)
  // Looked for when the list is held: what others placed meanwhile is seen by this statement.
  const unplaced = await unplacedEvents(transaction, merchantId, most)
  const placed = inOrder(unplaced)
    .slice(0, most)
    .map(({ id, kind, at }, index) => ({ id, kind, at, position: last + index + 1 }))
  if (placed.length > 0) await writePlaces(transaction, merchantId, placed)
  return placed
}

/**
 * The oldest first, but each behind those of its payment with smaller numbers: the clocks of two copies of the service
 * differ, so a later event may bear an earlier time.
 */
export function inOrder<Event extends UnplacedEvent>(events: readonly Event[]): Event[] {
  const byTime = events.toSorted((one, other) => one.at.getTime() - other.at.getTime() || one.id - other.id)
  const byNumber = events.toSorted((one, other) => one.number - other.number)
  const waiting = Map.groupBy(byNumber, ({ paymentId }) => paymentId)
  return byTime.flatMap(({ paymentId, number }) => {
    const ofPayment = waiting.get(paymentId) ?? []
    const later = ofPayment.findIndex((each) => each.number > number)
    return ofPayment.splice(0, later < 0 ? ofPayment.length : later)
  })
}
