import type {
  Bank,
  BankAnswer,
  BankApproval,
  BankModificationRequest,
  ChargeStatus,
} from '../../connectors/index.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantById } from '../../merchants/index.ts'
import { openPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { newUnknownResponse, unknownUnlessMatching } from '../bank-calls/ask-bank.ts'
import type { BankCallLease } from '../bank-calls/lease.ts'
import { amountChargedAtBank } from '../records/attempt.ts'
import { modificationWithPaymentOf } from '../records/modification.sql.ts'
import type { BankOperation, ModificationWithPayment } from '../records/modification.ts'
import { chargeTakenAt, completesFullRefund, isCertainlyNotDone } from '../records/modification.ts'
import { hasAllEchoedTerms } from '../records/verification.ts'
import type { ModificationResult } from './decide.ts'
import {
  afterModificationResult,
  isConfirmedByChargeStatus,
  isSafeToRepeatPartialRefund,
  isWithinVoidWindow,
  usualBankOperationByKind,
} from './decide.ts'
import type { ModificationDecision, OutcomeHandler } from './settle-modification.ts'
import { newModificationLease } from './settle-modification.ts'

/**
 * Processes a due modification: requests it from the bank, or queries the charge. Guarantee:
 * - Each call is recorded before it is made.
 * - The bank executes the modification once, however often and by whichever instance it is requested.
 * - A modification that has not ended always has a due time, so it is always processed again.
 *
 * Returns true if there was something to do.
 */
export async function processModification(
  services: Services,
  ownedId: OwnedId,
  onOutcome: OutcomeHandler,
): Promise<boolean> {
  const context = await modificationWithPaymentOf(services.sql, ownedId)
  const dueAtMs = context?.modification.dueAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (!context || dueAtMs > services.clock.now().getTime()) return false
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!merchant) throw new Error('a modification belongs to a merchant')
  const lease = newModificationLease(services, merchant, context, onOutcome)
  const response = await new ModificationProcedure(services, context, lease).run(merchant)
  if (!response) return false
  const needsVerification = response.outcome === 'done' && !response.isAmountConfirmed
  await lease.end((then) => ({
    modification: afterModificationResult(
      then.modification,
      response,
      { now: services.clock.now(), takenAt: chargeTakenAt(then) },
      services.config,
    ),
    needsVerification,
  }))
  return true
}

/** Undefined if another worker was first. */
type PendingResponse = Promise<ModificationResult | undefined>

const unknown: ModificationResult = { outcome: 'unknown' }

/** The calls to the bank that one modification needs. */
class ModificationProcedure {
  readonly #services: Services
  readonly #context: ModificationWithPayment
  readonly #lease: BankCallLease<ModificationWithPayment, ModificationDecision>

  constructor(
    services: Services,
    context: ModificationWithPayment,
    lease: BankCallLease<ModificationWithPayment, ModificationDecision>,
  ) {
    this.#services = services
    this.#context = context
    this.#lease = lease
  }

  async run(merchant: Merchant): PendingResponse {
    const { attempt, modification } = this.#context
    const { kind, posId, askedAt } = modification
    const bank = await openPos(this.#services, merchant, posId)
    if (typeof bank === 'string') return this.#unreachable(bank)
    const isPart = kind === 'refund' && !completesFullRefund(this.#context)
    const isDiffering = kind === 'refund' && attempt.bankChargedMinor !== null
    // A bank that was asked before may have done it. A charge over a different amount is queried too, because
    // a refund of the rest depends on that amount.
    const isInquiredFirst = isDiffering || (askedAt !== null && !isPart)
    const chargeStatus = isInquiredFirst ? await this.#inquire(bank) : null
    if (chargeStatus === undefined) return undefined
    if (chargeStatus?.status === 'unknown') return unknown
    if (isPart) return this.#giveBackPart(bank)
    if (chargeStatus && isConfirmedByChargeStatus(kind, chargeStatus.status))
      return this.#doneBy(chargeStatus)
    return kind === 'refund' ? this.#giveBackAll(bank) : this.#ask(bank, usualBankOperationByKind[kind])
  }

  async #unreachable(why: string): PendingResponse {
    const response = await this.#lease.ask('inquiry', async () => newUnknownResponse(why))
    return response && unknown
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
      return this.#ask(bank, 'refund')
    const voided = await this.#ask(bank, 'void')
    if (voided?.outcome !== 'refused' || !bank.refund) return voided
    // After a problem at the bank the void is tried once more before a refund.
    const mayPass =
      voided.reason === 'bank_not_reached' || (voided.reason === 'other' && modification.tries === 0)
    return mayPass ? voided : this.#ask(bank, 'refund')
  }

  /**
   * Refunds a part, which the charge status does not show. A bank that would repeat the refund is first asked
   * for the refund's status.
   */
  async #giveBackPart(bank: Bank): PendingResponse {
    const { modification } = this.#context
    if (!bank.inquireRefund || isCertainlyNotDone(modification)) return this.#ask(bank, 'refund')
    const answer = await this.#lease.ask('inquiry', async () => this.#refundedAnswer(bank))
    if (!answer) return undefined
    if (answer.outcome === 'approved')
      return { outcome: 'done', operation: 'refund', isAmountConfirmed: true, ...wordsOf(answer) }
    const { clock, config } = this.#services
    const isSafe =
      answer.outcome === 'declined' && isSafeToRepeatPartialRefund(modification, clock.now(), config)
    return isSafe ? this.#ask(bank, 'refund') : unknown
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
  async #ask(bank: Bank, operation: BankOperation): PendingResponse {
    const answer = await this.#lease.ask(operation, async () =>
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
    const chargeStatus = await this.#inquire(bank)
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

  #inquire(bank: Bank): Promise<ChargeStatus | undefined> {
    const { reference, currency } = this.#terms()
    const { attempt } = this.#context
    return this.#lease.ask('inquiry', async () => {
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

const notSupported: BankAnswer = {
  outcome: 'declined',
  reason: 'not_permitted_to_terminal',
  code: 'not_supported',
  message: null,
}
