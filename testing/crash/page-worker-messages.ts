import type { Config } from '../../server/config.ts'

/** Input of a page worker, a process that serves the payment page. */
export interface PageWorkerInput {
  databaseUrl: string
  config: Config
  now: string
  /** Boundary at which each payment stops, by payment id; null for a payment that runs to its end. */
  stops: Record<string, string | null>
}

/** Commands to a page worker. Its clock advances only by command. */
export type PageWorkerCommand =
  | { command: 'serve'; input: PageWorkerInput }
  | { command: 'advance'; ms: number }
  /** Processes the authentications of these attempts, by payment id. */
  | { command: 'process'; attempts: Record<string, { merchantId: number; attemptId: number }> }
  /** No more requests will come; the worker kills itself. */
  | { command: 'die' }

/** Reports of a page worker. */
export type PageWorkerReport =
  | { report: 'serving'; address: string }
  /** A payment has reached its boundary. */
  | { report: 'stopped'; id: string }
  /** Boundaries that each payment reached, in the order of `stops`. */
  | { report: 'end'; boundaries: string[][] }
