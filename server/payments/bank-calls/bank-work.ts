import { later, within } from '../../../kit/runtime/clock.ts'
import type { Sql } from '../../../kit/runtime/sql.ts'
import type { Bank } from '../../connectors/index.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantById } from '../../merchants/index.ts'
import { openPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import type { Attempt } from '../records/attempt.ts'
import { recordAnsweredCall } from '../records/bank-call.sql.ts'
import type { BankCall, BankCallOperation, BankCallSubject } from '../records/bank-call.ts'
import type { WorkTable } from '../records/bank-work.sql.ts'
import type { Modification } from '../records/modification.ts'
import type { Payment } from '../records/payment.ts'
import type { Verification } from '../records/verification.ts'
import { newVerification } from '../records/verification.ts'
import { conflictSentinel, retryOnConflict } from '../transitions/retry-on-conflict.ts'
import type { Transition } from '../transitions/transition.ts'
import { applyTransition } from '../transitions/transition.ts'
import type { BankAnswerOrChargeStatus, UnknownResponse } from './ask-bank.ts'
import { askBank, newBankCall, newUnknownResponse } from './ask-bank.ts'

/**
 * Records that work at a bank reads and changes together. The work itself is the verification, else the
 * modification, else the attempt.
 */
export interface BankWorkState {
  payment: Payment
  attempt: Attempt
  modification?: Modification
  verification?: Verification
}

/** Changes that follow from a bank's answer or from a manual decision. */
export interface Decision extends Partial<BankWorkState> {
  /** True if an amount was approved that the bank's answer did not name. */
  needsVerification?: boolean
}

/** Changes of other records that follow from a decision. */
export interface DecisionEffects
  extends Pick<
    Transition,
    'payment' | 'attempt' | 'eventToEmit' | 'postings' | 'newModification' | 'extraWrites'
  > {
  /** Runs after the write. */
  afterWrite?: () => void
}

/**
 * Work that a bank is asked for until its outcome is known: the charge of an attempt, a modification of it, or
 * the verification of an approval. `processBankWork` is the life cycle of all three; this is what differs.
 */
export interface BankWork<State extends BankWorkState> {
  readonly table: WorkTable
  read(database: Sql, ownedId: OwnedId): Promise<State | undefined>
  /** Change of the row that leases it until `dueAt` for a call. */
  leased(services: Services, state: State, dueAt: Date, bankCall: BankCall): Omit<Transition, 'before'>
  /** Asks the bank, and returns how its answer decides. Undefined if another instance was first. */
  ask(
    services: Services,
    state: State,
    lease: BankCallLease<State>,
  ): Promise<((state: State) => Decision) | undefined>
  /** True if an answer has no effect any more. `seen` is the state when the bank was asked. */
  isStale?(seen: State, before: State, decision: Decision): boolean
  effects?(
    services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
    merchant: Merchant,
    decided: State,
  ): Promise<DecisionEffects>
  /** Logs that the work needs manual review. */
  warnOfReview(log: Services['log'], state: State): void
}

/**
 * Processes work that is due: lease, ask, decide, settle. Guarantee:
 * - Each call is recorded before it is made.
 * - If several instances process the same work, one asks the bank. If it is killed, the work is due again when
 * its lease ends, and another instance takes over. A round that was killed does not count as
 * a try.
 * - Work that has not ended always has a due time, so it is always processed again.
 *
 * Returns true if there was something to do.
 */
export async function processBankWork<State extends BankWorkState>(
  services: Services,
  work: BankWork<State>,
  ownedId: OwnedId,
): Promise<boolean> {
  const state = await work.read(services.sql, ownedId)
  const dueAtMs = (state && rowOf(state).dueAt)?.getTime() ?? Number.POSITIVE_INFINITY
  if (!state || dueAtMs > services.clock.now().getTime()) return false
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!merchant) throw new Error('work at a bank belongs to a merchant')
  const lease = new BankCallLease(services, merchant, work, state)
  try {
    const decide = await work.ask(services, state, lease)
    if (decide) await lease.end(decide)
    else await lease.recordOpenAnswer()
    return decide !== undefined
  } catch (error) {
    await lease.recordOpenAnswer().catch(() => undefined)
    throw error
  }
}

/** Delays before a bank is asked again, from the settings. */
export interface BankRetrySchedule {
  inquireAfterSeconds: readonly number[]
  reverseAgainAfterSeconds: readonly number[]
}

/** Counters of work that a bank is asked for again and again. */
interface Tries {
  tries: number
  dueAt: Date | null
  needsReviewAt: Date | null
}

/**
 * Work after a call without a result: due after the next delay. After the last delay it needs manual review,
 * and the last delay is repeated.
 */
export function withNextCall<Work extends Tries>(work: Work, delaysS: readonly number[], now: Date): Work {
  const tries = work.tries + 1
  const dueAt = later(now, delaysS[tries - 1] ?? delaysS.at(-1) ?? 0)
  return { ...work, tries, dueAt, needsReviewAt: work.needsReviewAt ?? (tries > delaysS.length ? now : null) }
}

/** Counters of work that waits for no bank. */
export const noCallDue = { dueAt: null, tries: 0, needsReviewAt: null } satisfies Tries

/** Lease length, in bank timeouts. */
const leaseInTimeouts = 3

/** Time limit of a connector, in bank timeouts. The outcome of a call that takes longer is unknown. */
const connectorLimitInTimeouts = 2

/**
 * Longest delay between recording a call and making it. A process that was paused for longer must not call.
 */
export const maxRecordToCallDelayMs = 10_000

/** Margin for the clocks of two instances. */
const leaseMarginS = 10

/** Longest lease, in seconds. It covers the delay before a call, the call, and a margin. */
export function longestLeaseS({
  bankTimeoutSeconds,
}: Pick<Services['config'], 'bankTimeoutSeconds'>): number {
  const callS = maxRecordToCallDelayMs / 1000 + bankTimeoutSeconds * connectorLimitInTimeouts
  return Math.max(bankTimeoutSeconds * leaseInTimeouts, callS + leaseMarginS)
}

/** Leases that began before this time have expired. */
export function leaseCutoff({ clock, config }: Pick<Services, 'clock' | 'config'>): Date {
  return later(clock.now(), -longestLeaseS(config))
}

/** Lease on due work, renewed by each call. It ends even if a connector never answers. */
export class BankCallLease<State extends BankWorkState> {
  readonly #services: Services
  readonly #merchant: Merchant
  readonly #work: BankWork<State>
  #state: State
  /** The bank, or why the POS cannot be opened. */
  #opened: Promise<Bank | string> | undefined
  /** Answer that is not recorded yet. */
  #answeredCall: BankCall | undefined

  constructor(services: Services, merchant: Merchant, work: BankWork<State>, state: State) {
    this.#services = services
    this.#merchant = merchant
    this.#work = work
    this.#state = state
  }

  /**
   * Records the call, together with the last answer, and makes it. Undefined if another instance was first. If
   * reading the POS fails, nothing is recorded: that is no answer.
   */
  async call<Reply extends BankAnswerOrChargeStatus>(
    operation: BankCallOperation,
    send: (bank: Bank) => Promise<Reply>,
  ): Promise<Reply | UnknownResponse | undefined> {
    const services = this.#services
    const bank = await this.#open()
    const dueAt = later(services.clock.now(), longestLeaseS(services.config))
    const bankCall = await newBankCall(services, bankCallSubjectOf(this.#state), operation)
    const answeredCall = this.#answeredCall
    const leased = await applyTransition(services, this.#merchant, {
      before: this.#state,
      ...this.#work.leased(services, this.#state, dueAt, bankCall),
      bankCall,
      ...(answeredCall && { answeredCall }),
    })
    if (!leased) return undefined
    this.#state = leased.after
    this.#answeredCall = undefined
    const exchange = await askBank<Reply | UnknownResponse>(services, bankCall, async () => {
      if (typeof bank === 'string') return newUnknownResponse(bank)
      const waitedMs = services.clock.now().getTime() - bankCall.askedAt.getTime()
      if (waitedMs > maxRecordToCallDelayMs)
        return newUnknownResponse('the bank was not asked, because the process was paused too long')
      return inTime(services, send(bank))
    })
    this.#answeredCall = exchange.answeredCall
    return exchange.response
  }

  /** The bank; undefined if the POS cannot be opened. Then each call gets an unknown answer. */
  async bank(): Promise<Bank | undefined> {
    const bank = await this.#open()
    return typeof bank === 'string' ? undefined : bank
  }

  #open(): Promise<Bank | string> {
    this.#opened ??= openPos(this.#services, this.#merchant, this.#state.attempt.posId)
    return this.#opened
  }

  /** Ends the lease by settling the work by the last answer. */
  end(decide: (state: State) => Decision): Promise<State> {
    const answeredCall = this.#answeredCall
    if (!answeredCall) throw new Error('a lease ends before its bank was asked')
    this.#answeredCall = undefined
    return settle(this.#services, this.#merchant, this.#work, this.#state, answeredCall, decide)
  }

  /** Records an answer that no further call and no settlement has recorded. */
  async recordOpenAnswer(): Promise<void> {
    if (this.#answeredCall) await recordAnsweredCall(this.#services.sql, this.#answeredCall)
  }
}

/**
 * Limits the time of a connector, because a promise that never settles would block its lane. The charge
 * itself has no such limit: an approval counts however late it arrives. Calls made here are repeated.
 */
function inTime<Reply>(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  reply: Promise<Reply>,
): Promise<Reply> {
  return within(clock, config.bankTimeoutSeconds * 1000 * connectorLimitInTimeouts, reply, () => {
    throw new Error('the connector did not answer in time')
  })
}

/**
 * Settles work by a bank's answer. Guarantee: the decision is made on the state that it changes, despite
 * concurrent changes, and the answer is always recorded.
 */
export async function settle<State extends BankWorkState>(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState' | 'log'>,
  merchant: Merchant,
  work: BankWork<State>,
  seen: State,
  answeredCall: BankCall,
  decide: (state: State) => Decision,
): Promise<State> {
  let state: State | undefined = seen
  try {
    return await retryOnConflict(async () => {
      state ??= await work.read(services.sql, rowOf(seen))
      if (state === undefined) throw new Error('the subject of a bank call is gone')
      const before = state
      state = undefined
      const decision = decide(before)
      if (work.isStale?.(seen, before, decision)) {
        await recordAnsweredCall(services.sql, answeredCall)
        return before
      }
      const after = await writeDecision(services, merchant, work, before, decision, { answeredCall })
      if (!after) return conflictSentinel
      const isReviewNew = rowOf(before).needsReviewAt === null || after.verification?.state === 'differs'
      if (rowOf(after).needsReviewAt && isReviewNew) work.warnOfReview(services.log, after)
      return after
    })
  } catch (error) {
    await recordAnsweredCall(services.sql, answeredCall).catch(() => undefined)
    throw error
  }
}

/** Writes a decision with its effects. Undefined if the state has changed since; then nothing is written. */
export async function writeDecision<State extends BankWorkState>(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
  merchant: Merchant,
  work: BankWork<State>,
  before: State,
  { needsVerification, ...changes }: Decision,
  calls: Pick<Transition, 'bankCall' | 'answeredCall'> = {},
): Promise<State | undefined> {
  const decided: State = { ...before, ...changes }
  const { afterWrite, ...effects } = (await work.effects?.(services, merchant, decided)) ?? {}
  const result = await applyTransition(services, merchant, {
    before,
    ...changes,
    ...effects,
    newVerification: needsVerification ? newVerification(decided, services.clock.now()) : undefined,
    ...calls,
  })
  if (result) afterWrite?.()
  return result?.after
}

/** The row that is due, leased and settled. */
export function rowOf({
  attempt,
  modification,
  verification,
}: BankWorkState): Attempt | Modification | Verification {
  return verification ?? modification ?? attempt
}

/** Subject of a bank call about this work. */
export function bankCallSubjectOf({ attempt, modification, verification }: BankWorkState): BankCallSubject {
  const { merchantId, paymentId, id: attemptId } = attempt
  const modificationId = verification ? verification.modificationId : (modification?.id ?? null)
  return { merchantId, paymentId, attemptId, modificationId }
}
