import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eventKinds } from '../events/index.ts'
import { attemptEdges, attemptStates } from './attempts/attempt.ts'
import type { PaymentState } from './states.ts'
import { edgeBetween, edges, mostAttempts, paymentStates, stateAfterRefusal, statuses } from './states.ts'

/** Where a payment ends, and what its merchant is told there. */
const ends: Partial<Record<PaymentState, string>> = {
  paid: 'payment.succeeded',
  held: 'payment.pre_authorized',
  failed: 'payment.failed',
  expired: 'payment.expired',
}

describe('the graph of a payment', () => {
  it('reaches every state from the first one', () => {
    const reached = new Set<PaymentState>(['open'])
    for (const _ of paymentStates) for (const { from, to } of edges) if (reached.has(from)) reached.add(to)
    assert.deepEqual([...reached].toSorted(), [...paymentStates].toSorted())
  })

  it('has each way once', () => {
    const ways = edges.map(({ from, to }) => `${from} ${to}`)
    assert.equal(new Set(ways).size, ways.length)
  })

  it('leads from every state to an end, and nowhere from an end', () => {
    for (const state of paymentStates) {
      const onwards = edges.filter(({ from }) => from === state)
      assert.equal(onwards.length === 0, state in ends, state)
    }
    for (const state of paymentStates.filter((each) => each.endsWith('ing')))
      assert.ok(
        edges.some(({ from, to }) => from === state && to in ends),
        state,
      )
  })

  it('tells the merchant of every end, in one way each, and of nothing else', () => {
    for (const { to, event } of edges) assert.equal(event, ends[to], to)
    const kinds = new Set(edges.flatMap(({ event }) => event ?? []))
    assert.deepEqual([...kinds].toSorted(), [...eventKinds].toSorted())
  })

  it('is the one that the documentation shows', () => {
    const page = readFileSync(
      join(import.meta.dirname, '..', '..', 'docs', 'internals', 'payments.md'),
      'utf8',
    )
    const rows = edges.map(
      ({ from, to, when, event }) => `| \`${from}\` | \`${to}\` | ${when} |${event ? ` \`${event}\`` : ''} |`,
    )
    const shown = page.split('\n').filter((line) => /^\| `\w+` \| `\w+` \|/.test(line))
    assert.deepEqual(shown, rows)
  })

  it('knows no other way', () => {
    assert.throws(() => edgeBetween('paid', 'open'), /does not go from paid to open/)
    assert.equal(edgeBetween('authorizing', 'paid').event, 'payment.succeeded')
  })
})

describe('the graph of an attempt', () => {
  it('reaches every state from the first one', () => {
    const reached = new Set<string>(['authenticating'])
    for (const _ of attemptStates)
      for (const state of attemptStates)
        if (reached.has(state)) for (const next of attemptEdges[state]) reached.add(next)
    assert.deepEqual([...reached].toSorted(), [...attemptStates].toSorted())
  })

  it('leads out of every state in which somebody is asked', () => {
    for (const state of attemptStates)
      if (state.endsWith('ing')) assert.ok(attemptEdges[state].length > 0, state)
  })

  it('never leaves an approval', () => {
    assert.deepEqual(attemptEdges.approved, [])
  })
})

it('merchants see two numbers of every state, as the contract’s table has them', () => {
  const shown = Object.fromEntries(
    paymentStates.map((state) => [state, `${statuses[state].payment} / ${statuses[state].transaction}`]),
  )
  assert.deepEqual(shown, {
    open: 'waiting / pending',
    authenticating: 'waiting / pending',
    authorizing: 'waiting / pending',
    reversing: 'waiting / pending',
    paid: 'success / completed',
    held: 'pre_authorized / completed',
    failed: 'failed / failed',
    expired: 'failed / expired',
  })
})

it('after a refusal the payer may try again until the attempts or the time are used up', () => {
  const expiresAt = new Date(1_000)
  const after = (attemptCount: number, atMs: number) =>
    stateAfterRefusal({ attemptCount, expiresAt }, new Date(atMs))
  assert.equal(after(1, 999), 'open')
  assert.equal(after(mostAttempts - 1, 999), 'open')
  assert.equal(after(mostAttempts, 999), 'failed')
  assert.equal(after(1, 1_000), 'expired')
})
