import type { AccessToken } from './access-token.ts'
import type { Api, ApiResponse } from './call-api.ts'
import { callApi, startFailure } from './call-api.ts'
import { webAddress } from './web-address.ts'

/** Payment with a page. */
export interface PaymentPage {
  /** Unknown for a payment that the merchant's server started, until its page reports it. */
  transactionId: number | undefined
  pageUrl: string
}

export interface StartRequest {
  /** Request as JSON. The text must not change, because the idempotency key belongs to it. */
  body: string
  idempotencyKey: string
}

/**
 * Starts a payment. Guarantee: the same `StartRequest` makes one payment, however many responses are lost.
 */
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
