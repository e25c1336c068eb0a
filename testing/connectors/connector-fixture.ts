import type { ChargeSummary } from '../../sandbox/index.ts'
import type {
  BankApproval,
  BankChargeRequest,
  ChargeStatus,
  EchoedTerms,
  PosAccess,
} from '../../server/connectors/index.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import type { TestClock } from '../harness/clock.ts'

type TakenCharge = Extract<ChargeStatus, { status: 'taken' | 'held' }>

/** Fixture of a connector: a bank, and the facts about its protocol that the suite needs. */
export interface ConnectorFixture {
  /** Starts a bank for one test, with empty records in this database. */
  open(database: BatchingSql): Promise<OpenConnectorFixture>
  /** Amount of every charge. */
  amountMinor: number
  currency: string
  /** Terms of the request that an approval echoes. */
  shows: readonly (keyof EchoedTerms)[]
  /** Answer to an inquiry about a charge with this approval. */
  repeats(approval: BankApproval): Omit<TakenCharge, 'status'>
  /** The bank's answer with another reference or amount. */
  lie(body: string, about: 'reference' | 'amount'): string
  /** Copies of an approval, each with one field that contradicts it, for every such field of the protocol. */
  contradictions(approval: string): string[]
  /** Secrets that answers and the log must not contain. */
  unspeakable: readonly string[]
}

export interface OpenConnectorFixture {
  /** Access to the bank, or with the same secrets to another address. */
  access(elsewhere?: string): PosAccess
  clock: TestClock
  /** A charge request that the bank approves or declines. All steps before the request are done. */
  chargeThat(
    will: 'approve' | 'decline',
    reference: string,
    options?: { preAuth: boolean },
  ): Promise<BankChargeRequest>
  /** A charge request with this card. All steps before the request are done. */
  chargeBy(number: string, reference: string, options?: { preAuth: boolean }): Promise<BankChargeRequest>
  /** The bank's own record of this reference. */
  line(reference: string): Promise<ChargeSummary | undefined>
  /** Amount taken for this reference in the bank's records; undefined if it is unknown there. */
  taken(reference: string): Promise<number | undefined>
}
