import type { HttpRequest, HttpResponse } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { Services } from '../services.ts'

const timeoutMs = 30_000

/** Name of the other side, and advice if it does not answer. */
export interface HttpPeer {
  name: string
  advice: string
}

/** Sends a request. Guarantee: without a response, the error names the other side in one sentence. */
export async function sendRequest(
  { http }: Pick<Services, 'http'>,
  { name, advice }: HttpPeer,
  request: Omit<HttpRequest, 'timeoutMs'>,
): Promise<HttpResponse> {
  try {
    return await http.send({ ...request, timeoutMs })
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error
    const { origin } = new URL(request.url)
    throw new Error(`${name} does not answer at ${origin} (${error.message}): ${advice}.`)
  }
}

/** JSON of a response; undefined if it is not JSON, for example from another program on that port. */
export function parsedJson<Json>({ body }: HttpResponse): Json | undefined {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
