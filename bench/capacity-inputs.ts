/** Costs of one whole payment with 3-D Secure, and assumptions about machines and load. */
export interface CapacityInputs {
  /** Day and machine of the measurement. */
  measured: { on: string; machine: string }
  /** Costs on one PostgreSQL server. Times are of a processor core. */
  plain: { serviceMs: number; serverMs: number; walBytes: number; flushes: number }
  /** Costs on a Citus; those of the workers are sums over all of them. */
  citus: { serviceMs: number; coordinatorMs: number; workersMs: number; walBytes: number; flushes: number }
  /** Bytes of tables and indexes. Traces are deleted after `traceDays`. */
  disk: { keptBytes: number; traceBytes: number }
  traceDays: number
  /** Share of each processor that stays free at the peak. */
  headroom: number
  /** Rate at the peak, divided by the mean of a day. */
  peakOverMean: number
  fewestInstances: number
  fewestWorkers: number
  connectionsOfInstance: number
  coresOfWorker: number
  /** Limits of one large machine. */
  limits: { coresOfServer: number; connections: number; walMbPerS: number }
}

/**
 * Measured costs come from `npm run bench:scale`: the line `whole_payment costs`. Bytes on disk are in
 * docs/decisions/0031-one-baseline-one-map.md.
 */
export const capacityInputs: CapacityInputs = {
  measured: { on: '2026-11-19', machine: 'x64, 2 cores at 2.5 GHz (virtual), all servers on one machine' },
  plain: { serviceMs: 18, serverMs: 7.4, walBytes: 12_000, flushes: 6.3 },
  citus: { serviceMs: 27, coordinatorMs: 25, workersMs: 27, walBytes: 11_900, flushes: 8.6 },
  disk: { keptBytes: 4_660, traceBytes: 2_070 },
  traceDays: 90,
  headroom: 0.5,
  peakOverMean: 4,
  fewestInstances: 2,
  fewestWorkers: 2,
  connectionsOfInstance: 14,
  coresOfWorker: 16,
  limits: { coresOfServer: 64, connections: 2_000, walMbPerS: 500 },
}
