import type { Services } from '../../services.ts'
import { recordAnsweredCall } from '../records/bank-call.sql.ts'
import type { BankCall, BankCallOperation, BankCallSubject } from '../records/bank-call.ts'
import type { BankAnswerOrChargeStatus, UnknownResponse } from './ask-bank.ts'
import { askBank, newBankCall, newUnknownResponse } from './ask-bank.ts'

/** Lease length, in bank timeouts. */
const leaseInTimeouts = 3

/** Time limit of a connector, in bank timeouts. A connector that takes longer has a bug. */
const connectorLimitInTimeouts = 2

/**
 * Longest delay between recording a call and making it. A process that was paused for longer must not call.
 */
export const maxRecordToCallDelayMs = 10_000

/** Longest lease, in seconds. */
export function longestLeaseS({ bankTimeoutSeconds }: Services['config']): number {
  return bankTimeoutSeconds * leaseInTimeouts
}

/** Leases that began before this time have expired. */
export function leaseCutoff({ clock, config }: Pick<Services, 'clock' | 'config'>): Date {
  return new Date(clock.now().getTime() - longestLeaseS(config) * 1000)
}

/**
 * Reads and writes of the leased row. `State` is its current state; a `Verdict` is the decision after an
 * answer.
 */
export interface BankCallLeaseWriter<State, Verdict> {
  subject(state: State): BankCallSubject
  /**
   * Postpones the due time and records the call, with the last answer; undefined if another worker was first.
   */
  lease(
    state: State,
    dueAt: Date,
    calls: { bankCall: BankCall; answeredCall?: BankCall },
  ): Promise<State | undefined>
  /** Applies the answer to the current state. */
  settle(state: State, answeredCall: BankCall, decide: (state: State) => Verdict): Promise<State>
}

/**
 * Lease on due work. Guarantee: if several instances process the same work, one asks the bank; if it is
 * killed, another gets the lease after it expires; and the lease ends even if a connector never answers.
 */
export class BankCallLease<State, Verdict> {
  readonly #services: Services
  readonly #target: BankCallLeaseWriter<State, Verdict>
  #state: State
  /** Answer that is not recorded yet. */
  #answeredCall: BankCall | undefined

  constructor(services: Services, target: BankCallLeaseWriter<State, Verdict>, state: State) {
    this.#services = services
    this.#target = target
    this.#state = state
  }

  /** Records the call, together with the last answer, and makes it. Undefined if another worker was first. */
  async ask<Reply extends BankAnswerOrChargeStatus>(
    operation: BankCallOperation,
    ask: () => Promise<Reply>,
  ): Promise<Reply | UnknownResponse | undefined> {
    const services = this.#services
    const dueAt = new Date(services.clock.now().getTime() + longestLeaseS(services.config) * 1000)
    const bankCall = await newBankCall(services, this.#target.subject(this.#state), operation)
    const answeredCall = this.#answeredCall
    const leased = await this.#target.lease(this.#state, dueAt, {
      bankCall,
      ...(answeredCall && { answeredCall }),
    })
    if (!leased) {
      if (answeredCall) await recordAnsweredCall(services.sql, answeredCall)
      return undefined
    }
    this.#state = leased
    const exchange = await askBank<Reply | UnknownResponse>(services, bankCall, () => {
      const waitedMs = services.clock.now().getTime() - bankCall.askedAt.getTime()
      return waitedMs > maxRecordToCallDelayMs ? stoodStill() : inTime(services, ask())
    })
    this.#answeredCall = exchange.answeredCall
    return exchange.response
  }

  /** Ends the lease by applying the last answer. */
  end(decide: (state: State) => Verdict): Promise<State> {
    if (!this.#answeredCall) throw new Error('a lease ends before its bank was asked')
    return this.#target.settle(this.#state, this.#answeredCall, decide)
  }
}

async function stoodStill(): Promise<UnknownResponse> {
  return newUnknownResponse('the bank was not asked, because the process was paused too long')
}

/**
 * Limits the time of a connector, because a promise that never settles would block its lane. The charge
 * itself has no such limit: an approval counts however late it arrives. Calls made here are repeated.
 */
async function inTime<Reply>(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  reply: Promise<Reply>,
): Promise<Reply> {
  const replyArrived = new AbortController()
  const late = clock
    .sleep(config.bankTimeoutSeconds * 1000 * connectorLimitInTimeouts, replyArrived.signal)
    .then(() => {
      throw new Error('the connector did not answer in time')
    })
  try {
    return await Promise.race([reply, late])
  } finally {
    replyArrived.abort()
  }
}
