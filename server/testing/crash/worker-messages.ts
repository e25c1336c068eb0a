import type { Config } from '../../config.ts'

/** What a cashier is told when it starts. */
export interface WorkerInput {
  databaseUrl: string
  config: Config
  now: string
  merchantId: number
  jobs: readonly WorkerJob[]
}

/**
 * One whole attempt with this card; to attend to an attempt or a deed whose time has come; to verify an approval; to resolve what is held, to ask
 * for a refund of a payment, or to review one.
 */
export type WorkerTask =
  | { kind: 'pay'; card: string }
  | { kind: 'attempt' }
  | { kind: 'modification' }
  | { kind: 'verify' }
  | { kind: 'resolve'; resolution: 'capture' | 'release' }
  | { kind: 'request'; amountMinor: number }
  | { kind: 'review' }

/** What is to be done to a payment, an attempt, a deed or a refund, and which boundary it comes to and no further, counted from 0. */
export interface WorkerJob {
  work: WorkerTask
  id: number
  diesAt: number
}

/** A boundary that nobody comes to. */
export const noBoundary = -1

/** What it is told while it runs: its clock stands still otherwise. */
export interface AdvanceClock {
  advanceMs: number
}

/** What it tells, a line each. */
export type WorkerReport =
  /** All that are not at their boundary wait for the bank. */
  | { report: 'waiting'; waiting: number }
  /** The boundaries that each came through, in their order, with the one that it stopped at. */
  | { report: 'end'; traces: string[][] }
