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

/** Fixture of a connector: a bank that answers, and what the suite must know of its language. */
export interface ConnectorFixture {
  /** Starts a bank for one test, with an empty book in this database. */
  open(database: BatchingSql): Promise<OpenConnectorFixture>
  /** What every charge here is of. */
  amountMinor: number
  currency: string
  /** What an approval names of what was asked for. */
  shows: readonly (keyof EchoedTerms)[]
  /** What a query says of a charge that was approved like this. */
  repeats(approval: BankApproval): Omit<TakenCharge, 'status'>
  /** The bank's answer with something else in it than what was asked for. */
  lie(body: string, about: 'reference' | 'amount'): string
  /** An approval with one field that says that it is a refusal, in each way that the bank's form has room for. */
  contradictions(approval: string): string[]
  /** What the answers and the log must not hold. */
  unspeakable: readonly string[]
}

export interface OpenConnectorFixture {
  /** The way to the bank, or with the same secrets to whoever is at another address. */
  access(elsewhere?: string): PosAccess
  clock: TestClock
  /** A charge that the bank approves, or declines, with all that has to be done before it is asked for. */
  chargeThat(
    will: 'approve' | 'decline',
    reference: string,
    options?: { preAuth: boolean },
  ): Promise<BankChargeRequest>
  /** A charge with this card, with all that has to be done before it is asked for. */
  chargeBy(number: string, reference: string, options?: { preAuth: boolean }): Promise<BankChargeRequest>
  /** The line of the bank's own book about this reference. */
  line(reference: string): Promise<ChargeSummary | undefined>
  /** What the bank has taken for this reference, by its own book; undefined when it does not know it. */
  taken(reference: string): Promise<number | undefined>
}
