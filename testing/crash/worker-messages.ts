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
 * Tasks of a worker: pay with a card, process a due attempt or modification, verify an approval, resolve a
 * hold, request a refund, or review one.
 */
export type WorkerTask =
  | { kind: 'pay'; card: string }
  | { kind: 'attempt' }
  | { kind: 'modification' }
  | { kind: 'verify' }
  | { kind: 'resolve'; resolution: 'capture' | 'release' }
  | { kind: 'request'; amountMinor: number }
  | { kind: 'review' }

/**
 * Task on a payment, an attempt, a modification or a refund, and the boundary at which it stops, counted from
 * 0.
 */
export interface WorkerJob {
  work: WorkerTask
  id: number
  diesAt: number
}

/** A boundary that no job reaches. */
export const noBoundary = -1

/** Command to a running worker. Its clock advances only by command. */
export interface AdvanceClock {
  advanceMs: number
}

/** Reports of a worker, one per line. */
export type WorkerReport =
  /** All jobs that are not at their boundary wait for the bank. */
  | { report: 'waiting'; waiting: number }
  /** Boundaries that each job passed, in order, the last one included. */
  | { report: 'end'; traces: string[][] }
