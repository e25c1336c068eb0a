import { listEventsRoute } from './list-events.ts'
import { readEventRoute } from './read-event.ts'

export { assignPositions } from './assign-positions.ts'
export type { EventKind, ListedEvent, PaymentEvent } from './event.ts'
export { eventBody, eventIdParams, eventKinds, events } from './event.ts'
export type { NewEvents } from './new-events.ts'
export { noteNewEvent, takeNewEvents } from './new-events.ts'
export { requireEvent } from './read-event.ts'
export type { PositionedEvent } from './store.ts'
export {
  eventParts,
  eventsAfterPosition,
  lastPosition,
  merchantsWithUnpositionedEvents,
  oldestUnpositionedAt,
  unpositionedTimes,
} from './store.ts'

export const eventRoutes = [listEventsRoute, readEventRoute]
