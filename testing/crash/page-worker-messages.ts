import type { Config } from '../../server/config.ts'

/** Input of the payment page as a process of its own. */
export interface PageWorkerInput {
  databaseUrl: string
  config: Config
  now: string
  /** The boundary that each payment comes to and no further, by its id; null for one that goes all the way. */
  stops: Record<string, string | null>
}

/** Commands to it. Without them its clock stands still. */
export type PageWorkerCommand =
  | { command: 'serve'; input: PageWorkerInput }
  | { command: 'advance'; ms: number }
  /** To go on with the authentications of these attempts, by the payments that they are of. */
  | { command: 'process'; attempts: Record<string, { merchantId: number; attemptId: number }> }
  /** Nobody comes any more. */
  | { command: 'die' }

/** Reports from it. */
export type PageWorkerReport =
  | { report: 'serving'; address: string }
  /** A payment has come to its boundary. */
  | { report: 'stopped'; id: string }
  /** The boundaries that each payment came to, in the order of the orders. */
  | { report: 'end'; boundaries: string[][] }
