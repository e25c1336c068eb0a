import type { HttpClient, HttpResponse } from '../../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../../kit/outbound/http-client.ts'
import type { BankAnswer } from './contract.ts'

/** Response of a bank, or the reason why there is none. */
export async function sendToBank(
  http: HttpClient,
  request: Parameters<HttpClient['send']>[0],
): Promise<HttpResponse | NoHttpResponse> {
  try {
    return await http.send(request)
  } catch (error) {
    if (error instanceof NoHttpResponse) return error
    throw error
  }
}

/** Answer without a response. Guarantee: a decline only if the request certainly did not arrive. */
export function answerWithoutResponse({ mayHaveArrived, message }: NoHttpResponse): BankAnswer {
  if (mayHaveArrived) return { outcome: 'unknown', why: `no answer: ${message}` }
  return { outcome: 'declined', reason: 'bank_not_reached', code: 'not_reached', message: null }
}
