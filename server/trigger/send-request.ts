import type { HttpRequest, HttpResponse } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { Services } from '../services.ts'

const timeoutMs = 30_000

/** Who is spoken to, and what to do should they not be there. */
export interface HttpPeer {
  name: string
  advice: string
}

/** Sends a request. Guarantee: who does not answer is named in one sentence. */
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

/** The JSON of an answer; undefined where it holds none, as that of somebody else who listens there. */
export function parsedJson<Json>({ body }: HttpResponse): Json | undefined {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
