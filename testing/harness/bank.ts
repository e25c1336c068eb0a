import { after } from 'node:test'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { raw } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { ChargeSummary } from '../../sandbox/index.ts'
import {
  chargeSummaries,
  createSandboxTables,
  processDueChallenges,
  sandboxApp,
} from '../../sandbox/index.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import { silentLog } from './database.ts'

export { nestpayCards } from '../../sandbox/index.ts'

/** The sandbox bank on loopback. */
export interface TestBank {
  address: string
  /** All of the bank's records at its current time. */
  book(): Promise<ChargeSummary[]>
  /** The bank's record of this reference, or of the attempt with this id. */
  line(reference: string): Promise<ChargeSummary | undefined>
  /** Runs once the work that the bank does every second. */
  processDue(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a bank on this database and clock until the test ends. Several banks on one database share its
 * records.
 */
export async function testBank(options: { sql: BatchingSql; clock: Clock; log?: Log }): Promise<TestBank> {
  const { sql, clock, log = silentLog } = options
  await createSandboxTables(sql)
  const app = sandboxApp({ sql, clock, random: systemRandom, log })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const close = () => app.close()
  after(close)
  const book = () => chargeSummaries(sql, clock.now())
  const line = async (reference: string) =>
    (await book()).find((each) => each.reference === reference || attemptIdOf(each) === reference)
  const processDue = () =>
    processDueChallenges({ sql, clock, random: systemRandom, log, http: networkHttpClient(clock) })
  return { address, book, line, processDue, close }
}

const tables = [
  'authentications',
  'charges',
  'charge_operations',
  'fault_occurrences',
  'gate_sessions',
  'terminals',
]

/** Empties the bank's records, for tests that use one database in turn. */
export async function clearBankBook(sql: Sql): Promise<void> {
  for (const table of tables) await sql.run(raw(`delete from sandbox.${table}`))
}

/** Attempt id of a charge: the beginning of its reference. */
export function attemptIdOf({ reference }: Pick<ChargeSummary, 'reference'>): string {
  return reference.slice(0, 14)
}
