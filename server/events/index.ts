export type { EventKind, PaymentEvent } from './event.ts'
export { eventKinds } from './event.ts'
export { eventPart } from './store.ts'
