import { decimalText } from '../../../kit/money/money.ts'
import type { HttpResponse } from '../../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../../kit/outbound/http-client.ts'
import { confirmEarlierCapture } from '../contract/confirm-earlier-capture.ts'
import type {
  Bank,
  BankAnswer,
  BankChargeRequest,
  BankModificationRequest,
  BankPageAuthentication,
  BankRefundRequest,
  ChargeInquiry,
  ChargeStatus,
  ConnectorTools,
  DeclineReason,
  PosAccess,
  RefundStatus,
} from '../contract/contract.ts'
import { answerWithoutResponse, sendToBank } from '../contract/send-to-bank.ts'
import { currencyNumber, installmentText } from './amount.ts'
import { approvedCode } from './decline-reasons.ts'
import { threeDsGateForm } from './form.ts'
import type { OrderHistorySummary } from './history.ts'
import { readHistorySummary } from './history.ts'
import { readAnswer } from './read-answer.ts'
import {
  chargeStatusFromHistory,
  historyNeededSentinel,
  readChargeStatus,
  unknownStatus,
} from './read-charge-status.ts'
import { readReturn } from './read-return.ts'
import type { RequestTree } from './xml.ts'
import { requestXml } from './xml.ts'

/** POS of a bank on NestPay. */
export class NestpayBank implements Bank {
  readonly authentication: BankPageAuthentication
  readonly #tools: ConnectorTools
  readonly #access: PosAccess
  readonly #api: string

  /** `gate` is the address for the payer's browser, `api` the one for our requests. */
  constructor(tools: ConnectorTools, access: PosAccess, { gate, api }: { gate: string; api: string }) {
    this.#tools = tools
    this.#access = access
    this.#api = api
    const { settings, secrets } = access
    const store = { clientId: secrets['client_id'] ?? '', storeKey: secrets['store_key'] ?? '' }
    const options = { ...store, acceptsHalf: settings['accept_half_3d'] === 'yes' }
    this.authentication = {
      by: 'bank_page',
      formHost: new URL(gate).origin,
      form: (terms, card) => threeDsGateForm(store, gate, tools.random, terms, card),
      readReturn: (terms, body) => readReturn(options, terms, body),
    }
  }

  authorize(charge: BankChargeRequest): Promise<BankAnswer> {
    return this.#charge('Auth', charge)
  }

  preAuthorize(charge: BankChargeRequest): Promise<BankAnswer> {
    return this.#charge('PreAuth', charge)
  }

  async capture(modification: BankModificationRequest): Promise<BankAnswer> {
    const answer = await this.#do(modification, {
      Type: 'PostAuth',
      Total: decimalText(modification.amountMinor, '.'),
    })
    const isNothingHeld = answer.outcome === 'declined' && answer.reason === 'nothing_to_undo'
    return isNothingHeld ? confirmEarlierCapture(this, modification, answer) : answer
  }

  /** The bank gives the same error for a settled, a voided and an unknown order, so a query decides. */
  async void(modification: BankModificationRequest): Promise<BankAnswer> {
    const answer = await this.#do(modification, { Type: 'Void' })
    if (answer.outcome !== 'declined' || answer.reason !== 'nothing_to_undo') return answer
    const { status } = await this.inquire(modification)
    return status === 'taken' ? { ...answer, reason: 'already_settled' } : answer
  }

  /**
   * The bank has no refund ids and repeats a repeated refund, so its refunded sum is read first:
   * - equal to the known sum: the refund is sent;
   * - equal to the known sum plus this refund: it is already done;
   * - any other sum: nothing is sent.
   *
   * The caller must not request two refunds of one charge at the same time.
   */
  async refund(modification: BankRefundRequest): Promise<BankAnswer> {
    const history = await this.#askHistory(modification.reference)
    if ('outcome' in history) return history
    if (history.order === 'unclear') return { outcome: 'unknown', why: history.why }
    if (history.order === 'none') return refused('nothing_to_undo', 'nothing_taken')
    const { takenMinor, refundedMinor, lastReferences } = history
    const { reference, amountMinor, priorRefundedMinor } = modification
    if (refundedMinor === priorRefundedMinor + amountMinor) {
      const done = { echoed: { reference, amountMinor }, code: approvedCode, message: null }
      return { outcome: 'approved', ...done, bankReferences: lastReferences }
    }
    if (refundedMinor !== priorRefundedMinor) return refused('sums_differ', 'sums_differ')
    if (priorRefundedMinor + amountMinor > takenMinor)
      return refused('invalid_transaction', 'more_than_taken')
    return this.#credit(modification, takenMinor)
  }

  /** A void counts as a full refund: the sale is undone. */
  async inquireRefund({
    reference,
    amountMinor,
    priorRefundedMinor,
  }: BankRefundRequest): Promise<RefundStatus> {
    const history = await this.#askHistory(reference)
    if ('why' in history) return unknownStatus(history.why)
    if ('outcome' in history) return unknownStatus('the bank was not reached')
    if (history.order === 'none' || history.refundedMinor === priorRefundedMinor)
      return { status: 'not_refunded' }
    if (history.refundedMinor !== priorRefundedMinor + amountMinor)
      return unknownStatus('the sum that the bank has refunded differs from our records')
    return { status: 'refunded', bankReferences: history.lastReferences, code: approvedCode, message: null }
  }

  async inquire(chargeInquiry: ChargeInquiry): Promise<ChargeStatus> {
    const { reference } = chargeInquiry
    const sent = await this.#send({ OrderId: reference, Extra: { ORDERSTATUS: 'QUERY' } })
    if (sent instanceof NoHttpResponse) return unknownStatus(`no answer: ${sent.message}`)
    const chargeStatus = readChargeStatus(sent, chargeInquiry)
    if (chargeStatus !== historyNeededSentinel) return chargeStatus
    const history = await this.#askHistory(reference)
    return 'outcome' in history
      ? unknownStatus('the bank did not return the history')
      : chargeStatusFromHistory(history, reference)
  }

  async #charge(type: 'Auth' | 'PreAuth', charge: BankChargeRequest): Promise<BankAnswer> {
    const { payment, reference, amountMinor, installment, payerAddress } = charge
    if (payment.by !== 'bank_page')
      throw new Error('a NestPay bank charges with the proof of its own page only')
    const currency = currencyNumber(charge.currency)
    if (currency === undefined) return refused('not_permitted_to_terminal', 'currency')
    const { md = '', xid = '', eci = '', cavv = '' } = payment.proof
    return this.#ask(reference, {
      Type: type,
      ...(payerAddress === null ? {} : { IPAddress: payerAddress }),
      OrderId: reference,
      Total: decimalText(amountMinor, '.'),
      Currency: currency,
      Taksit: installmentText(installment),
      Number: md,
      PayerTxnId: xid,
      PayerSecurityLevel: eci,
      PayerAuthenticationCode: cavv,
      Mode: 'P',
    })
  }

  /** Before the end of the bank's day only a full refund is possible, by a void. */
  async #credit(modification: BankRefundRequest, takenMinor: number): Promise<BankAnswer> {
    const { amountMinor, priorRefundedMinor } = modification
    const currency = currencyNumber(modification.currency)
    if (currency === undefined) return refused('not_permitted_to_terminal', 'currency')
    const answer = await this.#do(modification, {
      Type: 'Credit',
      Total: decimalText(amountMinor, '.'),
      Currency: currency,
    })
    if (answer.outcome !== 'declined' || answer.reason !== 'not_settled_yet') return answer
    if (priorRefundedMinor > 0 || amountMinor !== takenMinor) return answer
    const voided = await this.void(modification)
    // The day may have ended between the two requests: then the next attempt is a credit.
    return voided.outcome === 'declined' ? answer : voided
  }

  async #askHistory(reference: string): Promise<OrderHistorySummary | BankAnswer> {
    const sent = await this.#send({ OrderId: reference, Extra: { ORDERHISTORY: 'QUERY' } })
    return sent instanceof NoHttpResponse ? answerWithoutResponse(sent) : readHistorySummary(sent, reference)
  }

  /** Modifies an existing order. If the bank is busy with the order, the outcome is unknown. */
  async #do(modification: BankModificationRequest, what: RequestTree): Promise<BankAnswer> {
    const answer = await this.#ask(modification.reference, { OrderId: modification.reference, ...what })
    const isBusy = answer.outcome === 'declined' && answer.reason === 'duplicate_reference'
    return isBusy ? { outcome: 'unknown', why: `the bank is busy with the order: ${answer.code}` } : answer
  }

  async #ask(reference: string, request: RequestTree): Promise<BankAnswer> {
    const sent = await this.#send(request)
    return sent instanceof NoHttpResponse ? answerWithoutResponse(sent) : readAnswer(sent, reference)
  }

  #send(request: RequestTree): Promise<HttpResponse | NoHttpResponse> {
    const { secrets, timeoutMs } = this.#access
    const { name: Name = '', password: Password = '', client_id: ClientId = '' } = secrets
    return sendToBank(this.#tools.http, {
      method: 'POST',
      url: this.#api,
      headers: { 'content-type': 'text/xml; charset=ISO-8859-9' },
      body: requestXml({ Name, Password, ClientId, ...request }),
      timeoutMs,
    })
  }
}

function refused(reason: DeclineReason, code: string): BankAnswer {
  return { outcome: 'declined', reason, code, message: null }
}
