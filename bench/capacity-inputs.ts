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
  plain: { serviceMs: 19.7, serverMs: 9.95, walBytes: 21_800, flushes: 8.5 },
  citus: { serviceMs: 25.2, coordinatorMs: 26.9, workersMs: 31.7, walBytes: 20_000, flushes: 9.3 },
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
