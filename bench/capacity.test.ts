import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capacityOfCitus, capacityOfOneServer, highestRate, highestRateOfMerchant } from './capacity.ts'
import type { CapacityInputs } from './capacity-inputs.ts'
import { capacityMarkdown } from './capacity-page.ts'

const inputs: CapacityInputs = {
  measured: { on: '2026-01-01', machine: 'a machine' },
  plain: { serviceMs: 10, serverMs: 5, walBytes: 10_000, flushes: 4 },
  citus: { serviceMs: 20, coordinatorMs: 10, workersMs: 40, walBytes: 20_000, flushes: 8 },
  disk: { keptBytes: 4_000, traceBytes: 2_000 },
  traceDays: 100,
  headroom: 0.5,
  peakOverMean: 4,
  fewestInstances: 2,
  fewestWorkers: 2,
  connectionsOfInstance: 14,
  coresOfWorker: 16,
  limits: { coresOfServer: 64, connections: 2_000, walMbPerS: 50 },
}

describe('one server', () => {
  it('has cores for the work and the headroom, and disk for the mean of the day', () => {
    const { limits, ...need } = capacityOfOneServer(1_000, inputs)
    assert.deepEqual(need, {
      instances: 20,
      connections: 280,
      serverCores: 10,
      workers: undefined,
      flushesPerS: 4_000,
      walMbPerS: 10,
      diskGbPerDay: 129.6,
      walGbPerDay: 216,
      diskTbAfterYear: (21_600_000 * (365 * 4_000 + 100 * 2_000)) / 1e12,
    })
    assert.deepEqual(limits[0], { part: 'disk for the log', share: 0.2 })
  })

  it('carries payments until its fullest part is full', () => {
    assert.deepEqual(highestRate(capacityOfOneServer, inputs), {
      paymentsPerS: 5_000,
      part: 'disk for the log',
    })
  })
})

describe('Citus', () => {
  it('gets workers until none is too busy', () => {
    assert.equal(capacityOfCitus(1, inputs).workers, 2)
    assert.equal(capacityOfCitus(1_000, inputs).workers, 5)
  })

  it('is full when its coordinator or its connections are', () => {
    const rateWith = (coordinatorMs: number) =>
      highestRate(capacityOfCitus, { ...inputs, citus: { ...inputs.citus, coordinatorMs } })
    assert.deepEqual(rateWith(10), { paymentsPerS: 3_200, part: 'processors of the coordinator' })
    assert.deepEqual(rateWith(5), { paymentsPerS: 3_550, part: 'connections' })
  })

  it('carries a merchant as far as one worker does', () => {
    assert.equal(highestRateOfMerchant(inputs), 200)
  })
})

it('the page names every rate, cost and assumption', () => {
  const page = capacityMarkdown(inputs)
  for (const text of [
    '10 000 payments/s',
    '| of all workers, ms |  | 40 |',
    '50 % of every processor',
    '2026-01-01',
  ])
    assert.ok(page.includes(text), text)
})
