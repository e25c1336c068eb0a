import type { Config } from '../../server/config.ts'

/** Input of a payment worker. */
export interface WorkerInput {
  databaseUrl: string
  config: Config
  now: string
  merchantId: number
  jobs: readonly WorkerJob[]
}

/**
 * Tasks of a worker: pay with this card; process an attempt or a modification that is due; verify an approval; resolve
 * what is held; ask for a refund of a payment, or review one.
 */
export type WorkerTask =
  | { kind: 'pay'; card: string }
  | { kind: 'attempt' }
  | { kind: 'modification' }
  | { kind: 'verify' }
  | { kind: 'resolve'; resolution: 'capture' | 'release' }
  | { kind: 'request'; amountMinor: number }
  | { kind: 'review' }

/** Work on a payment, an attempt, a modification or a refund, and the boundary at which it stops, counted from 0. */
export interface WorkerJob {
  work: WorkerTask
  id: number
  diesAt: number
}

/** A boundary that nobody comes to. */
export const noBoundary = -1

/** Command to it while it runs. Without it its clock stands still. */
export interface AdvanceClock {
  advanceMs: number
}

/** Reports from it, a line each. */
export type WorkerReport =
  /** All that are not at their boundary wait for the bank. */
  | { report: 'waiting'; waiting: number }
  /** The boundaries that each came through, in their order, with the one that it stopped at. */
  | { report: 'end'; traces: string[][] }
