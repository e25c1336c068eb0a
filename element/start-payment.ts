import type { AccessToken } from './access-token.ts'
import type { Api, ApiResponse } from './call-api.ts'
import { callApi, startFailure } from './call-api.ts'
import { webAddress } from './web-address.ts'

/** A payment that has a page. */
export interface PaymentPage {
  /** Not known of one that somebody else has started, before its page says it. */
  transactionId: number | undefined
  pageUrl: string
}

export interface StartRequest {
  /** What is asked for, as JSON: the same text each time, for the key stands for it. */
  body: string
  idempotencyKey: string
}

/** Starts a payment. Guarantee: with the same `StartRequest` there is one payment, however often answers are lost. */
export async function startPayment(
  api: Api,
  token: AccessToken,
  start: StartRequest,
  signal: AbortSignal,
): Promise<PaymentPage> {
  let answer = await askToStart(api, await token.get(signal), start, signal)
  if (answer.status === 401) {
    token.forget()
    answer = await askToStart(api, await token.get(signal), start, signal)
  }
  if (answer.status !== 200) throw startFailure(api, 'refused', answer)
  const { transaction_id: transactionId, payment_page_url } = answer.data
  const pageUrl = webAddress(payment_page_url)
  if (!Number.isSafeInteger(transactionId) || !pageUrl) throw startFailure(api, 'unreachable', undefined)
  return { transactionId: transactionId as number, pageUrl: pageUrl.href }
}

function askToStart(
  api: Api,
  credential: string,
  { body, idempotencyKey }: StartRequest,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const headers = { 'idempotency-key': idempotencyKey }
  return callApi(api, { path: '/v1/payment/3ds', credential, headers, body }, signal)
}
