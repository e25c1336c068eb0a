import { decimalText } from '../../../kit/money/money.ts'
import { redact } from '../../../kit/security/redaction.ts'
import type { BankAnswer, BankReferences, ChargeStatus } from '../../connectors/index.ts'
import type { Services } from '../../services.ts'
import type { Attempt } from '../records/attempt.ts'
import type { BankCall, BankCallOperation, BankCallSubject } from '../records/bank-call.ts'

/** A bank's response: an answer, or the status of a charge. */
export type BankAnswerOrChargeStatus = BankAnswer | ChargeStatus

/** A bank call as recorded before it is made. */
export async function newBankCall(
  { ids, clock }: Pick<Services, 'ids' | 'clock'>,
  subject: BankCallSubject,
  operation: BankCallOperation,
): Promise<BankCall> {
  const call = { ...subject, operation, askedAt: clock.now() }
  return { ...call, id: await ids.next(), answeredAt: null, outcome: null, code: null, detail: null }
}

/**
 * Asks a bank. Guarantee: it always returns a response, and a connector that throws counts as an unknown outcome. Must not
 * run inside a transaction.
 */
export async function askBank<Reply extends BankAnswerOrChargeStatus>(
  services: Pick<Services, 'clock' | 'log' | 'metrics'>,
  call: BankCall,
  ask: () => Promise<Reply>,
): Promise<{ response: Reply | UnknownResponse; answeredCall: BankCall }> {
  let response: Reply | UnknownResponse
  try {
    response = cleaned(await ask())
  } catch (err) {
    services.log.error(
      { err, operation: call.operation, attempt: call.attemptId },
      'a connector threw an error; the outcome counts as unknown',
    )
    response = newUnknownResponse('the connector failed')
  }
  countCall(services, call, outcomeOf(response))
  return { response, answeredCall: bankCallWithAnswer(call, response, services.clock.now()) }
}

export type UnknownResponse = ReturnType<typeof newUnknownResponse>

/** An unknown outcome, as an answer and as a charge status. */
export function newUnknownResponse(why: string) {
  return { outcome: 'unknown', status: 'unknown', why } as const
}

export function bankCallWithAnswer(
  call: BankCall,
  response: BankAnswerOrChargeStatus | UnknownResponse,
  answeredAt: Date,
): BankCall {
  const detail = call.operation === 'verify' ? amountsIn(response) : messageIn(response)
  return {
    ...call,
    answeredAt,
    outcome: outcomeOf(response),
    code: 'code' in response ? response.code : null,
    detail: detail === null ? null : plain(detail, 500),
  }
}

function messageIn(response: BankAnswerOrChargeStatus | UnknownResponse): string | null {
  return 'why' in response ? response.why : 'message' in response ? response.message : null
}

/** Amounts of an answer to a verification inquiry, which asks only for amounts. */
function amountsIn(response: BankAnswerOrChargeStatus | UnknownResponse): string | null {
  if (!('echoed' in response) || !('refundedMinor' in response)) return messageIn(response)
  const { amountMinor, currency = '' } = response.echoed
  const amount = `${decimalText(amountMinor, '.')} ${currency}`.trim()
  return response.refundedMinor ? `${amount}, ${decimalText(response.refundedMinor, '.')} refunded` : amount
}

function outcomeOf(response: BankAnswerOrChargeStatus | UnknownResponse): string {
  return 'outcome' in response ? response.outcome : response.status
}

/** Cleans a bank's text for storage and display: one line, limited length, no card numbers. */
function cleaned<Reply extends BankAnswerOrChargeStatus>(response: Reply): Reply {
  if (!('code' in response)) return response
  const { code, message } = response
  return {
    ...response,
    code: plain(code, 40),
    message: message === null ? null : plain(message, 200),
    ...('bankReferences' in response && { bankReferences: cleanedReferences(response.bankReferences) }),
  }
}

function cleanedReferences(references: BankReferences): BankReferences {
  return Object.fromEntries(Object.entries(references).map(([name, value]) => [name, plain(value, 200)]))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const controls = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g

function plain(text: string, longest: number): string {
  return redact(text.toWellFormed()).replaceAll(controls, ' ').trim().slice(0, longest).toWellFormed()
}

function countCall({ metrics }: Pick<Services, 'metrics'>, { operation }: BankCall, outcome: string): void {
  metrics
    .counter('vezne_bank_calls_total', 'Calls to banks by operation and outcome.', ['operation', 'outcome'])
    .inc({ operation, outcome })
}

/** Answer of a connector that cannot do an operation. */
export const notSupported: BankAnswer = {
  outcome: 'declined',
  reason: 'not_permitted_to_terminal',
  code: 'not_supported',
  message: null,
}

/** The response, or an unknown outcome if it echoes another reference, amount or currency. */
export function unknownUnlessMatching<Reply extends BankAnswer | ChargeStatus>(
  response: Reply,
  attempt: Pick<Attempt, 'reference' | 'chargedMinor' | 'currency'>,
): Reply | UnknownResponse {
  if (!('echoed' in response)) return response
  const { reference = attempt.reference, amountMinor = attempt.chargedMinor } = response.echoed
  const { currency = attempt.currency } = response.echoed
  const differs = (what: string) => newUnknownResponse(`the bank’s answer has another ${what}`)
  if (reference !== attempt.reference) return differs('reference')
  if (currency !== attempt.currency) return differs('currency')
  return amountMinor === attempt.chargedMinor ? response : differs('amount')
}
