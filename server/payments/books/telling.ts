import type { PaymentState } from '../states.ts'
import { edgeBetween, edges, paymentStates, writtenState } from '../states.ts'
import { shownStatus } from '../transaction.ts'
import type { Life, Telling } from './told/store.ts'

/** The ways that end in something that a merchant is told of, or that go on from there. */
const ways: readonly (readonly PaymentState[])[] = [
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

/** What merchants are told of payments, by the graph that payments go along. */
export const telling: Telling = {
  lives: ways.map(lifeOf),
  reached: edges.flatMap(({ to, event }) =>
    event && !event.startsWith('refund.') ? [{ kind: event, state: to }] : [],
  ),
  shown: paymentStates.map((state) => ({ state, as: shownStatus(state) })),
}

function lifeOf(way: readonly PaymentState[]): Life {
  const steps = way.slice(1).map((to, index) => edgeBetween(way[index] ?? to, to))
  const resolution = way.includes('capturing') ? 'capture' : way.includes('releasing') ? 'release' : null
  const state = writtenState(way.at(-1) ?? 'open')
  return { state, resolution, kinds: steps.flatMap(({ event }) => event ?? []) }
}
