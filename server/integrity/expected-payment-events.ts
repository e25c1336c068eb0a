import type { PaymentState } from '../payments/for-integrity.ts'
import {
  paymentStateEdgeBetween,
  paymentStateEdges,
  paymentStates,
  shownStatusFields,
} from '../payments/for-integrity.ts'
import type { ExpectedEventsOfState, ExpectedPaymentEvents } from './events.sql.ts'

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

/** Events that payments must have, derived from the state graph. */
export const expectedPaymentEvents: ExpectedPaymentEvents = {
  sequences: statePaths.map(sequenceOf),
  stateByEvent: paymentStateEdges.flatMap(({ to, event }) =>
    event && !event.startsWith('refund.') ? [{ kind: event, state: to }] : [],
  ),
  statusByState: paymentStates.map((state) => ({ state, as: shownStatusFields(state) })),
}

function sequenceOf(path: readonly PaymentState[]): ExpectedEventsOfState {
  const steps = path.slice(1).map((to, index) => paymentStateEdgeBetween(path[index] ?? to, to))
  const resolution = path.includes('capturing') ? 'capture' : path.includes('releasing') ? 'release' : null
  const state = path.at(-1) ?? 'open'
  return { state, resolution, kinds: steps.flatMap(({ event }) => event ?? []) }
}
