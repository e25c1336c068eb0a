import { listEventsRoute } from './list-events.ts'
import { readEventRoute } from './read-event.ts'

export type { EventKind, ListedEvent, PaymentEvent } from './event.ts'
export { eventBody, eventId, eventKinds } from './event.ts'
export type { PlacedEvent } from './place-events.ts'
export { placeEvents } from './place-events.ts'
export { readEvent } from './read-event.ts'
export {
  eventById,
  eventPart,
  eventsBehind,
  lastPosition,
  merchantsWithNewEvents,
  waitingSince,
} from './store.ts'

export const eventRoutes = [listEventsRoute, readEventRoute]
