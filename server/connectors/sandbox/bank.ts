import type { HttpResponse } from '../../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../../kit/outbound/http-client.ts'
import { confirmEarlierCapture } from '../contract/confirm-earlier-capture.ts'
import type {
  Bank,
  BankAnswer,
  BankChargeRequest,
  BankModificationRequest,
  BankRefundRequest,
  ChargeInquiry,
  ChargeStatus,
  ConnectorTools,
  OwnThreeDsAuthentication,
  PosAccess,
} from '../contract/contract.ts'
import { answerWithoutResponse, sendToBank } from '../contract/send-to-bank.ts'
import { readAnswer, readChargeStatus } from './read-response.ts'
import { readAcceptedUnauthenticatedStatuses } from './settings.ts'

/** POS of the sandbox bank. */
export class SandboxBank implements Bank {
  readonly authentication: OwnThreeDsAuthentication
  readonly #tools: ConnectorTools
  readonly #access: PosAccess

  constructor(tools: ConnectorTools, access: PosAccess) {
    this.#tools = tools
    this.#access = access
    const { settings, secrets, sandboxUrl } = access
    this.authentication = {
      by: 'three_ds_server',
      directoryUrl: `${sandboxUrl}/directory`,
      acquirerBin: '400551',
      acquirerMerchantId: secrets['terminal'] ?? '',
      merchantCategory: settings['category'] ?? '5999',
      challengeIndicator: settings['challenge'] ?? '01',
      acceptedStatuses: readAcceptedUnauthenticatedStatuses(settings['accepts'] ?? ''),
    }
  }

  authorize(charge: BankChargeRequest): Promise<BankAnswer> {
    return this.#charge('sale', charge)
  }

  preAuthorize(charge: BankChargeRequest): Promise<BankAnswer> {
    return this.#charge('pre-authorization', charge)
  }

  async capture(modification: BankModificationRequest): Promise<BankAnswer> {
    const { reference, amountMinor, currency } = modification
    const answer = await this.#ask('capture', reference, { amount: amountMinor, currency })
    const isNothingHeld = answer.outcome === 'declined' && answer.code === '12'
    return isNothingHeld ? confirmEarlierCapture(this, modification, answer) : answer
  }

  void({ reference }: BankModificationRequest): Promise<BankAnswer> {
    return this.#ask('void', reference, {})
  }

  refund({ reference, amountMinor, currency, refundKey }: BankRefundRequest): Promise<BankAnswer> {
    return this.#ask('refund', reference, { amount: amountMinor, currency, part: refundKey })
  }

  async inquire({ reference }: ChargeInquiry): Promise<ChargeStatus> {
    const sent = await this.#send('status', { reference })
    if (sent instanceof NoHttpResponse) return { status: 'unknown', why: `no answer: ${sent.message}` }
    return readChargeStatus(sent, reference)
  }

  #charge(what: 'sale' | 'pre-authorization', charge: BankChargeRequest): Promise<BankAnswer> {
    const { payment, reference, amountMinor, currency, installment } = charge
    if (payment.by !== 'three_ds_server')
      throw new Error('the sandbox bank has no 3-D Secure page: it charges with our proof only')
    const { card, proof } = payment
    return this.#ask(what, reference, {
      amount: amountMinor,
      currency,
      installments: installment,
      card: {
        number: card.pan.reveal(),
        cvc: card.cvc.reveal(),
        expiry_month: card.expiryMonth,
        expiry_year: card.expiryYear,
      },
      authentication: { eci: proof.eci ?? '', cavv: proof.cavv ?? '' },
    })
  }

  async #ask(what: string, reference: string, terms: object): Promise<BankAnswer> {
    const sent = await this.#send(what, { reference, ...terms })
    return sent instanceof NoHttpResponse ? answerWithoutResponse(sent) : readAnswer(sent, reference)
  }

  #send(what: string, body: object): Promise<HttpResponse | NoHttpResponse> {
    const { sandboxUrl, timeoutMs, secrets } = this.#access
    const signature = `${secrets['terminal'] ?? ''}:${secrets['password'] ?? ''}`
    return sendToBank(this.#tools.http, {
      method: 'POST',
      url: `${sandboxUrl}/acquirer/${what}`,
      headers: {
        authorization: `Basic ${Buffer.from(signature).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      timeoutMs,
    })
  }
}
