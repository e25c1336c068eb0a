import type {
  Bank,
  BankAnswer,
  BankApproval,
  BankModificationRequest,
  ChargeStatus,
} from '../../connectors/index.ts'
import type { Services } from '../../services.ts'
import { notSupported, unknownUnlessMatching } from '../bank-calls/ask-bank.ts'
import type { BankCallLease, BankWork } from '../bank-calls/bank-work.ts'
import type { BankWorkQueue } from '../bank-calls/lanes.ts'
import { maxDueItemsPerPos } from '../bank-calls/lanes.ts'
import { amountChargedAtBank } from '../records/attempt.ts'
import { modificationTable } from '../records/bank-work.sql.ts'
import {
  dueModificationIds,
  dueModificationTimes,
  modificationWithPaymentOf,
} from '../records/modification.sql.ts'
import type {
  BankOperation,
  Modification,
  ModificationKind,
  ModificationWithPayment,
} from '../records/modification.ts'
import {
  bankOperations,
  chargeTakenAt,
  completesFullRefund,
  isCertainlyNotDone,
} from '../records/modification.ts'
import { hasAllEchoedTerms } from '../records/verification.ts'
import type { ModificationResult } from './decide.ts'
import {
  afterModificationResult,
  isConfirmedByChargeStatus,
  isSafeToRepeatPartialRefund,
  isWithinVoidWindow,
  usualBankOperationByKind,
} from './decide.ts'

/** Due modifications of some kinds, with the handler of their outcome. */
export function dueModificationQueue(
  kinds: readonly ModificationKind[],
  onOutcome: OutcomeHandler,
): BankWorkQueue<ModificationWithPayment> {
  return {
    work: modificationWork(onOutcome),
    due: ({ sql, clock }) => dueModificationIds(sql, kinds, clock.now(), maxDueItemsPerPos),
    dueTimes: (until) => dueModificationTimes(kinds, until),
  }
}

/** Decides the effects of a modification that has just ended. */
export type OutcomeHandler = NonNullable<BankWork<ModificationWithPayment>['effects']>

/**
 * A capture, a release or a refund as work at a bank. Guarantee: the bank executes it once, however often and by
 * whichever instance it is requested.
 */
export function modificationWork(onOutcome: OutcomeHandler): BankWork<ModificationWithPayment> {
  return {
    table: modificationTable,
    read: modificationWithPaymentOf,
    leased: (_services, { modification }, dueAt, { operation: called, askedAt }) => {
      const operation = bankOperations.find((each) => each === called)
      // An inquiry is no request. An earlier refusal is cleared: the answer to this call may be lost.
      return {
        modification: {
          ...modification,
          dueAt,
          ...(operation && { operation, askedAt, declineReason: null }),
        },
      }
    },
    ask: async (services, context, lease) => {
      const response = await new ModificationProcedure(services, context, lease).run()
      if (!response) return undefined
      return (now) => ({
        modification: afterModificationResult(
          now.modification,
          response,
          { now: services.clock.now(), takenAt: chargeTakenAt(now) },
          services.config,
        ),
        needsVerification: response.outcome === 'done' && !response.isAmountConfirmed,
      })
    },
    isStale: (seen, before, { modification: after = before.modification }) =>
      isStaleAnswer(seen.modification, before.modification, after),
    effects: async (services, merchant, decided) =>
      decided.modification.state === 'doing' ? {} : onOutcome(services, merchant, decided),
    warnOfReview: (log, { modification: { id: modification, paymentId: payment } }) =>
      log.warn(
        { modification, payment },
        'a modification is still unsettled; needs manual review: vezne payment unknown',
      ),
  }
}

/**
 * True if an answer has no effect any more: the modification is already settled, or another instance has the
 * lease and the bank may be executing it now. The outcome done always counts while the modification is open.
 */
function isStaleAnswer(seen: Modification, before: Modification, after: Modification): boolean {
  if (before.state !== 'doing') return true
  return before.version !== seen.version && after.state !== 'done'
}

/** Undefined if another instance was first. */
type PendingResponse = Promise<ModificationResult | undefined>

const unknown: ModificationResult = { outcome: 'unknown' }

/** The calls to the bank that one modification needs. */
class ModificationProcedure {
  readonly #services: Services
  readonly #context: ModificationWithPayment
  readonly #lease: BankCallLease<ModificationWithPayment>

  constructor(
    services: Services,
    context: ModificationWithPayment,
    lease: BankCallLease<ModificationWithPayment>,
  ) {
    this.#services = services
    this.#context = context
    this.#lease = lease
  }

  async run(): PendingResponse {
    const { attempt, modification } = this.#context
    const { kind, askedAt } = modification
    const bank = await this.#lease.bank()
    const isPart = kind === 'refund' && !completesFullRefund(this.#context)
    const isDiffering = kind === 'refund' && attempt.bankChargedMinor !== null
    // A bank that was asked before may have done it. A charge over a different amount is queried too, because
    // a refund of the rest depends on that amount.
    const isInquiredFirst = isDiffering || (askedAt !== null && !isPart)
    const chargeStatus = isInquiredFirst || !bank ? await this.#inquire() : null
    if (chargeStatus === undefined) return undefined
    if (!bank || chargeStatus?.status === 'unknown') return unknown
    if (isPart) return this.#giveBackPart(bank)
    if (chargeStatus && isConfirmedByChargeStatus(kind, chargeStatus.status))
      return this.#doneBy(chargeStatus)
    return kind === 'refund' ? this.#giveBackAll(bank) : this.#request(bank, usualBankOperationByKind[kind])
  }

  /**
   * Refunds the rest: by a void if nothing was refunded before and the bank's day may still be open,
   * otherwise by a refund.
   */
  async #giveBackAll(bank: Bank): PendingResponse {
    const { modification } = this.#context
    const isWhole = modification.priorRefundedMinor === 0
    if (
      !isWhole ||
      !bank.void ||
      !isWithinVoidWindow(chargeTakenAt(this.#context), this.#services.clock.now())
    )
      return this.#request(bank, 'refund')
    const voided = await this.#request(bank, 'void')
    if (voided?.outcome !== 'refused' || !bank.refund) return voided
    // After a problem at the bank the void is tried once more before a refund.
    const mayPass =
      voided.reason === 'bank_not_reached' || (voided.reason === 'other' && modification.tries === 0)
    return mayPass ? voided : this.#request(bank, 'refund')
  }

  /**
   * Refunds a part, which the charge status does not show. A bank that would repeat the refund is first asked
   * for the refund's status.
   */
  async #giveBackPart(bank: Bank): PendingResponse {
    const { modification } = this.#context
    if (!bank.inquireRefund || isCertainlyNotDone(modification)) return this.#request(bank, 'refund')
    const answer = await this.#lease.call('inquiry', () => this.#refundedAnswer(bank))
    if (!answer) return undefined
    if (answer.outcome === 'approved')
      return { outcome: 'done', operation: 'refund', isAmountConfirmed: true, ...wordsOf(answer) }
    const { clock, config } = this.#services
    const isSafe =
      answer.outcome === 'declined' && isSafeToRepeatPartialRefund(modification, clock.now(), config)
    return isSafe ? this.#request(bank, 'refund') : unknown
  }

  /** The status of a partial refund as a bank answer. */
  async #refundedAnswer(bank: Bank): Promise<BankAnswer> {
    const terms = this.#terms()
    const refundStatus = await bank.inquireRefund?.({ ...terms, ...this.#refundKeyAndPriorTotal() })
    switch (refundStatus?.status) {
      case 'refunded': {
        const { code, message, bankReferences } = refundStatus
        return { outcome: 'approved', echoed: { reference: terms.reference }, code, message, bankReferences }
      }
      case 'not_refunded':
        return { outcome: 'declined', reason: 'nothing_to_undo', code: 'not_refunded', message: null }
      default:
        return { outcome: 'unknown', why: refundStatus?.why ?? 'the connector cannot query this' }
    }
  }

  /**
   * Requests the modification. If the bank refuses, queries the charge: an earlier request may have arrived.
   */
  async #request(bank: Bank, operation: BankOperation): PendingResponse {
    const answer = await this.#lease.call(operation, async () =>
      this.#matchingAnswer(await this.#send(bank, operation)),
    )
    if (!answer) return undefined
    if (answer.outcome === 'approved')
      return {
        outcome: 'done',
        operation,
        isAmountConfirmed: hasAllEchoedTerms(answer.echoed),
        ...wordsOf(answer),
      }
    if (answer.outcome === 'unknown') return unknown
    const { reason, code, message } = answer
    // The other sum may include the result of an earlier request.
    if (reason === 'sums_differ' && !isCertainlyNotDone(this.#context.modification)) return unknown
    const refused: ModificationResult = { outcome: 'refused', reason, code, message }
    const { kind } = this.#context.modification
    if (reason === 'bank_not_reached' || (kind === 'refund' && !completesFullRefund(this.#context)))
      return refused
    const chargeStatus = await this.#inquire()
    if (!chargeStatus) return undefined
    if (chargeStatus.status === 'unknown') return unknown
    return isConfirmedByChargeStatus(kind, chargeStatus.status) ? this.#doneBy(chargeStatus) : refused
  }

  async #send(bank: Bank, operation: BankOperation): Promise<BankAnswer> {
    const terms = this.#terms()
    switch (operation) {
      case 'capture':
        return (await bank.capture?.(terms)) ?? notSupported
      case 'void':
        return (await bank.void?.(terms)) ?? notSupported
      case 'refund':
        return (await bank.refund?.({ ...terms, ...this.#refundKeyAndPriorTotal() })) ?? notSupported
    }
  }

  #inquire(): Promise<ChargeStatus | undefined> {
    const { reference, currency } = this.#terms()
    const { attempt } = this.#context
    return this.#lease.call('inquiry', async (bank) => {
      const chargeStatus = await bank.inquire({ reference, currency })
      return unknownUnlessMatching(chargeStatus, { ...attempt, chargedMinor: this.#expectedOf(chargeStatus) })
    })
  }

  /**
   * Amount that a charge status must have. It is checked only for a capture and for a charge known to differ;
   * otherwise only the state matters.
   */
  #expectedOf(chargeStatus: ChargeStatus): number {
    const { attempt, modification } = this.#context
    const isAmountChecked =
      chargeStatus.status === 'taken' &&
      (modification.kind === 'capture' || attempt.bankChargedMinor !== null)
    return isAmountChecked || !('echoed' in chargeStatus)
      ? amountChargedAtBank(attempt)
      : chargeStatus.echoed.amountMinor
  }

  #matchingAnswer(answer: BankAnswer): BankAnswer {
    const { attempt, modification } = this.#context
    const { reference, currency } = attempt
    return unknownUnlessMatching(answer, { reference, currency, chargedMinor: modification.amountMinor })
  }

  #terms(): BankModificationRequest {
    const { attempt, modification } = this.#context
    const { reference, currency, bankReferences } = attempt
    return {
      reference,
      currency,
      amountMinor: modification.amountMinor,
      bankReferences: bankReferences ?? {},
    }
  }

  #refundKeyAndPriorTotal(): { refundKey: string; priorRefundedMinor: number } {
    const { id, refundId, priorRefundedMinor } = this.#context.modification
    return { refundKey: String(refundId ?? id), priorRefundedMinor }
  }

  /** Result of a modification that an earlier request completed. */
  #doneBy(chargeStatus: ChargeStatus): ModificationResult {
    const { operation, kind } = this.#context.modification
    const words = 'bankReferences' in chargeStatus ? wordsOf(chargeStatus) : noWords
    return {
      outcome: 'done',
      operation: operation ?? usualBankOperationByKind[kind],
      isAmountConfirmed: true,
      ...words,
    }
  }
}

const noWords = { code: '00', message: null, bankReferences: null }

function wordsOf({ code, message, bankReferences }: Omit<BankApproval, 'outcome'>) {
  return { code, message, bankReferences }
}
