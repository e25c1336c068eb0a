import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { attemptEdges, attemptStates } from './attempt.ts'
import type { PaymentState } from './states.ts'
import {
  maxAttempts,
  paymentStateEdgeBetween,
  paymentStateEdges,
  paymentStates,
  shownStatusesByState,
  stateAfterFailedAttempt,
  withStateByRefundedAmount,
} from './states.ts'

/** Events that a payment may emit when it enters a state. All other states have none. */
const eventsByState: Partial<Record<PaymentState, readonly string[]>> = {
  paid: ['payment.succeeded', 'pre_auth.completed'],
  held: ['payment.pre_authorized'],
  partly_refunded: ['refund.executed'],
  refunded: ['refund.executed'],
  failed: ['payment.failed', 'pre_auth.failed'],
  expired: ['payment.expired'],
}

describe('the graph of a payment', () => {
  it('reaches every state from the first one', () => {
    const reached = new Set<PaymentState>(['open'])
    for (const _ of paymentStates)
      for (const { from, to } of paymentStateEdges) if (reached.has(from)) reached.add(to)
    assert.deepEqual([...reached].toSorted(), [...paymentStates].toSorted())
  })

  it('has each transition once', () => {
    const pairs = paymentStateEdges.map(({ from, to }) => `${from} ${to}`)
    assert.equal(new Set(pairs).size, pairs.length)
  })

  it('leads from every state that ends in -ing to a lasting state, and has no transition out of the final states', () => {
    const last = paymentStates.filter((state) => !paymentStateEdges.some(({ from }) => from === state))
    assert.deepEqual(last, ['refunded', 'failed', 'expired'])
    for (const state of paymentStates.filter((each) => each.endsWith('ing')))
      assert.ok(
        paymentStateEdges.some(({ from, to }) => from === state && to in eventsByState),
        state,
      )
  })

  it('emits an event on entering every lasting state, and on no other transition', () => {
    for (const { to, event } of paymentStateEdges)
      assert.ok(event ? eventsByState[to]?.includes(event) : !(to in eventsByState), `${to} ${event}`)
    const kinds = new Set(paymentStateEdges.flatMap(({ event }) => event ?? []))
    assert.deepEqual([...kinds].toSorted(), [...new Set(Object.values(eventsByState).flat())].toSorted())
  })

  it('leaves a hold only by a resolution, and the paid state only by refunds', () => {
    const behind = (state: PaymentState) =>
      paymentStateEdges.filter(({ from }) => from === state).map(({ to }) => to)
    assert.deepEqual(behind('held'), ['capturing', 'releasing'])
    assert.deepEqual(behind('releasing'), ['failed'])
    assert.deepEqual(behind('paid'), ['partly_refunded', 'refunded'])
    assert.deepEqual(behind('partly_refunded'), ['refunded'])
  })

  it('is the graph in the documentation', () => {
    const page = readFileSync(
      join(import.meta.dirname, '..', '..', '..', 'docs', 'internals', 'payments.md'),
      'utf8',
    )
    const rows = paymentStateEdges.map(
      ({ from, to, when, event }) => `| \`${from}\` | \`${to}\` | ${when} |${event ? ` \`${event}\`` : ''} |`,
    )
    const shown = page.split('\n').filter((line) => /^\| `\w+` \| `\w+` \|/.test(line))
    assert.deepEqual(shown, rows)
  })

  it('has no other transition', () => {
    assert.throws(() => paymentStateEdgeBetween('paid', 'open'), /does not go from paid to open/)
    assert.equal(paymentStateEdgeBetween('authorizing', 'paid').event, 'payment.succeeded')
  })
})

it('the state of a paid payment follows from its refunded amount', () => {
  const stateAfter = (refundedMinor: number) =>
    withStateByRefundedAmount({ amountMinor: 100, refundedMinor }).state
  assert.deepEqual([0, 1, 99, 100].map(stateAfter), [
    'paid',
    'partly_refunded',
    'partly_refunded',
    'refunded',
  ])
})

describe('the graph of an attempt', () => {
  it('reaches every state from the first one', () => {
    const reached = new Set<string>(['authenticating'])
    for (const _ of attemptStates)
      for (const state of attemptStates)
        if (reached.has(state)) for (const next of attemptEdges[state]) reached.add(next)
    assert.deepEqual([...reached].toSorted(), [...attemptStates].toSorted())
  })

  it('has a transition out of every state that ends in -ing', () => {
    for (const state of attemptStates)
      if (state.endsWith('ing')) assert.ok(attemptEdges[state].length > 0, state)
  })

  it('never leaves an approval', () => {
    assert.deepEqual(attemptEdges.approved, [])
  })
})

it('merchants see two statuses for every state, as in the contract’s table', () => {
  const shown = Object.fromEntries(
    paymentStates.map((state) => [
      state,
      `${shownStatusesByState[state].payment} / ${shownStatusesByState[state].transaction}`,
    ]),
  )
  assert.deepEqual(shown, {
    open: 'waiting / pending',
    authenticating: 'waiting / pending',
    authorizing: 'waiting / pending',
    reversing: 'waiting / pending',
    paid: 'success / completed',
    held: 'pre_authorized / completed',
    capturing: 'pre_authorized / completed',
    releasing: 'pre_authorized / completed',
    partly_refunded: 'partially_refunded / completed',
    refunded: 'refunded / completed',
    failed: 'failed / failed',
    expired: 'failed / expired',
  })
})

it('after a decline the payer can try again until the attempts or the time are used up', () => {
  const expiresAt = new Date(1_000)
  const after = (attemptCount: number, atMs: number) =>
    stateAfterFailedAttempt({ attemptCount, expiresAt }, new Date(atMs))
  assert.equal(after(1, 999), 'open')
  assert.equal(after(maxAttempts - 1, 999), 'open')
  assert.equal(after(maxAttempts, 999), 'failed')
  assert.equal(after(1, 1_000), 'expired')
})
